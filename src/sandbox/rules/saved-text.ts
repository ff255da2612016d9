/**
 * Text as a server keeps it: line ends are LF, blanks at the end of lines and of the whole are gone.
 * What a client reads back is therefore not always what it sent.
 */
export function savedText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trimEnd();
}

/** A title as a server keeps it: one line, no blanks around it. */
export function savedTitle(title: string): string {
  return title.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
}

/** Characters as people count them, not UTF-16 units. */
export function characters(text: string): number {
  return [...text].length;
}

/** Lines of a text; an empty text has none. */
export function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
