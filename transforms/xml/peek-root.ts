import { decodeStart } from "./decode-bytes.js";
import { decodeValue } from "./decode-references.js";

/** A root element as far as the first characters of a file show it; nothing is checked. */
export interface PeekedRoot {
  /** The local name. */
  readonly name: string;
  /** Without prefixes. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Enough for a declaration, a licence in a comment and a root with its namespaces. */
export const PEEKED_BYTES = 16_384;

const BLANK = /[ \t\n]+/y;
const TAG = /<(?:[^\s<>/=:]+:)?([^\s<>/=:!?]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /\s(?:[^\s<>/=:]+:)?([^\s<>/=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The root's name and attributes without reading the file; undefined where the beginning doesn't show them. */
export function peekRoot(bytes: Uint8Array): PeekedRoot | undefined {
  const text = decodeStart(bytes, PEEKED_BYTES);
  TAG.lastIndex = rootStart(text);
  const found = TAG.exec(text);
  if (found === null) return undefined;
  const [, name = "", attributes = ""] = found;
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, key = "", double, single]) => [key, decodeValue(double ?? single ?? "")] as const,
  );
  return { name, attributes: new Map(pairs) };
}

/** Behind white space, comments, instructions. */
function rootStart(text: string): number {
  let at = 0;
  for (;;) {
    BLANK.lastIndex = at;
    if (BLANK.test(text)) at = BLANK.lastIndex;
    const aside = ASIDES.find(({ start }) => text.startsWith(start, at));
    if (aside === undefined) return at;
    const end = text.indexOf(aside.end, at + aside.start.length);
    if (end < 0) return text.length;
    at = end + aside.end.length;
  }
}

const ASIDES = [
  { start: "<!--", end: "-->" },
  { start: "<?", end: "?>" },
] as const;
