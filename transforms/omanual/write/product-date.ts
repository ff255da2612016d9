import { dateTime, integer } from "./values.js";

/** Nine digits and more: shorter numbers are years to readers. */
const SECONDS = /^-?\d{9,11}$/;

/** When a product came or went, as a whole number: as it stands where it is one, else in UNIX seconds; null where it names no time. */
export function writeProductDate(value: string | null): string | null {
  const whole = integer(value);
  const date = whole === null ? dateTime(value) : null;
  const seconds = date === null ? "" : String(Math.floor(Date.parse(date) / 1000));
  return whole ?? (SECONDS.test(seconds) ? seconds : null);
}
