const DAY = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
/** From 1973 on, and before 1967: shorter numbers are years, or days written as one number. */
const SECONDS = /^-?\d{9,11}$/;

/**
 * When a product came or went, for people: UNIX seconds (documentation of 0.4) and `20120912` as ISO 8601, everything else as it
 * is written. The schemas want a whole number, the documentation of 1.0 ISO 8601, and people write years (omanual 3).
 */
export function readProductDate(written: string): string {
  const text = written.trim();
  if (DAY.test(text)) return text.replace(DAY, "$1-$2-$3");
  if (!SECONDS.test(text)) return text;
  const date = new Date(Number(text) * 1000).toISOString();
  return date.replace(/T00:00:00\.000Z$/, "").replace(/\.000Z$/, "Z");
}
