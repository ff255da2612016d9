import { startsLine } from "../wiki/parse/characters.js";
import { parse } from "../wiki/parse.js";
import { childrenOf, type Node } from "../wiki/read-tree.js";
import type { CodeBlock, Position, TextContext, Tree } from "../wiki/tree.js";
import {
  addReference,
  closeBracket,
  type Finding,
  findingOf,
  type Head,
  isReferring,
  type ReferringNode,
  readNode,
  readWikiTitle,
} from "./read-node.js";
import { type LinkTarget, numberKey, type Reference, type Span, trimmed } from "./reference.js";
import { readOwnAddress, type SiteAddresses } from "./site-addresses.js";

/**
 * The references in a text, in order of appearance. Accepts any string in linear time.
 * Includes the links and media of the tree, and macros that the tree has as text but the site might
 * read: in a label, across the end of a block, in uncertain code. These are `loose` and count,
 * since their id must not stay. Only without any `]` after it is a macro plain text.
 * @param site the site of the text: addresses of other sites are not references
 */
export function references(text: string, site: SiteAddresses, context: TextContext): readonly Reference[] {
  return mayRefer(text) ? findReferences(text, parse(text, { context }).tree, site) : [];
}

export function findReferences(text: string, tree: Tree, site: SiteAddresses): readonly Reference[] {
  const finding = findingOf(text, site);
  let at = 0;
  for (const place of placesOf(tree)) {
    at = readPlace(finding, place, readText(finding, at, place.position.start));
  }
  readText(finding, at, text.length);
  return finding.found;
}

/** Every reference has a bracket or is an address; most texts have neither and need no parsing. */
export function mayRefer(text: string): boolean {
  return text.includes("[") || text.includes("://");
}

/** Reads a node after the text between `at` and it. */
function readPlace(finding: Finding, { node, position }: NodePlace, at: number): number {
  if (node.type !== "codeBlock") return readNode(finding, node, position);
  return isSurelyCode(finding.text, node, position) ? position.end : at;
}

// Code in every meaning, in the form of the vendor's serializer (wiki-syntax 5); its content is
// text. Other apparent code is read as markup: at worst an example shows a new id, but no old id
// stays. Double backticks are markup, since the vendor writes links inside them.
const CODE_OPEN = /^\[code\][ \t]*\r?\n$/;
const CODE_CLOSE = /^\r?\n\[\/code\]$/;

function isSurelyCode(text: string, { open, value, close }: CodeBlock, { start }: Position): boolean {
  return startsLine(text, start) && CODE_OPEN.test(open) && (CODE_CLOSE.test(close) || value === "");
}

const STEP = /\|\s*stepid\s*=\s*(\d+)\s*(?=[|\]])/iy;

/** Adds the step after a pipe to the nearest open guide macro. Returns the next place. */
function readStep({ text, guides, depth }: Finding, at: number): number {
  const guide = guides.at(-1);
  STEP.lastIndex = at;
  const found = guide === undefined ? null : STEP.exec(text);
  if (guide === undefined || found === null) return at + 1;
  const [whole, digits = ""] = found;
  const start = at + whole.lastIndexOf(digits);
  const end = at + whole.length;
  // Inside of another bracket the pipe stays, or the text on both sides could become a macro.
  const from = depth > guide.depth ? at + 1 : at;
  guide.draft.steps.push({
    key: numberKey("step", digits),
    id: { start, end: start + digits.length },
    start: from,
    end,
  });
  if (guide.draft.loose) guide.draft.end = end;
  return end;
}

/** Reads brackets, pipes and addresses between two nodes. Returns the next place. */
function readText(finding: Finding, from: number, to: number): number {
  let at = from;
  while (at < to) {
    EVENTS.lastIndex = at;
    const event = EVENTS.exec(finding.text);
    if (event === null || event.index >= to) return to;
    at = (HANDLERS.get(event[0]) ?? readAddress)(finding, event.index);
  }
  return at;
}

const EVENTS = /[[\]|]|https?:\/\//gi;

/** Returns a place after `at`. */
type Handler = (finding: Finding, at: number) => number;

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["[", readBracket],
  ["]", readClose],
  ["|", readStep],
]);

function readBracket(finding: Finding, at: number): number {
  const { text, site, lastClose } = finding;
  const head = at < lastClose ? readLooseHead(text, at, site) : undefined;
  const node = head === undefined ? undefined : completeNode(text, at, head.body);
  if (node?.position !== undefined) return readNode(finding, node, { start: at, end: at + node.position.end });
  if (head === undefined || !isLoose(finding, head, at)) {
    finding.depth += 1;
    return at + 1;
  }
  addReference(finding, at, head);
  return head.body;
}

/** A wiki link needs two brackets to close; an address with a scheme is found as an address. */
function isLoose({ text, lastDoubleClose }: Finding, { form, origin }: Head, at: number): boolean {
  if (form === "wiki-link") return at < lastDoubleClose;
  return origin === null || text.charAt(origin.start) === "/";
}

/** Reads a macro of words only, such as an image in a step line or in code. */
function completeNode(text: string, at: number, body: number): ReferringNode | undefined {
  NEXT_BRACKET.lastIndex = body;
  NEXT_BRACKET.test(text);
  const end = NEXT_BRACKET.lastIndex;
  if (text.charAt(end - 1) === "[") return undefined;
  const written = text.slice(at, end);
  const [block] = parse(written, { context: "page" }).tree.children;
  const node = block?.type === "paragraph" ? block.children[0] : block?.type === "embed" ? block.child : block;
  return node !== undefined && isReferring(node) && node.position?.start === 0 ? node : undefined;
}

const NEXT_BRACKET = /\[|\]\]?/g;

function readClose(finding: Finding, at: number): number {
  closeBracket(finding);
  return at + 1;
}

function readAddress(finding: Finding, at: number): number {
  const { text, site } = finding;
  const { address, end } = bareUrl(text, at);
  const own = readOwnAddress(address, at, site);
  if (own === undefined) return end;
  const { kind, key, linkTarget, steps, origin } = own;
  addReference(finding, at, { form: "url", kind, key, linkTarget, steps, origin, head: { start: at, end }, body: end });
  return end;
}

/**
 * Reads the head of a macro or wiki link that the tree does not have: in a label, across the end of
 * a block, with unusual spaces. Ignores letter case and spaces around the first pipe, so that no
 * text that the site might read keeps an old id.
 */
function readLooseHead(text: string, at: number, site: SiteAddresses): Head | undefined {
  if (!BEGINNING.has(text.charAt(at + 1).toLowerCase())) return undefined;
  const single = readSingle(text, at, site);
  // `[[guide|12|x]]` is a macro with a surplus bracket: as a page named "guide" it would keep its
  // id.
  if (single !== undefined || readSingle(text, at + 1, site) !== undefined) return single;
  return readWiki(text, at);
}

/** First characters after a bracket; most brackets begin nothing and are skipped. */
const BEGINNING: ReadonlySet<string> = new Set("gidsvpl/[");

// All patterns are sticky; no two neighbouring repetitions take the same character.
const NUMBER = /\[(guide|image|document|video|summary_image)\s*\|\s*(\d+)\s*(?=[|\]])/iy;
const PRODUCT = /\[product\s*\|([^|[\]]+)(?=[|\]])/iy;
/** An address inside the address is a reference of its own: the head ends before it. */
const LINK = /\[(?:link|video)\s*\|\s*((?:https?:)?\/(?:(?!https?:\/\/)[^\s|[\]])*)(?=[^\s|[\]]*\s*[|\]])/iy;
/** A site-relative address needs a label, which the vendor writes: `[/quote]` is not a link. */
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
  const linkTarget = readWikiTitle(title, at + 2);
  return linkTarget === undefined ? undefined : headOf("wiki-link", linkTarget, at, at + whole.length);
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
  const linkTarget = {
    kind,
    key: numberKey(kind, digits),
    linkTarget: { start, end: start + digits.length },
    steps: [],
    origin: null,
  };
  return headOf(word === "summary_image" ? "metadata" : "macro", linkTarget, at, at + whole.length);
}

function readProduct(text: string, at: number): Head | undefined {
  const found = match(PRODUCT, text, at);
  if (found === undefined) return undefined;
  const [whole, code = ""] = found;
  const body = at + whole.length;
  const linkTarget = trimmed(code, body - code.length);
  // An address in place of a code is a reference of its own; two references cannot share it.
  if (linkTarget.start === linkTarget.end || code.includes("://")) return undefined;
  return headOf("macro", { kind: "product", key: null, linkTarget, steps: [], origin: null }, at, body);
}

function readLink(text: string, at: number, site: SiteAddresses): Head | undefined {
  const found = match(LINK, text, at) ?? match(LABELLED, text, at);
  if (found === undefined) return undefined;
  const [whole, address = ""] = found;
  const start = at + whole.indexOf(address);
  const linkTarget = readOwnAddress(address, start, site);
  if (linkTarget === undefined) return undefined;
  return headOf("link", linkTarget, at, at + whole.length, { start, end: start + address.length });
}

function headOf(
  form: Head["form"],
  from: LinkTarget,
  at: number,
  body: number,
  head: Span = { start: at + 1, end: body },
): Head {
  const { kind, key, linkTarget, steps, origin } = from;
  return { form, kind, key, linkTarget, steps, origin, head, body };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

interface NodePlace {
  readonly node: ReferringNode | CodeBlock;
  readonly position: Position;
}

/** In text order; they do not nest, since labels have no links. */
export function placesOf(tree: Tree): readonly NodePlace[] {
  const places: NodePlace[] = [];
  collect(tree, places);
  return places;
}

function collect(node: Node, places: NodePlace[]): void {
  if (node.type === "codeBlock" || isReferring(node)) {
    if (node.position !== undefined) places.push({ node, position: node.position });
    return;
  }
  for (const child of childrenOf(node)) collect(child, places);
}

/**
 * The address at `at` in running text. It ends at a blank (real, wiki-syntax 3.3), bracket, pipe,
 * quote or paired mark; closing punctuation is not part of it (advice of wiki-syntax 7).
 */
export function bareUrl(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly address: string } {
  // Stops at the first mark, so that the text up to the next space is not read again for each
  // address.
  END.lastIndex = at;
  const run = text.slice(at, END.exec(text)?.index ?? text.length);
  const address = withoutPunctuation(run);
  return { start: at, end: at + address.length, address };
}

const END = /[\s|[\]<>"]|''|\+\+|~~|\^\^|,,|``/g;
const PUNCTUATION = new Set(".,;:!?'*”’»…");

/** Drops a closing parenthesis that the URL does not open: `…/Saw)`, but `…/Saw_(tool)`. */
function withoutPunctuation(run: string): string {
  const opened = run.includes("(");
  let end = run.length;
  while (end > 0 && isOutside(run.charAt(end - 1), opened)) end -= 1;
  return run.slice(0, end);
}

function isOutside(character: string, opened: boolean): boolean {
  return PUNCTUATION.has(character) || (character === ")" && !opened);
}
