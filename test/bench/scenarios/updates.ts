import { type SandboxOptions, startSandbox } from "../../../src/sandbox/index.js";
import { type Pair, pairOf } from "./program.js";

const DIALECTS = ["specification", "dozuki", "ifixit"] as const;
const GUIDES = 100;
/**
 * Guides that become private, are deleted, get a new title of a step, and get a new summary: 19
 * changes.
 */
const PRIVATE = range(1, 3);
const DELETED = range(4, 6);
const STEPS = range(7, 9);
const SUMMARIES = range(10, 19);

/**
 * What of 19 changes at a source of 100 guides arrives at a target of each dialect, and what an
 * undo takes back.
 */
export async function benchUpdates(): Promise<void> {
  console.log(
    "dialect | private | step titles | summaries | arrived | deleted | left by undo | undone fields | exit codes",
  );
  for (const dialect of DIALECTS) await measure({ dialect });
}

async function measure(options: SandboxOptions): Promise<void> {
  const source = await startSandbox();
  fill(source);
  const pair = await pairOf(source, options);
  try {
    const migrate = ["migrate", source.url, pair.target.url];
    const codes = [await pair.run(migrate)];
    const before = JSON.stringify(pair.target.namedState());
    change(pair);
    codes.push(await pair.run(migrate));
    const [hidden, steps, summaries] = arrived(pair);
    codes.push(await pair.run([...migrate, "--delete-removed"]));
    const deleted = DELETED.filter((number) => !guidesAt(pair).has(titleOf(number))).length;
    const undo = ["undo", pair.workspace];
    codes.push(await pair.run(undo), await pair.run(undo));
    const isBack = JSON.stringify(pair.target.namedState()) === before;
    codes.push(await pair.run(undo));
    const left = pair.target.state().guides.length;
    const all = hidden + steps + summaries + deleted;
    const cells = [
      hidden,
      steps,
      summaries,
      `${all} of 19`,
      deleted,
      left,
      isBack ? "all" : "NOT all",
      codes.join(" "),
    ];
    console.log([options.dialect, ...cells].join(" | "));
  } finally {
    await pair.close();
    await source.close();
  }
}

function fill({ edit }: Pair["source"]): void {
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (const number of range(1, GUIDES)) {
    const guide = edit.createGuide({ category: "Looms", type: "how-to", subject: "A part", title: titleOf(number) });
    for (const place of [1, 2])
      edit.addStep(guide, {
        orderby: place,
        title: "",
        lines: [{ text: `Line ${place} of [guide|${1 + (number % GUIDES)}|the next].`, bullet: "black", level: 0 }],
      });
    edit.setGuideTags(guide, [`tag ${number % 7}`]);
    edit.setPublic(guide, true);
  }
}

function change({ source }: Pair): void {
  for (const guide of PRIVATE) source.edit.setPublic(guide, false);
  for (const guide of DELETED) source.edit.deleteGuide(guide);
  for (const guide of STEPS) {
    const found = source.state().guides.find(({ guideid }) => guideid === guide);
    const [step] = (found?.["steps"] ?? []) as readonly { readonly stepid: number }[];
    source.edit.step(guide, step?.stepid ?? 0, { title: "New" });
  }
  for (const guide of SUMMARIES) source.edit.guide(guide, { summary: `New ${guide}.` });
}

/** How many guides are private, have the new title of a step, and have the new summary. */
function arrived(pair: Pair): readonly [number, number, number] {
  const guides = guidesAt(pair);
  const those = (numbers: readonly number[], test: (guide: Readonly<Record<string, unknown>>) => boolean) =>
    numbers.filter((number) => test(guides.get(titleOf(number)) ?? {})).length;
  return [
    those(PRIVATE, (guide) => guide["public"] === false),
    those(STEPS, ({ steps }) => (steps as readonly { readonly title: string }[])[0]?.title === "New"),
    those(SUMMARIES, ({ summary }) => String(summary).startsWith("New ")),
  ];
}

function guidesAt({ target }: Pair): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  return new Map(target.state().guides.map((guide) => [String(guide["title"]), guide]));
}

function titleOf(number: number): string {
  return `Guide ${number}`;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
