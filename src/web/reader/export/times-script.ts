import { dayWords, momentWords } from "../../components/dates.js";
import type { TimeFacts } from "../library.js";
import type { TimeChanges } from "./time-changes.js";

/** The name of the file with what changed, at the root of a time; and of the one with all times, at the root of all. */
export const CHANGES_FILE = "changes.js";
export const TIMES_FILE = "times.js";

/** Tells the pages of an export what changed between a time and the one before. `src/web/reader/browser/times.ts` takes it. */
export function changesScript(time: string, changes: TimeChanges): string {
  return told(time, changes);
}

/** Tells the pages of an export all of its times. */
export function timesScript(times: readonly TimeFacts[]): string {
  return told(
    "times",
    times.map(({ id, time }) => ({ id, day: dayWords(time), moment: momentWords(time) })),
  );
}

/**
 * From a disk pages may load scripts and nothing else; there it tells. Over http pages read it as a text: a script that told there would tell the pages of any other
 * site too, and nobody can pretend to another `location`. All in it is ASCII.
 */
function told(name: string, value: object): string {
  return `location.protocol==="file:"&&readerTimes(${JSON.stringify(name)},${JSON.stringify(value)});\n`;
}
