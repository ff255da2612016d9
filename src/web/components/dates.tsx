import type { JSX } from "hono/jsx/jsx-runtime";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

/** `20 November 2026` for UNIX seconds, UTC; an empty text for what is no date. */
export function dayWords(seconds: number): string {
  const date = dateOf(seconds);
  return date === undefined ? "" : DAY.format(date);
}

/** `20 November 2026, 03:00 UTC` for UNIX seconds; an empty text for what is no date. */
export function momentWords(seconds: number): string {
  const date = dateOf(seconds);
  return date === undefined ? "" : `${DAY.format(date)}, ${MINUTE.format(date)} UTC`;
}

export interface WhenProps {
  /** UNIX seconds. */
  readonly seconds: number;
  /** With the time of the day. Default: false. */
  readonly exact?: boolean;
}

/** A point in time, for people and for programs. Nothing for what is no date. */
export function When({ seconds, exact = false }: WhenProps): JSX.Element | null {
  const date = dateOf(seconds);
  if (date === undefined) return null;
  return <time datetime={date.toISOString()}>{exact ? momentWords(seconds) : dayWords(seconds)}</time>;
}

/** Sites say 0 for "never". */
function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * 1000);
  return seconds === 0 || Number.isNaN(date.getTime()) ? undefined : date;
}
