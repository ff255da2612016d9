import { trimmed } from "./blanks.js";
import type { Head } from "./draft.js";
import { readOwnAddress } from "./own-address.js";
import { type Goal, numberKey, type Span } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";
import { readWikiTitle } from "./wiki-title.js";

/**
 * Reads the head of a macro or wiki link where the tree sees none: in a label, across the end of a block, with blanks that the
 * tree does not take. Blanks around the first pipe are accepted and letter case is not looked at: what the site might read in
 * some way must not keep an old id.
 */
export function readLooseHead(text: string, at: number, site: SiteAddresses): Head | undefined {
  if (!BEGINNING.has(text.charAt(at + 1).toLowerCase())) return undefined;
  const single = readSingle(text, at, site);
  // `[[guide|12|x]]` is a macro with one bracket too many: read as a page named "guide" it would keep its id.
  if (single !== undefined || readSingle(text, at + 1, site) !== undefined) return single;
  return readWiki(text, at);
}

/** The first characters behind the bracket: most brackets in a text begin nothing, and are not looked at twice. */
const BEGINNING: ReadonlySet<string> = new Set("gidsvpl/[");

// All patterns are sticky and hold no two neighbouring repetitions that take the same character.
const NUMBER = /\[(guide|image|document|video|summary_image)\s*\|\s*(\d+)\s*(?=[|\]])/iy;
const PRODUCT = /\[product\s*\|([^|[\]]+)(?=[|\]])/iy;
/** An address inside the address is a reference of its own: the head ends before it. */
const LINK = /\[(?:link|video)\s*\|\s*((?:https?:)?\/(?:(?!https?:\/\/)[^\s|[\]])*)(?=[^\s|[\]]*\s*[|\]])/iy;
/** Without a keyword a site-relative address needs a label (the vendor writes one always): `[/quote]` is no link. */
const LABELLED = /\[(\/(?:(?!https?:\/\/)[^\s|[\]])*)(?=[^\s|[\]]*\s*\|)/iy;
/** Of `[[https://old.example/x|label]]` the inner brackets are a link. */
const WIKI = /\[\[(?!(?:https?:)?\/)([^|[\]\n]+)(?=\||\]\])/iy;

function readSingle(text: string, at: number, site: SiteAddresses): Head | undefined {
  return readNumber(text, at) ?? readProduct(text, at) ?? readLink(text, at, site);
}

function readWiki(text: string, at: number): Head | undefined {
  const found = match(WIKI, text, at);
  if (found === undefined) return undefined;
  const [whole, title = ""] = found;
  const goal = readWikiTitle(title, at + 2);
  return goal === undefined ? undefined : headOf("wiki-link", goal, at, at + whole.length);
}

const KINDS = {
  guide: "guide",
  image: "image",
  document: "document",
  video: "video",
  summary_image: "image",
} as const;

function readNumber(text: string, at: number): Head | undefined {
  const found = match(NUMBER, text, at);
  if (found === undefined) return undefined;
  const [whole, keyword = "", digits = ""] = found;
  const word = keyword.toLowerCase() as keyof typeof KINDS;
  const kind = KINDS[word];
  const start = at + whole.lastIndexOf(digits);
  const goal = {
    kind,
    key: numberKey(kind, digits),
    goal: { start, end: start + digits.length },
    steps: [],
    origin: null,
  };
  return headOf(word === "summary_image" ? "metadata" : "macro", goal, at, at + whole.length);
}

function readProduct(text: string, at: number): Head | undefined {
  const found = match(PRODUCT, text, at);
  if (found === undefined) return undefined;
  const [whole, code = ""] = found;
  const body = at + whole.length;
  const goal = trimmed(code, body - code.length);
  // An address in a code's place is a reference of its own, and two may not share it.
  if (goal.start === goal.end || code.includes("://")) return undefined;
  return headOf("macro", { kind: "product", key: null, goal, steps: [], origin: null }, at, body);
}

function readLink(text: string, at: number, site: SiteAddresses): Head | undefined {
  const found = match(LINK, text, at) ?? match(LABELLED, text, at);
  if (found === undefined) return undefined;
  const [whole, address = ""] = found;
  const start = at + whole.indexOf(address);
  const goal = readOwnAddress(address, start, site);
  if (goal === undefined) return undefined;
  return headOf("link", goal, at, at + whole.length, { start, end: start + address.length });
}

function headOf(
  form: Head["form"],
  from: Goal,
  at: number,
  body: number,
  head: Span = { start: at + 1, end: body },
): Head {
  const { kind, key, goal, steps, origin } = from;
  return { form, kind, key, goal, steps, origin, head, body };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
