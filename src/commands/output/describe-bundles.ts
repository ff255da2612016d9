import type { BundleLosses } from "../../documents/bundle-losses.js";
import type { BundleSummary, ComparedBundles, WrittenBundle } from "../../documents/load-bundles.js";
import { describeCodes, indented } from "./describe.js";
import { count } from "./words.js";

/** Differences that are named one by one; `--json` has all. */
const NAMED = 20;

/** Bundles that were written or compared, in plain words. */
export function describeBundles({ bundles, stale }: ComparedBundles, loaded?: BundleSummary): readonly string[] {
  return [
    ...bundles.flatMap((bundle) => describeBundle(bundle, loaded !== undefined)),
    ...describeStale(stale),
    ...(loaded === undefined ? [] : describeKept(loaded.losses)),
  ];
}

/** Bundles that nobody writes any more; they are a person's to take away. */
export function describeStale(stale: readonly string[]): readonly string[] {
  if (stale.length === 0) return [];
  return [
    `${count(stale.length, "bundle")} of an earlier run in the same folder, of categories that are gone or were not chosen now, and left as they are:`,
    ...stale.slice(0, NAMED).map((file) => `  ${file}`),
    ...(stale.length > NAMED ? [`  and ${stale.length - NAMED} more, all with --json`] : []),
    "Delete them if nobody needs them.",
  ];
}

function describeBundle(bundle: WrittenBundle, isLoad: boolean): readonly string[] {
  const { file, written, damage, items, differences } = bundle;
  if (damage !== null) return [`${file}: could not be compared.`, `  ${indented(damage)}`];
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

/** What bundles lose, and what only their sidecars keep. */
export function describeKept({ totals, losses, kept, file }: BundleLosses): readonly string[] {
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
