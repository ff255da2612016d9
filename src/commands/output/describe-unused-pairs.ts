import type { Outlook } from "../../sync/outlook.js";
import type { Settings } from "../options/table.js";
import { quoted } from "./words.js";

/** How many are named in a line. */
const SHOWN = 10;

/** Pairs of `--type-map` and `--category-map` that do nothing, since the workspace holds nothing of that name: most are misspelt. */
export function describeUnusedPairs(
  { typeMap, categoryMap }: Pick<Settings, "typeMap" | "categoryMap">,
  { types, categories }: Pick<Outlook, "types" | "categories">,
): readonly string[] {
  const there = types.size === 0 ? "none" : named([...types].toSorted());
  return [
    ...lineOf("--type-map", typeMap, types, `no guide in the workspace is of that type. The types there are ${there}`),
    ...lineOf("--category-map", categoryMap, categories, "the workspace holds no such category"),
  ];
}

function lineOf(
  flag: string,
  pairs: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
  why: string,
): readonly string[] {
  const unused = Object.keys(pairs).filter((old) => !known.has(old));
  return unused.length === 0 ? [] : [`${flag} does nothing with ${named(unused)}: ${why}.`];
}

function named(words: readonly string[]): string {
  const more = words.length > SHOWN ? [`${words.length - SHOWN} more`] : [];
  return [...words.slice(0, SHOWN).map(quoted), ...more].join(", ");
}
