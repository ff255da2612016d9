import { type Mark, marksOf } from "./marks.js";

/** A piece of text that is never cut inside. */
export interface Token {
  readonly kind: "text" | "space" | "atom" | "mark";
  readonly text: string;
  /** Its position in the whole text. */
  readonly at: number;
  /** What begins with it: a word, a character as readers see them, or nothing (a combining sign behind a marker). */
  readonly begins: "word" | "character" | "nothing";
  /** The marks that stand open before it, in the order in which they were opened. */
  readonly open: readonly Mark[];
  readonly opens: readonly Mark[];
  readonly closes: readonly Mark[];
}

/** A token before its marks are known. */
export type RawToken = Pick<Token, "kind" | "text" | "at" | "begins">;

/**
 * Pairs the markers block by block: a marker without a partner is plain text (wiki-syntax 7).
 *
 *     1/2'' of '''all''' rods
 *        ^^ no partner, text
 */
export function pairMarks(raw: readonly RawToken[]): readonly Token[] {
  const paired = partnersOf(raw);
  let open: readonly Mark[] = [];
  return raw.map((token, index) => {
    const marks = token.kind === "mark" ? marksOf(token.text).filter((mark) => paired.has(`${index} ${mark}`)) : [];
    const closes = marks.filter((mark) => open.includes(mark));
    const opens = marks.filter((mark) => !open.includes(mark));
    const kind = token.kind === "mark" && marks.length === 0 ? "text" : token.kind;
    const before = open;
    if (marks.length > 0) open = [...open.filter((mark) => !closes.includes(mark)), ...opens];
    return { ...token, kind, open: before, opens, closes };
  });
}

/** `index mark` of every marker that has a partner. */
function partnersOf(raw: readonly RawToken[]): ReadonlySet<string> {
  const paired = new Set<string>();
  let waiting = new Map<Mark, number>();
  for (const [index, token] of raw.entries()) {
    if (endsBlock(raw, index)) waiting = new Map();
    if (token.kind !== "mark") continue;
    for (const mark of marksOf(token.text)) {
      const partner = waiting.get(mark);
      if (partner === undefined) waiting.set(mark, index);
      else paired.add(`${partner} ${mark}`).add(`${index} ${mark}`);
      if (partner !== undefined) waiting.delete(mark);
    }
  }
  return paired;
}

/** A paragraph ends at a blank line, a list item and a heading at the end of their line. */
export function endsBlock(tokens: readonly RawToken[], index: number): boolean {
  if (!isLineEnd(tokens[index])) return false;
  let start = index;
  while (start > 0 && !isLineEnd(tokens[start - 1])) start -= 1;
  let next = index + 1;
  while (tokens[next]?.kind === "space" && !isLineEnd(tokens[next])) next += 1;
  return isLineEnd(tokens[next]) || isBlockSign(tokens[next]) || isBlockSign(tokens[start]);
}

/** A line feed, alone or behind a carriage return. */
export function isLineEnd(token: RawToken | undefined): boolean {
  return token?.text.includes("\n") === true && token.kind === "space";
}

/** What begins a list item or a heading. */
function isBlockSign(token: RawToken | undefined): boolean {
  return token !== undefined && /^[*#=]/.test(token.text);
}
