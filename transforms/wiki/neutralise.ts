import type { TextIssue } from "./tree.js";
import { GUARD, type TextPlace, UNSAFE, type Unsafe } from "./unsafe.js";

/** Where a text is going to stand, and what is written right beside it. */
export interface TextSurroundings {
  readonly place: TextPlace;
  /** Default: nothing, the text begins its place. A line end is the same as nothing. */
  readonly before?: string;
  /** Default: nothing, the text ends its place. */
  readonly after?: string;
}

/**
 * Breaks up plain text that would be read as markup where it is going to stand. Each change gives an issue with the place in
 * `text`: the syntax has no escape, so that a change can be made invisible, but not undone (advice of wiki-syntax 8, point 6).
 * Addresses stay: the site makes links of them that say the same. Markers inside of one are broken up like others, which changes
 * where it leads; `transforms/settle` puts such an address between brackets before.
 */
export function neutralise(
  text: string,
  { place, before = "", after = "" }: TextSurroundings,
): { readonly text: string; readonly issues: readonly TextIssue[] } {
  const edits = editsOf(text, place, before.slice(-1).replace("\n", ""), after.slice(0, 1));
  let written = "";
  let at = 0;
  for (const { start, end, replacement } of edits) {
    written += text.slice(at, start) + replacement;
    at = end;
  }
  return { text: written + text.slice(at), issues: edits.map(issueOf) };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly unsafe: Unsafe;
}

/** Looks at the text with one character on either side: a mark may begin before it, and an edit lies inside of it. */
function editsOf(text: string, place: TextPlace, before: string, after: string): readonly Edit[] {
  const all = UNSAFE.filter(({ places }) => places.includes(place))
    .flatMap((unsafe) =>
      [...(before + text + after).matchAll(unsafe.pattern)].map((match) => editOf(match, unsafe, before)),
    )
    .filter((edit): edit is Edit => edit !== undefined && edit.end <= text.length)
    .sort((one, other) => one.start - other.start);
  const edits: Edit[] = [];
  for (const edit of all) if (edit.start >= (edits.at(-1)?.end ?? 0)) edits.push(edit);
  return edits;
}

/**
 * What begins in the character before the text is broken up where the text begins. What would only stand before that character
 * is none of the text's: it is not known to begin a line.
 */
function editOf({ index, 0: matched }: RegExpExecArray, unsafe: Unsafe, before: string): Edit | undefined {
  const start = index - before.length;
  if (start >= 0) return { start, end: start + matched.length, replacement: unsafe.written(matched), unsafe };
  return matched === "" ? undefined : { start: 0, end: 0, replacement: GUARD, unsafe };
}

function issueOf({ start, end, unsafe: { level, means } }: Edit): TextIssue {
  const message = `Plain text would be read as ${means}; it was ${level === "loss" ? "replaced" : "broken up"}.`;
  return { code: "neutralised", level, message, start, end };
}
