import { unescape as decodePercents } from "node:querystring";
import { type Key, NAMESPACES, type Namespace } from "../../src/core/model/key.js";
import { NAMESPACE_WORDS, titleKey } from "../wiki/namespaces.js";
import { type LinkTarget, numberKey, type ReferenceKind, type Span, type StepReference } from "./reference.js";

/** The addresses of a site; `SiteIdentity` fits. */
export interface SiteAddresses {
  /** Scheme, host and port: `https://site.example`. */
  readonly origin: string;
  /** Every host name of the site, lower case, without port; the origin's own is optional. */
  readonly hosts: readonly string[];
  /** Decides between `/c/Title` (default) and `/Device/Title` (iFixit) for categories. */
  readonly dialect?: "dozuki" | "ifixit" | "unknown";
}

const ORIGIN = /^(https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)(?::(\d*))?/i;

/**
 * The length of scheme and host of an address on the site, 0 for a site-relative one (`/Guide/…`),
 * undefined on another site. Ignores scheme and port, since old texts keep `http://` and old ports,
 * unless the origin names a port, which alone distinguishes two sites on one host, as on loopback.
 */
export function originLength(address: string, site: SiteAddresses): number | undefined {
  const found = ORIGIN.exec(address);
  if (found === null) return address.startsWith("/") ? 0 : undefined;
  return owns(site, hostIn(found)) ? found[0].length : undefined;
}

/** Whether both are one site, so that addresses of one are valid on the other. */
export function sameSite(source: SiteAddresses, target: SiteAddresses): boolean {
  return originLength(target.origin, source) !== undefined;
}

/** The origin without a path or trailing slash. */
export function originOf(site: SiteAddresses): string {
  return ORIGIN.exec(site.origin)?.[0] ?? site.origin;
}

interface Host {
  readonly name: string;
  /** Empty: none. */
  readonly port: string;
  readonly defaultPort: string;
}

function hostIn(found: RegExpExecArray): Host {
  const [, scheme = "https:", name = "", port = ""] = found;
  return { name: name.toLowerCase(), port, defaultPort: scheme.toLowerCase() === "http:" ? "80" : "443" };
}

function owns(site: SiteAddresses, host: Host): boolean {
  const found = ORIGIN.exec(site.origin);
  const own = found === null ? undefined : hostIn(found);
  if (own?.name !== host.name) return site.hosts.includes(host.name);
  return own.port === "" || own.port === (host.port || host.defaultPort);
}

interface AddressTarget extends LinkTarget {
  readonly origin: Span;
}

/** Reads an address at `start` of a text; spans count in that text. undefined: not on the site. */
export function readOwnAddress(address: string, start: number, site: SiteAddresses): AddressTarget | undefined {
  const length = originLength(address, site);
  if (length === undefined) return undefined;
  const origin = { start, end: start + length };
  const { kind, key, linkTarget } = readPath(segmentsOf(address, length, start)) ?? {
    kind: "page",
    key: null,
    linkTarget: { start: origin.end, end: start + address.length },
  };
  return { kind, key, linkTarget, steps: kind === "guide" ? stepsIn(address, start) : [], origin };
}

function segmentsOf(address: string, from: number, start: number): readonly Segment[] {
  const tail = address.slice(from).search(/[?#]/);
  const path = tail < 0 ? address.slice(from) : address.slice(from, from + tail);
  const segments: Segment[] = [];
  let at = start + from;
  for (const text of path.split("/")) {
    if (text !== "") segments.push({ text, start: at, end: at + text.length });
    at += text.length + 1;
  }
  return segments;
}

/** `#s38274`: the number is the step's id (wiki-syntax 2.3). Marks can follow it. */
function stepsIn(address: string, start: number): readonly StepReference[] {
  const hash = address.indexOf("#");
  const digits = hash < 0 ? undefined : STEP.exec(address.slice(hash))?.[1];
  if (digits === undefined) return [];
  const id = { start: start + hash + 2, end: start + hash + 2 + digits.length };
  return [{ key: numberKey("step", digits), id, start: start + hash, end: id.end }];
}

const STEP = /^#s(\d+)(?![\w-])/;

interface Segment extends Span {
  readonly text: string;
}

/** `linkTarget` covers the id or title in the path. */
interface PathTarget {
  readonly kind: ReferenceKind;
  readonly key: Key;
  readonly linkTarget: Span;
}

/** undefined: another page of the site. */
function readPath(segments: readonly Segment[]): PathTarget | undefined {
  return readIn(READERS, segments);
}

/** `rest` follows the segment that selects the reader. */
type Reader = (rest: readonly Segment[], word: string) => PathTarget | undefined;

const NUMBER = /^\d+$/;

/** Longer numbers are guids (api-facts 5.1). */
const MEDIA_ID = /^\d{1,15}$/;

/** First path segments of guides in the languages of the site (wiki-syntax 2.3). */
export const GUIDE_WORDS: readonly string[] = ["guide", "teardown", "anleitung", "tutoriel", "guía", "guida"];

/** First path segments of wiki pages; `namespaceOf` has their namespaces. */
export const WIKI_WORDS: readonly string[] = [...NAMESPACE_WORDS.keys(), "c"];

/** The namespace of a first path segment in lower case. */
export function namespaceOf(word: string): Namespace {
  return NAMESPACE_WORDS.get(word) ?? "CATEGORY";
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...GUIDE_WORDS.map((word): [string, Reader] => [word, readGuide]),
  ...WIKI_WORDS.map((word): [string, Reader] => [word, readWiki]),
  ["user", readPerson],
  ["team", readPerson],
  ["document", ([id]) => (id === undefined ? undefined : medium("document", id))],
  ["api", ([, ...rest]) => readIn(API_READERS, rest)],
]);

/** Below `/api/<version>/`. */
const API_READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["guides", readApiGuide],
  ["categories", (rest) => titled("CATEGORY", rest)],
  ["wikis", readApiWiki],
  ["media", readApiMedia],
]);

const API_MEDIA: ReadonlyMap<string, "image" | "video" | "document"> = new Map([
  ["images", "image"],
  ["videos", "video"],
  ["documents", "document"],
]);

function readIn(readers: ReadonlyMap<string, Reader>, segments: readonly Segment[]): PathTarget | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return undefined;
  // The site accepts /info/x for /Info/X (real, wiki-syntax 2.3).
  const word = decodePercents(first.text).toLowerCase();
  return readers.get(word)?.(rest, word);
}

/** `/Guide/<slug>/<id>[/<page>]`; a number after the word counts as an id, which must not stay. */
function readGuide([first, second]: readonly Segment[]): PathTarget | undefined {
  const id = [second, first].find((segment) => segment !== undefined && NUMBER.test(segment.text));
  return id === undefined ? undefined : guide(id);
}

function readWiki(rest: readonly Segment[], word: string): PathTarget | undefined {
  return titled(namespaceOf(word), rest);
}

/** `/User/<id>/<name>`: the title of a USER or TEAM wiki is its number (api-facts 8). */
function readPerson([id]: readonly Segment[], word: string): PathTarget | undefined {
  return id !== undefined && NUMBER.test(id.text) ? titled(word === "user" ? "USER" : "TEAM", [id]) : undefined;
}

/** A part of a guide (`/guides/12/tags`) is not a reference: its address stays on the old site. */
function readApiGuide([id, ...more]: readonly Segment[]): PathTarget | undefined {
  return id !== undefined && more.length === 0 && NUMBER.test(id.text) ? guide(id) : undefined;
}

function readApiWiki([space, ...title]: readonly Segment[]): PathTarget | undefined {
  const namespace = NAMESPACES.find((known) => known === space?.text.toUpperCase());
  return namespace === undefined ? undefined : titled(namespace, title);
}

function readApiMedia([folder, id]: readonly Segment[]): PathTarget | undefined {
  const kind = API_MEDIA.get(folder?.text ?? "");
  return kind === undefined || id === undefined ? undefined : medium(kind, id);
}

function guide(id: Segment): PathTarget {
  return { kind: "guide", key: numberKey("guide", id.text), linkTarget: id };
}

/** Media are addressed by number or by guid; a guid keeps every character. */
function medium(kind: "image" | "video" | "document", id: Segment): PathTarget {
  const key: Key = MEDIA_ID.test(id.text) ? numberKey(kind, id.text) : `${kind}/${decodePercents(id.text)}`;
  return { kind, key, linkTarget: id };
}

/** The rest of the path is the title: some titles contain a slash. */
function titled(namespace: Namespace, segments: readonly Segment[]): PathTarget | undefined {
  const key = titleKey(namespace, decodePercents(segments.map((segment) => segment.text).join("/")));
  const [first] = segments;
  const last = segments.at(-1);
  if (key === undefined || first === undefined || last === undefined) return undefined;
  return {
    kind: namespace === "CATEGORY" ? "category" : "wiki",
    key,
    linkTarget: { start: first.start, end: last.end },
  };
}
