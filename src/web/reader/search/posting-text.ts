/** The 64 signs of a posting, those of base64url (RFC 4648 5): JSON and scripts take them as they are, a byte each. */
const SIGNS = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
/** Of the six bits of a sign: five of a number, and whether more follow. */
const DIGIT = 5;
const MORE = 1 << DIGIT;

/** An item's number and its impact (0 to 63) as one number. */
export function postingOf(item: number, impact: number): number {
  return item * 64 + impact;
}

/**
 * Postings of a term, by rising number of item, as a text: of each how many items were passed over, five bits a sign and the lowest first, then the sign of its impact.
 * `src/web/reader/browser/search-match.ts` reads it.
 */
export function postingText(postings: readonly number[]): string {
  const signs: number[] = [];
  let next = 0;
  for (const posting of postings) {
    const item = Math.floor(posting / 64);
    let passed = item - next;
    for (; passed >= MORE; passed >>= DIGIT) signs.push(signAt((passed & (MORE - 1)) | MORE));
    signs.push(signAt(passed), signAt(posting % 64));
    next = item + 1;
  }
  return Buffer.from(signs).toString("latin1");
}

function signAt(value: number): number {
  const sign = SIGNS[value];
  if (sign === undefined) throw new TypeError(`${value} is no value of a sign`);
  return sign;
}
