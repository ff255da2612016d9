import type { ProgressEvent } from "../../sync/control.js";
import { type StageText, stageTexts } from "./describe-pace.js";
import type { StagePace } from "./stage-pace.js";

/** Columns: lines that are longer are not read faster, and a terminal that is made narrower breaks them. */
const WIDEST = 100;
/** Longest name of a stage. */
const NAME = 7;
/** How long a bar is at a width; narrower ones have none. */
const BARS: readonly (readonly [from: number, size: number])[] = [
  [79, 30],
  [64, 20],
  [54, 10],
];
/** What is told, the fullest first; the first that fits is taken. */
const TOLD: readonly (readonly StageText[])[] = [
  ["bytes", "rate", "left", "failed"],
  ["rate", "left", "failed"],
  ["left", "failed"],
  ["failed"],
  [],
];

/** The columns that a line may take: the last one stays free, since some terminals break a line there. */
export function lineWidth(columns: number): number {
  return Math.max(1, Math.min(columns, WIDEST) - 1);
}

/** One stage in so many columns; `bar` draws a bar of a size. No bar where the total is not known: it could only lie. */
export function barLine(event: ProgressEvent, pace: StagePace, columns: number, bar: (size: number) => string): string {
  const width = lineWidth(columns);
  const size = BARS.find(([from]) => width >= from)?.[1] ?? 0;
  const drawn = size === 0 ? "" : `${event.total === null ? "".padEnd(size) : bar(size)} `;
  const number = `${event.done}${of(event)}`;
  const texts = stageTexts(event, pace);
  const lines = TOLD.map((told) => {
    const pieces = told.map((name) => texts[name]).filter((text) => text !== "");
    return `${event.stage.padEnd(NAME)} ${drawn}${[number, ...pieces].join("  ")}`;
  });
  return cut(lines.find((line) => line.length <= width) ?? lines.at(-1) ?? "", columns);
}

function of({ total, estimate }: ProgressEvent): string {
  if (total !== null) return `/${total}`;
  return estimate === undefined ? "" : `/~${estimate}`;
}

/** A text in so many columns. */
export function cut(text: string, columns: number): string {
  const width = lineWidth(columns);
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
