/** What the bytes 80 to 9F stand for (WHATWG Encoding, index windows-1252); five are no characters and stay control characters. */
const UPPER =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Bytes as windows-1252. Some releases of Node decode it as ISO-8859-1, with control characters for dashes, quotes and the euro. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return completeWindows1252(new TextDecoder("windows-1252").decode(bytes));
}

/** The same for a text that a TextDecoder made of such bytes. */
export function completeWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => UPPER.charAt(control.charCodeAt(0) - 0x80));
}

/** What looks like a character of UTF-8, overlong ones and halves of pairs too. */
const LIKE_UTF8 = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}/;
const NO_CHARACTER = /[\x81\x8d\x8f\x90\x9d]/;

/**
 * Are bytes that are no UTF-8 likely windows-1252? Not where some look like UTF-8 (then it is that, and damaged or meant to deceive),
 * and not where one is no character of windows-1252.
 */
export function seemsWindows1252(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return !LIKE_UTF8.test(text) && !NO_CHARACTER.test(text);
}
