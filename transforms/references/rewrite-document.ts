import type { Key } from "../../src/core/model/key.js";
import type { JsonObject } from "../../src/core/util/json.js";
import { isObject } from "../../src/core/util/json.js";
import { type DocumentMark, type DocumentNode, NODE_KINDS } from "../document-tree/vocabulary.js";
import type { Dangling, RewriteReport, SiteOptions } from "./rewrite-options.js";
import {
  addressReference,
  numberReference,
  type RewrittenValue,
  rewriteReferences,
  rewriteValue,
} from "./rewrite-references.js";
import type { SiteAddresses } from "./site-addresses.js";

export interface RewrittenDocument extends RewriteReport {
  readonly tree: DocumentNode;
}

/**
 * A document tree of either vocabulary with its references pointed home, where there is nothing but
 * the tree: a text that has wiki syntax is rewritten there. References are the addresses of links
 * and videos, images, and the macros that stand in texts since the trees have no nodes for them
 * (wiki-syntax 4.2). What has none is the very same object. An image that is not at the target
 * becomes words, since its number is all that it has.
 */
export function rewriteDocument(tree: DocumentNode, options: SiteOptions): RewrittenDocument {
  const collector = collectorOf(options);
  const rewritten = rewriteNode(tree, collector);
  return { tree: rewritten, missing: [...new Set(collector.missing)], dangling: collector.dangling };
}

function rewriteNode(node: DocumentNode, collector: Collector): DocumentNode {
  const kind = NODE_KINDS.get(node.type);
  if (kind === "codeBlock") return node;
  if (kind === "image") return rewriteImage(node, collector);
  const { text, marks, attrs, content } = node;
  return changed(node, {
    ...(typeof text === "string" ? { text: rewriteWords(text, collector) } : {}),
    ...(!Array.isArray(marks) ? {} : { marks: each(marks, (mark) => rewriteMark(mark, collector)) }),
    ...(isObject(attrs) ? { attrs: rewriteAttributes(attrs, collector) } : {}),
    ...(!Array.isArray(content) ? {} : { content: each(content, (child) => rewriteNode(child, collector)) }),
  });
}

function rewriteImage(node: DocumentNode, collector: Collector): DocumentNode {
  const { attrs } = node;
  const name = isObject(attrs) && "imageId" in attrs ? "imageId" : "imageid";
  const id = isObject(attrs) ? String(attrs[name] ?? "").trim() : "";
  const value = rewriteNumber("image", id, collector);
  if (value === null)
    return { type: "text", text: `image ${id}`, ...(node.marks === undefined ? {} : { marks: node.marks }) };
  const marks = node.marks === undefined ? {} : { marks: each(node.marks, (mark) => rewriteMark(mark, collector)) };
  if (!isObject(attrs)) return changed(node, marks);
  const written = value === id ? attrs : { ...attrs, [name]: typeof attrs[name] === "number" ? Number(value) : value };
  return changed(node, { ...marks, attrs: rewriteAddresses(written, ["src"], collector) });
}

/** A link that may not stay leaves its words. */
function rewriteMark(mark: DocumentMark, collector: Collector): DocumentMark | undefined {
  const href = mark.attrs?.["href"];
  if (mark.type !== "link" || typeof href !== "string") return mark;
  const value = rewriteAddress(href, collector);
  if (value === null) return undefined;
  return value === href ? mark : { ...mark, attrs: { ...mark.attrs, href: value } };
}

/** A video's paragraph says again what its macro says; a quote's name is a node of its own. */
function rewriteAttributes(attrs: JsonObject, collector: Collector): JsonObject {
  const rewritten = rewriteAddresses(attrs, ["url", "poster"], collector);
  const { attribute } = attrs;
  if (typeof attribute === "string") return changed(rewritten, { attribute: rewriteWords(attribute, collector) });
  return isNode(attribute) ? changed(rewritten, { attribute: rewriteNode(attribute, collector) }) : rewritten;
}

function isNode(value: unknown): value is DocumentNode {
  return isObject(value) && typeof value["type"] === "string";
}

function rewriteAddresses(attrs: JsonObject, names: readonly string[], collector: Collector): JsonObject {
  const changes = names.flatMap((name) => {
    const address = attrs[name];
    if (typeof address !== "string" || address === "") return [];
    const isVideo = name === "url" && /^\d+$/.test(address);
    const value = isVideo ? rewriteNumber("video", address, collector) : rewriteAddress(address, collector);
    return [[name, value ?? ""] as const];
  });
  return changed(attrs, Object.fromEntries(changes));
}

/** The very same list where nothing changes; what becomes undefined is left out. */
function each<T>(list: readonly T[], rewrite: (one: T) => T | undefined): readonly T[] {
  const rewritten = list.flatMap((one) => rewrite(one) ?? []);
  return rewritten.length === list.length && rewritten.every((one, index) => one === list[index]) ? list : rewritten;
}

/** The very same object where nothing changes. */
function changed<T extends object>(value: T, changes: Partial<T>): T {
  const isSame = Object.entries(changes).every(([name, part]) => value[name as keyof T] === part);
  return isSame ? value : { ...value, ...changes };
}

/** What the rewriting of many values could not point home, kept on the way through them. */
interface Collector {
  readonly options: SiteOptions;
  readonly missing: Key[];
  readonly dangling: Dangling[];
}

function collectorOf(options: SiteOptions): Collector {
  return { options, missing: [], dangling: [] };
}

/** Words that may hold macros: as in a line, since what looks like a block in them is text. */
function rewriteWords(text: string, collector: Collector): string {
  const { text: written, missing, dangling } = rewriteReferences(text, { ...collector.options, context: "line" });
  collect(collector, { value: written, missing, dangling });
  return written;
}

/** null: no link may stay. */
function rewriteAddress(address: string, collector: Collector): string | null {
  const reference = addressReference(address, collector.options.source);
  return reference === undefined ? address : collect(collector, rewriteValue(address, reference, collector.options));
}

/** null: the number may not stay. */
function rewriteNumber(kind: "image" | "video", digits: string, collector: Collector): string | null {
  const reference = numberReference(kind, digits);
  return reference === undefined ? digits : collect(collector, rewriteValue(digits, reference, collector.options));
}

function collect({ missing, dangling }: Collector, rewritten: RewrittenValue): string | null {
  missing.push(...rewritten.missing);
  dangling.push(...rewritten.dangling);
  return rewritten.value;
}

/**
 * The keys that a document tree of either vocabulary refers to, each once: all that a rewrite would
 * wait for.
 */
export function documentReferences(tree: DocumentNode, site: SiteAddresses): readonly Key[] {
  return rewriteDocument(tree, { source: site, target: site, resolve: () => ({ later: true }) }).missing;
}
