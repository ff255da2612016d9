import type { Key } from "../../core/model/key.js";
import type { Deviation, InPlaceSummary } from "../../backup/in-place-summary.js";
import { count } from "./words.js";

/** Items of one sort that are named one by one; `--json` has all. */
const NAMED = 50;
/** Fields of one item, or writes, that are named. */
const FIELDS = 6;

/** What a site that is put back to a snapshot was found to be, for a program: one object an item; of a rehearsal with what would be done. */
export function deviationsOf(summary: InPlaceSummary): readonly (Deviation & { readonly action: string })[] {
  const steps = (key: Key) => (summary.planned === undefined ? {} : { steps: stepsOf(summary, key) });
  const of = (action: string, list: readonly Deviation[]) => list.map((one) => ({ action, ...one, ...steps(one.key) }));
  return [
    ...of("put back", summary.putBack),
    ...of("bring back", summary.broughtBack),
    ...of("make anew", summary.anew),
    ...of("leave", summary.left),
    ...of("lost", summary.lost),
  ];
}

/** What was put back, and what stays as it is, in plain words. */
export function describeInPlace(summary: InPlaceSummary): readonly string[] {
  const { snapshot, target, items, untouched, putBack, broughtBack, anew, left, lost, newer, followed } = summary;
  const would = summary.planned === undefined ? "were" : "would be";
  const steps = (key: Key) => stepsOf(summary, key);
  return [
    ...named(`Edited since, ${would} put back`, putBack, steps),
    ...named(`Deleted since, ${would} brought back`, broughtBack, steps),
    ...named("Deleted since, made anew with another id, since the site did not restore them", anew, steps),
    ...named("Edited since and LEFT (name them with --include, or give --on-conflict update)", left),
    ...named("NOT brought back", lost),
    ...namedKeys("Edited while this ran, and LEFT: run again to put them back too", summary.raced),
    ...namedKeys("Newer than the snapshot, left", newer),
    ...namedKeys(
      `${summary.planned === undefined ? "Written" : "Would be written"} again, since they refer to what gets another id`,
      followed,
    ),
    `${target.name} (${target.root}) and the snapshot ${snapshot}: ${count(items, "item")} compared, ${untouched} as they were then; ${countsOf(summary)}. ` +
      `${writesOf(summary)}.`,
  ];
}

function writesOf({ writes, planned }: InPlaceSummary): string {
  if (planned === undefined) return count(writes, "write");
  const kinds = Object.entries(planned.kinds).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const told = kinds.map(([kind, number]) => `${kind} ${number}`).join(", ");
  return `It would take ${count(writes, "write")}${told === "" ? "" : ` (${told})`}. Nothing was written`;
}

function stepsOf({ planned }: InPlaceSummary, key: Key): readonly string[] {
  return planned?.steps.get(key) ?? [];
}

function countsOf({ putBack, broughtBack, anew, left, lost, unknown, newer, failed }: InPlaceSummary): string {
  const counts: readonly (readonly [number, string])[] = [
    [putBack.length, "put back"],
    [broughtBack.length, "brought back"],
    [anew.length, "made anew"],
    [left.length, "left as edited"],
    [lost.length, "not to be had"],
    [unknown, "LOST with the rows of the snapshot"],
    [newer.length, "newer"],
    [failed, "FAILED"],
  ];
  const there = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return there.length === 0 ? "nothing to do" : there.join(", ");
}

function named(
  title: string,
  list: readonly (Deviation & { readonly reason?: string })[],
  stepsOf: (key: Key) => readonly string[] = () => [],
): readonly string[] {
  if (list.length === 0) return [];
  const lines = list.slice(0, NAMED).flatMap(({ key, title: name, paths, reason }) => {
    const what = reason ?? listed(paths);
    const steps = stepsOf(key);
    const line = `  ${key} ${JSON.stringify(name)}${what === "" ? "" : `: ${what}`}`;
    return steps.length === 0 ? [line] : [line, `    ${listed(steps)}`];
  });
  return [`${title}:`, ...lines, ...more(list.length)];
}

function listed(paths: readonly string[]): string {
  const rest = paths.length - FIELDS;
  return `${paths.slice(0, FIELDS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function namedKeys(title: string, keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`${title}:`, ...keys.slice(0, NAMED).map((key) => `  ${key}`), ...more(keys.length)];
}

function more(length: number): readonly string[] {
  return length <= NAMED ? [] : [`  and ${length - NAMED} more (all with --json)`];
}
