import type { JSX } from "hono/jsx/jsx-runtime";
import { groupedDigits } from "../../core/util/printable-text.js";

/** `12,345` */
export function numberWords(value: number): string {
  return groupedDigits(value);
}

/** `1 guide`, `2 guides`, `2 categories` with the plural given. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** Bytes in powers of a thousand: `900 bytes`, `1.2 MB`. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[power] ?? ""}`;
}

// Intl.DateTimeFormat loads its tables in 30 ms, at the start of every command.
const MONTHS = "January February March April May June July August September October November December".split(" ");

/** `20 November 2026` in UTC for UNIX seconds; empty: no date. */
export function dayWords(seconds: number): string {
  const date = dateOf(seconds);
  return date === undefined ? "" : dayOf(date);
}

/** `20 November 2026, 03:00 UTC` for UNIX seconds; empty: no date. */
export function momentWords(seconds: number): string {
  return inUtc(seconds, "HH:mm".length);
}

/** `20 November 2026, 03:00:25 UTC` for UNIX seconds; empty: no date. */
export function secondWords(seconds: number): string {
  return inUtc(seconds, "HH:mm:ss".length);
}

function inUtc(seconds: number, clockLength: number): string {
  const date = dateOf(seconds);
  if (date === undefined) return "";
  // From the end, since years after 9999 are longer.
  const clock = date.toISOString().slice(-13, clockLength - 13);
  return `${dayOf(date)}, ${clock} UTC`;
}

function dayOf(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

interface WhenProps {
  /** UNIX seconds. */
  readonly seconds: number;
}

/** Renders nothing without a date. */
export function When({ seconds }: WhenProps): JSX.Element | null {
  const date = dateOf(seconds);
  if (date === undefined) return null;
  return <time datetime={date.toISOString()}>{dayWords(seconds)}</time>;
}

/** Sites say 0 for "never". */
function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * 1000);
  return seconds === 0 || Number.isNaN(date.getTime()) ? undefined : date;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min` for milliseconds. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`;
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
}
