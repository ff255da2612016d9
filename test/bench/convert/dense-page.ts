/** One of each construct; `N` stands for a number that differs each time. */
const BLOCKS: readonly string[] = [
  "== Part N ==",
  "Loosen the '''four''' screws with a [product|IF145-N|spudger] and lift the ''lid'' off.",
  "See [guide|N|how to open it|stepid=N] or [https://example.org/manual/N|the manual], page N.",
  "[image|N|size=large]",
  "* Take out the [[Topic:Battery N|battery]].\n* Unplug ++all++ cables:\n** red, N cm\n** '''black''', ~~N~~ cm\n* Wait.",
  "# Turn it round.\n# Press ``reset N``.",
  "The water, H,,2,,O, must stay below N^^o^^; write to [mailto|help@example.org|us] if it does not.",
  "[code]\nvalve = open(N)\nvalve.close()\n[/code]",
  "[quote|Ann N]\nNever do this [i.e. never] with the power on.\n[/quote]",
  "More at https://example.org/forum/N?sort=new and in [document|N|the sheet].",
  "Nothing special stands in this paragraph, which is as long as a paragraph of a guide is, number N.",
];

/** A page in which nearly every line holds markup, the same each time. */
export function densePage(length: number): string {
  const blocks: string[] = [];
  for (let number = 1, written = 0; written < length; number += 1) {
    const block = (BLOCKS[number % BLOCKS.length] ?? "").replaceAll("N", String(number));
    blocks.push(block);
    written += block.length + 2;
  }
  return blocks.join("\n\n");
}
