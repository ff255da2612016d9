import { type Leaf, type LinkMark, sameMark } from "../settle/leaf.js";
import { isVisible } from "../settle/split-edges.js";
import { report, type Spot } from "./reading.js";

/**
 * Takes links away from what cannot be a link's label in wiki text: images, macros, nothing but blanks. A link that is
 * left without a label stands behind what it lay over, with its address as the label.
 */
export function tidyLinks(leaves: readonly Leaf[], spot: Spot): readonly Leaf[] {
  const tidied: Leaf[] = [];
  let at = 0;
  for (let first = leaves[at]; first !== undefined; first = leaves[at]) {
    const link = linkOver(first);
    const end = link === undefined ? at + 1 : endOf(link, leaves, at);
    const stretch = leaves.slice(at, end);
    for (const leaf of link === undefined ? stretch : tidyStretch(link, stretch, spot)) tidied.push(leaf);
    at = end;
  }
  return tidied;
}

function tidyStretch(link: LinkMark, stretch: readonly Leaf[], spot: Spot): readonly Leaf[] {
  const hasLabel = stretch.some((leaf) => leaf.type === "text" && isVisible(leaf));
  const overMacro = stretch.some((leaf) => leaf.type === "image" || leaf.type === "macro");
  if (overMacro) {
    const message = `In wiki text an image or a macro cannot be a link; the link to ${link.href} is beside it now.`;
    report(spot, "link-over-macro", "loss", message);
  } else if (!hasLabel) {
    report(spot, "link-without-label", "loss", `The link to ${link.href} has no text to click on; it is left out.`);
  }
  const kept = stretch.map((leaf) => (hasLabel && LABEL_LEAVES.has(leaf.type) ? leaf : withoutLink(leaf)));
  if (hasLabel || !overMacro) return kept;
  return [...kept, { type: "text", value: " ", marks: [] }, { type: "text", value: link.href, marks: [link] }];
}

const LABEL_LEAVES: ReadonlySet<Leaf["type"]> = new Set(["text", "break"]);

function linkOver({ marks }: Leaf): LinkMark | undefined {
  return marks.find((mark) => mark.type === "link");
}

function endOf(link: LinkMark, leaves: readonly Leaf[], at: number): number {
  let end = at + 1;
  while (leaves[end]?.marks.some((mark) => sameMark(mark, link))) end += 1;
  return end;
}

function withoutLink(leaf: Leaf): Leaf {
  return { ...leaf, marks: leaf.marks.filter(({ type }) => type !== "link") };
}
