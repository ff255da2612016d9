import type { Namespace } from "../../src/model/key.js";
import { addressHead, type ForeignHead, type Head, headOf } from "./head.js";
import { NAMESPACE_WORDS, titleKey } from "./namespaces.js";
import { readOwnAddress } from "./own-address.js";
import { numberKey, type Span } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";

/** Reads what begins with the single bracket at `at`; undefined when it is no macro that refers to anything. */
export function readMacroHead(text: string, at: number, site: SiteAddresses): Head | ForeignHead | undefined {
  return READERS.get(text.charAt(at + 1).toLowerCase())?.(text, at, site);
}

type Reader = (text: string, at: number, site: SiteAddresses) => Head | ForeignHead | undefined;

/** By the first character after the bracket: most brackets in a text begin nothing, and are not looked at twice. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["g", readNumberMacro],
  ["i", readNumberMacro],
  ["d", readNumberMacro],
  ["s", readNumberMacro],
  ["p", readProduct],
  ["v", (text, at, site) => readNumberMacro(text, at) ?? readLink(text, at, site)],
  ["l", readLink],
  ["h", readLink],
  ["/", readLink],
]);

// Blanks around the first pipe are accepted and letter case is not looked at: a macro that the site might read must not
// keep an old id. All patterns are sticky and hold no two neighbouring repetitions that take the same character.
const NUMBER_MACRO = /\[(guide|image|document|video|summary_image)\s*\|\s*(\d+)\s*(?=[|\]])/iy;
const PRODUCT = /\[product\s*\|([^|[\]]+)(?=[|\]])/iy;
const LINK = /\[(?:(?:link|video)\s*\|\s*)?((?:https?:)?\/[^\s|[\]]*)\s*(?=[|\]])/iy;
const WIKI_LINK = /\[\[([^|[\]\n]+)(?=\||\]\])/y;

const MACRO_KINDS = {
  guide: "guide",
  image: "image",
  document: "document",
  video: "video",
  summary_image: "image",
} as const;

/** Reads `[[Title#Section`; the title may begin with a namespace, and any other colon belongs to it. */
export function readWikiHead(text: string, at: number): Head | undefined {
  const inner = match(WIKI_LINK, text, at)?.[1];
  if (inner === undefined) return undefined;
  const body = at + 2 + inner.length;
  const hash = inner.indexOf("#");
  const named = hash < 0 ? inner : inner.slice(0, hash);
  const colon = named.indexOf(":");
  const namespace = colon < 0 ? undefined : NAMESPACE_WORDS.get(named.slice(0, colon).trim().toLowerCase());
  return wikiHead(namespace, at, body, named, colon + 1) ?? wikiHead("WIKI", at, body, named, 0);
}

function wikiHead(
  namespace: Namespace | undefined,
  at: number,
  body: number,
  named: string,
  from: number,
): Head | undefined {
  const written = named.slice(from);
  const key = namespace === undefined ? undefined : titleKey(namespace, written);
  if (key === undefined) return undefined;
  const kind = namespace === "CATEGORY" ? "category" : "wiki";
  return headOf("wiki-link", kind, key, trimmed(written, at + 2 + from), at, body);
}

function readNumberMacro(text: string, at: number): Head | undefined {
  const found = match(NUMBER_MACRO, text, at);
  if (found === undefined) return undefined;
  const [whole, keyword = "", digits = ""] = found;
  const word = keyword.toLowerCase() as keyof typeof MACRO_KINDS;
  const kind = MACRO_KINDS[word];
  const start = at + whole.lastIndexOf(digits);
  const goal = { start, end: start + digits.length };
  const form = word === "summary_image" ? "metadata" : "macro";
  return headOf(form, kind, numberKey(kind, digits), goal, at, at + whole.length);
}

function readProduct(text: string, at: number): Head | undefined {
  const found = match(PRODUCT, text, at);
  if (found === undefined) return undefined;
  const [whole, code = ""] = found;
  const body = at + whole.length;
  const goal = trimmed(code, body - code.length);
  return goal.start === goal.end ? undefined : headOf("macro", "product", null, goal, at, body);
}

/** Without a keyword a site-relative address needs a label (the vendor writes one always): `[/quote]` is no link. */
function readLink(text: string, at: number, site: SiteAddresses): Head | ForeignHead | undefined {
  const found = match(LINK, text, at);
  if (found === undefined) return undefined;
  const [whole, address = ""] = found;
  const body = at + whole.length;
  if (whole.startsWith("[/") && text[body] === "]") return undefined;
  const own = readOwnAddress(address, at + whole.indexOf(address), site);
  return own === undefined ? { form: "foreign", body } : addressHead("link", own, body);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Where the words stand in a written stretch that begins at `at`. */
function trimmed(written: string, at: number): Span {
  const start = at + written.length - written.trimStart().length;
  return { start, end: start + written.trim().length };
}
