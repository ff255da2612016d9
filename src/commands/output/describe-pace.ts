import type { ProgressEvent } from "../../sync/control.js";
import { size } from "./describe-backup.js";
import type { SitePace } from "./limits-watch.js";
import type { StagePace } from "./stage-pace.js";
import { clockTime } from "./words.js";

/** `4.2/s`, `12/min`. */
export function paceText(perSecond: number): string {
  return perSecond < 1 ? `${rounded(perSecond * 60)}/min` : `${rounded(perSecond)}/s`;
}

/** What is told of a stage beside its numbers, each piece by its name; "" where there is nothing to tell. */
export function stageTexts(event: ProgressEvent, { rate, left }: StagePace): Readonly<Record<StageText, string>> {
  return {
    bytes: event.bytes === undefined ? "" : size(event.bytes),
    rate: rate === null || rate === 0 ? "" : paceText(rate),
    left: left === null ? "" : `${event.total === null ? "about " : ""}${clockTime(left)} left`,
    failed: event.failed === 0 ? "" : `${event.failed} failed`,
  };
}
export type StageText = "bytes" | "rate" | "left" | "failed";

/** `9.8 of 10 requests/s at site.example`, one after the other; "": nobody is asked. */
export function describeSites(sites: readonly SitePace[]): string {
  return sites
    .filter(({ perSecond }) => perSecond > 0)
    .map(({ origin, perSecond, limit }) => {
      const of = limit === null ? "" : ` of ${rounded(limit)}`;
      return `${rounded(perSecond)}${of} requests/s at ${new URL(origin).host}`;
    })
    .join(", ");
}

function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(2)));
}
