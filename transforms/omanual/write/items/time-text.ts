import type { Guide } from "../../../../src/core/model/guide.js";
import { parseTime } from "../../items/time-required.js";
import type { Writing } from "./write-context.js";

/** From weeks to seconds: the largest unit that makes whole numbers of both ends is written. */
const UNITS = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Seconds as words that read back as the same: `30 minutes`, `1 - 2 hours`; empty for no estimate. */
export function timeText({ min, max }: Guide["timeRequired"], { tell }: Writing): string {
  const text = min === 0 && max === 0 ? "" : rangeText(min, max);
  const back = parseTime(text);
  if (back?.min !== min || back.max !== max) {
    const message = `oManual has words for the time required: "${text}" does not say exactly ${min} to ${max} seconds.`;
    tell({ code: "time-required", level: "loss", path: "timeRequired", message });
  }
  return text;
}

function rangeText(min: number, max: number): string {
  const [unit, size] = UNITS.find(([, each]) => min % each === 0 && max % each === 0) ?? UNITS[4];
  const [low, high] = [min / size, max / size];
  const words = `${high} ${unit}${high === 1 ? "" : "s"}`;
  return low === high ? words : `${low} - ${words}`;
}
