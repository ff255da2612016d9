import type { BundleSummary, WrittenBundle } from "../../pipeline/documents/load-bundles.js";
import { describeCodes } from "./describe.js";
import { count } from "./words.js";

/** Differences that are named one by one; `--json` has all. */
const NAMED = 20;

/** Bundles that were written or compared, in plain words. */
export function describeBundles(bundles: readonly WrittenBundle[], loaded?: BundleSummary): readonly string[] {
  return [...bundles.flatMap((bundle) => describeBundle(bundle, loaded !== undefined)), ...describeLost(loaded)];
}

function describeBundle({ file, written, items, differences }: WrittenBundle, isLoad: boolean): readonly string[] {
  const done = written ? "written, read back and compared" : "unchanged, read back and compared";
  const result = differences.length === 0 ? "no difference" : count(differences.length, "difference");
  const more = differences.length - NAMED;
  return [
    `${file}: ${isLoad ? done : "compared"}: ${count(items, "item")}, ${result}.`,
    ...differences.slice(0, NAMED).map(({ key, what }) => `  ${key}: ${WORDS[what]}`),
    ...(more > 0 ? [`  and ${more} more, all with --json`] : []),
  ];
}

const WORDS: Readonly<Record<WrittenBundle["differences"][number]["what"], string>> = {
  missing: "not in the bundle",
  unexpected: "in the bundle, and not in what was chosen of the workspace",
  changed: "says something else in the bundle",
  bytes: "the bytes in the bundle are not those of the workspace",
};

function describeLost(loaded: BundleSummary | undefined): readonly string[] {
  if (loaded === undefined) return [];
  const { totals, losses, kept, file } = loaded.losses;
  const all = totals.loss + totals.error;
  const values = Object.values(kept).reduce((sum, each) => sum + each, 0);
  if (all + totals.note + values === 0) return ["Nothing was lost on the way."];
  return [
    ...(values === 0
      ? []
      : [
          `oManual has no place for ${count(values, "value")}; guideferry.json in the bundle keeps them:`,
          `  ${describeCodes(kept)}`,
        ]),
    `${all === 0 ? "Nothing was lost on the way" : `${count(all, "value")} lost`}, and there are ${count(totals.note, "note")}${all === 0 ? "." : ":"}`,
    ...Object.entries(losses).map(([kind, codes]) => `  ${kind}: ${describeCodes(codes)}`),
    `Each with item, field and reason: ${file}`,
  ];
}
