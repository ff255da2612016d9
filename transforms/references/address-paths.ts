import { unescape as decodePercents } from "node:querystring";
import { type Key, NAMESPACES, type Namespace } from "../../src/core/model/key.js";
import { NAMESPACE_WORDS, titleKey } from "../wiki/namespaces.js";
import { numberKey, type ReferenceKind, type Span } from "./reference.js";

/** One part of a path and where it stands. */
export interface Segment extends Span {
  readonly text: string;
}

/** What a path names; `goal` covers the id or title in it. */
export interface PathGoal {
  readonly kind: ReferenceKind;
  readonly key: Key;
  readonly goal: Span;
}

/** What the path of an address on the site names; undefined for every other page of the site. */
export function readPath(segments: readonly Segment[]): PathGoal | undefined {
  return readIn(READERS, segments);
}

/** `rest` follows the segment that the reader was found by. */
type Reader = (rest: readonly Segment[], word: string) => PathGoal | undefined;

const NUMBER = /^\d+$/;

/** Longer numbers are guids (api-facts 5.1). */
const MEDIA_ID = /^\d{1,15}$/;

/** First path segments of guides in the languages of the site (wiki-syntax 2.3). */
export const GUIDE_WORDS: readonly string[] = ["guide", "teardown", "anleitung", "tutoriel", "guía", "guida"];

/** First path segments of wiki pages; `namespaceOf` says which. */
export const WIKI_WORDS: readonly string[] = [...NAMESPACE_WORDS.keys(), "c"];

/** The namespace of the pages behind a first path segment in lower case. */
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

function readIn(readers: ReadonlyMap<string, Reader>, segments: readonly Segment[]): PathGoal | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return undefined;
  // People type /info/x as well as /Info/X (real, wiki-syntax 2.3).
  const word = decodePercents(first.text).toLowerCase();
  return readers.get(word)?.(rest, word);
}

/** `/Guide/<slug>/<id>[/<page>]`; a number right after the word is read as an id too, since it must not stay one that hits a stranger. */
function readGuide([first, second]: readonly Segment[]): PathGoal | undefined {
  const id = [second, first].find((segment) => segment !== undefined && NUMBER.test(segment.text));
  return id === undefined ? undefined : guide(id);
}

function readWiki(rest: readonly Segment[], word: string): PathGoal | undefined {
  return titled(namespaceOf(word), rest);
}

/** `/User/<id>/<name>`: the title of a USER or TEAM wiki is its number (api-facts 8). */
function readPerson([id]: readonly Segment[], word: string): PathGoal | undefined {
  return id !== undefined && NUMBER.test(id.text) ? titled(word === "user" ? "USER" : "TEAM", [id]) : undefined;
}

/** Something inside a guide (`/guides/12/tags`) is no reference to it: such an address keeps pointing to the old site. */
function readApiGuide([id, ...more]: readonly Segment[]): PathGoal | undefined {
  return id !== undefined && more.length === 0 && NUMBER.test(id.text) ? guide(id) : undefined;
}

function readApiWiki([space, ...title]: readonly Segment[]): PathGoal | undefined {
  const namespace = NAMESPACES.find((known) => known === space?.text.toUpperCase());
  return namespace === undefined ? undefined : titled(namespace, title);
}

function readApiMedia([folder, id]: readonly Segment[]): PathGoal | undefined {
  const kind = API_MEDIA.get(folder?.text ?? "");
  return kind === undefined || id === undefined ? undefined : medium(kind, id);
}

function guide(id: Segment): PathGoal {
  return { kind: "guide", key: numberKey("guide", id.text), goal: id };
}

/** Media are addressed by number or by guid; a guid keeps every character. */
function medium(kind: "image" | "video" | "document", id: Segment): PathGoal {
  const key: Key = MEDIA_ID.test(id.text) ? numberKey(kind, id.text) : `${kind}/${decodePercents(id.text)}`;
  return { kind, key, goal: id };
}

/** All that follows is the title: some titles hold a slash. */
function titled(namespace: Namespace, segments: readonly Segment[]): PathGoal | undefined {
  const key = titleKey(namespace, decodePercents(segments.map((segment) => segment.text).join("/")));
  const [first] = segments;
  const last = segments.at(-1);
  if (key === undefined || first === undefined || last === undefined) return undefined;
  return { kind: namespace === "CATEGORY" ? "category" : "wiki", key, goal: { start: first.start, end: last.end } };
}
