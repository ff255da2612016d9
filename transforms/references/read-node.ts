import type { Namespace } from "../../src/core/model/key.js";
import { NAMESPACE_WORDS, titleKey } from "../wiki/namespaces.js";
import { skipSpace } from "../wiki/parse/characters.js";
import type { Node } from "../wiki/read-tree.js";
import type { Embed, Link, LinkKind, PageMacro, Parameter, Position } from "../wiki/tree.js";
import {
  type Field,
  type LinkTarget,
  numberKey,
  type Reference,
  type ReferenceForm,
  type Span,
  type StepReference,
  trimmed,
} from "./reference.js";
import { readOwnAddress, type SiteAddresses } from "./site-addresses.js";

/**
 * Adds the references of a node and opens its brackets, which close at their places. Returns the
 * place after its target, since its label can have more references.
 */
export function readNode(finding: Finding, node: ReferringNode, position: Position): number {
  const { text, site, guides } = finding;
  const { start } = position;
  const linkTarget = linkTargetOf(node, site, start + node.open.length);
  const isGuide = linkTarget?.form === "macro" && linkTarget.kind === "guide";
  const { body, rest } = fieldsOf(text, node, position, isGuide || guides.length > 0);
  if (linkTarget === undefined) {
    finding.depth += bracketsOf(node);
    return node.type !== "pageMacro" && holdsBracket(node) ? start + node.open.length : body;
  }
  const { form, kind, key, steps, origin } = linkTarget;
  const head = headOf(node, linkTarget, start, body);
  const from = { form, kind, key, linkTarget: linkTarget.linkTarget, steps, origin, head, body };
  addReference(finding, start, from, form === "url" ? undefined : rest);
  return body;
}

function headOf(node: ReferringNode, { origin }: NodeTarget, start: number, body: number): Span {
  if (origin === null || node.type === "pageMacro") return { start: start + 1, end: body };
  const address = start + node.open.length;
  return { start: address, end: address + node.target.length };
}

function bracketsOf({ open }: ReferringNode): number {
  if (open === "") return 0;
  return open.startsWith("[[") ? 2 : 1;
}

/** A node that can contain a reference. A list of guides has no target. */
export type ReferringNode = Exclude<Embed["child"], { readonly type: "guideList" }> | PageMacro;

/** All spans count from `start`, the place of the target. */
export interface NodeTarget extends LinkTarget {
  readonly form: ReferenceForm;
}

export function isReferring(node: Node): node is ReferringNode {
  if (node.type === "pageMacro") return node.name === "summary_image";
  return node.type === "link" || node.type === "image" || node.type === "video";
}

/**
 * undefined: an address elsewhere, a mail address, or another macro. The steps are those of an
 * address; `stepid` of a guide is a parameter of its node.
 */
export function linkTargetOf(node: ReferringNode, site: SiteAddresses, start = 0): NodeTarget | undefined {
  if (node.type !== "pageMacro" && holdsBracket(node)) return undefined;
  if (node.type === "link") return LINKS[node.kind](node, site, start);
  if (node.type === "pageMacro")
    return numbered("image", "metadata", /^\d+(?=\s*(?:\||$))/.exec(node.value)?.[0], start);
  const { type, target } = node;
  const media = numbered(type, "macro", target, start);
  return media ?? (type === "video" ? formed("link", readOwnAddress(target, start, site)) : undefined);
}

/** An address or code cannot contain a bracket (wiki-syntax 2.3). */
function holdsBracket({ target }: Pick<Link, "target">): boolean {
  return target.includes("[");
}

type Reader = (link: Link, site: SiteAddresses, start: number) => NodeTarget | undefined;

const LINKS: Readonly<Record<LinkKind, Reader>> = {
  url: ({ target }, site, start) => formed("link", readOwnAddress(target, start, site)),
  bare: ({ target }, site, start) => formed("url", readOwnAddress(target, start, site)),
  guide: ({ target }, _, start) => numbered("guide", "macro", target, start),
  document: ({ target }, _, start) => numbered("document", "macro", target, start),
  wiki: ({ target }, _, start) => formed("wiki-link", readWikiTitle(target, start)),
  product: ({ target }, _, start) => product(target, start),
  mailto: () => undefined,
};

function formed(form: ReferenceForm, linkTarget: LinkTarget | undefined): NodeTarget | undefined {
  if (linkTarget === undefined) return undefined;
  const { kind, key, steps, origin } = linkTarget;
  // Written out, since object spread makes this pass several times slower.
  return { form, kind, key, linkTarget: linkTarget.linkTarget, steps, origin };
}

function numbered(
  kind: "guide" | "image" | "video" | "document",
  form: ReferenceForm,
  digits: string | undefined,
  start: number,
): NodeTarget | undefined {
  if (digits === undefined || !/^\d+$/.test(digits)) return undefined;
  const linkTarget = { start, end: start + digits.length };
  return { form, kind, key: numberKey(kind, digits), linkTarget, steps: [], origin: null };
}

function product(code: string, start: number): NodeTarget | undefined {
  const linkTarget = trimmed(code, start);
  if (linkTarget.start === linkTarget.end) return undefined;
  return { form: "macro", kind: "product", key: null, linkTarget, steps: [], origin: null };
}

interface NodeFields {
  /** After the spaces that follow the target. */
  readonly body: number;
  readonly rest: Rest;
}

interface Part extends Field {
  /** Start of the text of a label or part of one; null for a parameter and an empty field. */
  readonly words: number | null;
  readonly isStep: boolean;
}

/** Reads what follows the target of a node. `separateSteps`: steps are not fields. */
function fieldsOf(text: string, node: ReferringNode, { start, end }: Span, separateSteps: boolean): NodeFields {
  const from = start + node.open.length + targetLength(node);
  const body = skipSpace(text, from, end);
  const parts = partsOf(text, node, from, end);
  const first = parts.find(({ words }) => words !== null);
  const labelEnd = parts.findLast(({ words }) => words !== null)?.end ?? end;
  const fields = parts
    .filter((part) => first === undefined || part.end <= first.start || part.start >= labelEnd)
    .filter(({ isStep }) => !(isStep && separateSteps))
    .map((part): Field => ({ name: part.name, start: Math.max(part.start, body), end: part.end }));
  const bar = first?.words == null ? null : { start: Math.max(first.start, body), end: first.words };
  const close = { start: Math.max(end - node.close.length, body), end };
  return { body, rest: { fields, bar, close: isBalanced(text, body, close.start) ? close : null, end } };
}

function partsOf(text: string, node: ReferringNode, from: number, end: number): readonly Part[] {
  if (node.type === "link") return linkParts(text, node, from, end);
  if (node.type !== "pageMacro") return parametersFrom(node.parameters, from);
  const rest = node.value.length - targetLength(node);
  return rest === 0 ? [] : [{ name: "", start: from, end: from + rest, words: null, isStep: false }];
}

/** Only the number of a page's picture counts in its macro. */
function targetLength(node: ReferringNode): number {
  return node.type === "pageMacro" ? node.value.search(/\D|$/) : node.target.length;
}

function linkParts(text: string, node: Link, from: number, end: number): readonly Part[] {
  const leading = parametersFrom(node.leading, from);
  const trailing = parametersFrom(node.parameters, 0);
  const start = leading.at(-1)?.end ?? from;
  const labelEnd = end - node.close.length - (trailing.at(-1)?.end ?? 0);
  if (node.bar === "") return [...leading, ...parametersFrom(node.parameters, start)];
  const words = /[^\s|]/.test(text.slice(start + node.bar.length, labelEnd)) ? start + node.bar.length : null;
  return [
    ...leading,
    { name: "", start, end: labelEnd, words, isStep: false },
    ...parametersFrom(node.parameters, labelEnd),
  ];
}

function parametersFrom(parameters: readonly Parameter[], from: number): readonly Part[] {
  let end = from;
  return parameters.map(({ before, name, equals, value }) => {
    const start = end;
    const written = start + before.length;
    end = written + name.length + equals.length + value.length;
    const known = name.trim().toLowerCase();
    const isParameter = KNOWN.has(known);
    const words = isParameter || (name + equals + value).trim() === "" ? null : written;
    return {
      name: isParameter ? known : "",
      start,
      end,
      words,
      isStep: known === "stepid" && /^\s*\d+\s*$/.test(value),
    };
  });
}

/** The only parameters (wiki-syntax 7): other fields of an image or video are words to keep. */
const KNOWN: ReadonlySet<string> = new Set(["new_window", "stepid", "size", "align", "format", "tags", "type"]);

function isBalanced(text: string, start: number, end: number): boolean {
  const opening = text.indexOf("[", start);
  if (opening < 0 || opening >= end) return true;
  let depth = 0;
  for (let at = opening; at < end; at += 1) {
    const character = text.charAt(at);
    if (character === "[") depth += 1;
    else if (character === "]" && depth > 0) depth -= 1;
  }
  return depth === 0;
}

/** Reads `Namespace:Title#Section` at `start`; a colon after another word belongs to the title. */
export function readWikiTitle(written: string, start: number): LinkTarget | undefined {
  const hash = written.indexOf("#");
  const named = hash < 0 ? written : written.slice(0, hash);
  const colon = named.indexOf(":");
  const namespace = colon < 0 ? undefined : NAMESPACE_WORDS.get(named.slice(0, colon).trim().toLowerCase());
  return titled(namespace, named.slice(colon + 1), start + colon + 1) ?? titled("WIKI", named, start);
}

function titled(namespace: Namespace | undefined, written: string, start: number): LinkTarget | undefined {
  const key = namespace === undefined ? undefined : titleKey(namespace, written);
  if (key === undefined) return undefined;
  const kind = namespace === "CATEGORY" ? "category" : "wiki";
  return { kind, key, linkTarget: trimmed(written, start), steps: [], origin: null };
}

export interface Draft extends Reference {
  end: number;
  readonly steps: StepReference[];
}

/** A guide macro whose bracket is still open. */
interface OpenGuide {
  readonly draft: Draft;
  /** The number of brackets that were open inside of its own. */
  readonly depth: number;
}

export interface Finding {
  readonly text: string;
  readonly site: SiteAddresses;
  /** The last `]` and `]]`; kept, since a search for each takes quadratic time. */
  readonly lastClose: number;
  readonly lastDoubleClose: number;
  readonly found: Draft[];
  /** Innermost last: a `stepid` belongs to the nearest in one of the possible meanings. */
  readonly guides: OpenGuide[];
  /** The number of open brackets, of macros and others. */
  depth: number;
}

export function findingOf(text: string, site: SiteAddresses): Finding {
  const ends = { lastClose: text.lastIndexOf("]"), lastDoubleClose: text.lastIndexOf("]]") };
  return { text, site, ...ends, found: [], guides: [], depth: 0 };
}

/** A reference from its first bracket to its fields. */
export interface Head extends LinkTarget {
  readonly form: ReferenceForm;
  readonly head: Span;
  readonly body: number;
}

/** The rest of a reference that the tree knows as a whole. */
type Rest = Pick<Reference, "fields" | "bar" | "close" | "end">;

/** Adds a reference and opens its brackets; without `rest` it is an address, or loose. */
export function addReference(finding: Finding, start: number, from: Head, rest?: Rest): void {
  const { form, kind, key, linkTarget, steps, origin, head, body } = from;
  const { found, guides, depth } = finding;
  const draft: Draft = {
    start,
    end: rest?.end ?? body,
    form,
    kind,
    key,
    linkTarget,
    steps: [...steps],
    origin,
    head,
    body,
    fields: rest?.fields ?? [],
    bar: rest?.bar ?? null,
    close: rest?.close ?? null,
    enclosed: depth > 0,
    loose: rest === undefined && form !== "url",
  };
  found.push(draft);
  if (form === "url") return;
  finding.depth += form === "wiki-link" ? 2 : 1;
  if (form === "macro" && kind === "guide") guides.push({ draft, depth: finding.depth });
}

export function closeBracket(finding: Finding): void {
  finding.depth = Math.max(0, finding.depth - 1);
  while ((finding.guides.at(-1)?.depth ?? 0) > finding.depth) finding.guides.pop();
}
