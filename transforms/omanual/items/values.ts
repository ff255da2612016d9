import type { Key } from "../../../src/core/model/key.js";
import { isoDate } from "../iso-date.js";
import type { ManualFlag, ManualPlace } from "../manual.js";
import { type Converting, remark } from "./converting.js";

/** The keys that entries of a list give, each once. */
export function keysOf<T>(list: readonly T[], keyOf: (entry: T, index: number) => Key | null): readonly Key[] {
  return [...new Set(list.map(keyOf))].filter((key) => key !== null);
}

/** Sites know flags by their ids; title, picture and notice are their own. */
export function flagIds(flags: readonly ManualFlag[], converting: Converting): readonly string[] {
  return [
    ...new Set(
      flags.flatMap(({ id, title, text }, index) => {
        if (id !== null && id.trim() !== "") return [id.trim()];
        const what = `the flag "${title ?? text}" has no id; it is left out`;
        remark(converting, { code: "flag-without-id", level: "loss", path: `flags[${index}]`, what });
        return [];
      }),
    ),
  ];
}

/** UNIX seconds of a date: ISO 8601, or, in 0.4, such seconds themselves. null: none, or none that can be read. */
export function dateOf(
  text: string | null,
  path: string,
  converting: Converting,
  at: ManualPlace | undefined,
): number | null {
  const written = text?.trim() ?? "";
  if (written === "") return null;
  if (/^\d{5,11}$/.test(written)) return Number(written);
  const date = isoDate(written);
  const time = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(time)) return Math.floor(time / 1000);
  const what = `the date is "${written.slice(0, 40)}", which is none of ISO 8601; it is taken as unknown`;
  remark(converting, { code: "unknown-date", level: "loss", path, what }, at);
  return null;
}
