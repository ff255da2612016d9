/**
 * Lines in which Markdown sees nothing but words, whatever stands in the lines around them: they begin with a letter, as no block
 * does, end without a blank, and hold no character that is markup, part of an address, or escaped by the printer.
 */
const PLAIN_LINE =
  /^\p{L}(?:[\p{L}\p{M}\p{N} .,;:?!()"'“”‘’„«»%°/…–—×=+#-]*[\p{L}\p{M}\p{N}.,;:?!()"'“”‘’„«»%°…–—×])?$/u;

/** The beginnings of addresses that Markdown links without brackets. */
const ADDRESS = /w\.|:\//i;

/** Whether a text has nothing but plain lines; empty lines are none. */
export function hasPlainLines(text: string): boolean {
  return !ADDRESS.test(text) && text.split("\n").every((line) => PLAIN_LINE.test(line));
}
