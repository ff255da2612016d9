import { type Key, type Kind, kindOf, restOf, wikiKey, wikiOf } from "../../src/core/model/key.js";
import { encodeTitle } from "../wiki/namespaces.js";
import { fragmentOf, oldAddress, speakable, wikiAddress } from "./old-address.js";
import { numberKey, type Reference, type Span, type StepReference, textOf } from "./reference.js";
import { references } from "./references.js";
import type { Dangling, Resolution, RewriteOptions, Rewritten, SiteOptions } from "./rewrite-options.js";
import { originOf, readOwnAddress, type SiteAddresses, sameSite } from "./site-addresses.js";

/**
 * Rewrites every reference for the target, so that none leads to an unrelated item there. All else
 * stays unchanged; a text without changes is the same string. docs/design/references.md lists the
 * forms. The input is always the text with the source's ids, also when a `missing` key gets an id,
 * since the function does not read its own output.
 */
export function rewriteReferences(text: string, options: RewriteOptions): Rewritten {
  return rewriteFound(text, references(text, options.source, options.context), options);
}

export function rewriteFound(text: string, found: readonly Reference[], options: SiteOptions): Rewritten {
  const edits: Edit[] = [];
  const missing = new Set<Key>();
  const dangling: Dangling[] = [];
  for (const reference of found) {
    const decision = decide(text, reference, options);
    edits.push(...decision.edits);
    dangling.push(...decision.dangling);
    for (const key of decision.missing) missing.add(key);
  }
  return { text: applyEdits(text, edits), missing: [...missing], dangling };
}

/**
 * Rewrites a text before all its link targets have ids: waiting references are absolute links, or,
 * when `fits` refuses that text, their labels, which are never longer than the original. A later
 * rewrite of the text with the source's ids repairs both forms, since `missing` is the same.
 */
export function rewriteToFit(
  text: string,
  found: readonly Reference[],
  options: SiteOptions,
  fits: (text: string) => boolean,
): Rewritten {
  const linked = rewriteFound(text, found, { ...options, later: "absolute" });
  return fits(linked.text) ? linked : rewriteFound(text, found, { ...options, later: "label" });
}

/**
 * The longest text that the last rewrite can give, for checks of limits before the first write.
 * Each missing id has as many nines as its kind can have digits at the target; titles stay, and ids
 * and `never` of `resolve` count as they are.
 * @param digits how many digits an id of this kind can have at the target
 */
export function longestRewrite(
  text: string,
  found: readonly Reference[],
  options: SiteOptions,
  digits: (kind: Kind) => number,
): string {
  const resolve = (key: Key): Resolution => {
    const resolution = options.resolve(key);
    return "later" in resolution ? { id: widest(key, digits) } : resolution;
  };
  return rewriteFound(text, found, { ...options, resolve }).text;
}

/** Titles and guids are not numbers. */
function widest(key: Key, digits: (kind: Kind) => number): string {
  const name = restOf(key);
  if (kindOf(key) === "category") return name;
  if (kindOf(key) === "wiki") return name.slice(name.indexOf("/") + 1);
  return /^\d+$/.test(name) ? "9".repeat(digits(kindOf(key))) : name;
}

/** The reference of an address; undefined when the address is not on the site. */
export function addressReference(address: string, site: SiteAddresses): Reference | undefined {
  const own = readOwnAddress(address, 0, site);
  if (own === undefined) return undefined;
  return { ...own, form: "url", ...wholeOf(address) };
}

/** The reference of the number of a medium or guide; undefined for other text. */
export function numberReference(kind: "guide" | "image" | "video" | "document", digits: string): Reference | undefined {
  if (!/^\d+$/.test(digits)) return undefined;
  const linkTarget = { start: 0, end: digits.length };
  return {
    form: "metadata",
    kind,
    key: numberKey(kind, digits),
    linkTarget,
    steps: [],
    origin: null,
    ...wholeOf(digits),
  };
}

type Whole = Omit<Reference, "form" | "kind" | "key" | "linkTarget" | "steps" | "origin">;

function wholeOf({ length: end }: string): Whole {
  const head = { start: 0, end };
  return { ...head, head, body: end, fields: [], bar: null, close: null, enclosed: false, loose: false };
}

interface Decision {
  readonly edits: readonly Edit[];
  readonly missing: readonly Key[];
  readonly dangling: readonly Dangling[];
}

const NONE: readonly never[] = [];

function decide(text: string, reference: Reference, options: SiteOptions): Decision {
  const { key } = reference;
  if (key === null) return decideKeyless(text, reference, options);
  const resolution = options.resolve(key);
  if ("absent" in resolution && !mayHitStranger(text, reference)) return keep(text, reference, key);
  if ("never" in resolution || "absent" in resolution) return dangle(text, reference, key, options);
  if ("later" in resolution) return wait(text, reference, key, options);
  const edits = options.isUnmoved?.(key) === true ? NONE : rewriteTarget(text, reference, key, resolution.id, options);
  if (reference.steps.length === 0) return { edits, missing: NONE, dangling: NONE };
  const steps = reference.steps.map((step) => decideStep(text, reference, step, options));
  const dangling = steps.flatMap((step) => step.dangling);
  const failed = dangling.some((entry) => entry.written === "failed");
  return {
    edits: failed ? NONE : [...edits, ...steps.flatMap((step) => step.edits)],
    missing: steps.flatMap((step) => step.missing),
    dangling,
  };
}

/** Products and pages do not move, but are in place when a site is its own target. */
function decideKeyless(text: string, reference: Reference, options: SiteOptions): Decision {
  if (sameSite(options.source, options.target)) return { edits: NONE, missing: NONE, dangling: NONE };
  const linkTarget = textOf(text, reference.linkTarget);
  const key = `${reference.kind}/${linkTarget.startsWith("/") ? linkTarget.slice(1) : linkTarget}`;
  const stays = reference.kind === "product" && options.dangling !== "label";
  return stays ? keep(text, reference, key) : dangle(text, reference, key, options);
}

/** A bare number can be any item's on the target; a title or an old address cannot. */
function mayHitStranger(text: string, { key, kind, form, origin, head }: Reference): boolean {
  if (origin !== null && origin.end > origin.start) return false;
  if (key === null || (kind !== "category" && kind !== "wiki")) return true;
  // Titles of these are numbers of people. `[[guide|12|x]]` is a macro when read from the inner
  // bracket.
  return PERSONAL.has(wikiOf(key).namespace) || (form === "wiki-link" && MACRO_WORD.test(textOf(text, head)));
}

const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);
const MACRO_WORD = /^\[?\s*(?:guide|image|document|video|summary_image|link|product)\s*$/i;

function keep(text: string, reference: Reference, key: string): Decision {
  return { edits: NONE, missing: NONE, dangling: [{ key, reference: textOf(text, reference), written: "kept" }] };
}

/** The step of a guide in place: a step without an id is dropped in favour of its guide. */
function decideStep(text: string, reference: Reference, step: StepReference, options: SiteOptions): Decision {
  const resolution = options.resolve(step.key);
  if ("id" in resolution) return { edits: renumberStep(step, resolution.id), missing: NONE, dangling: NONE };
  if ("later" in resolution) return { edits: [remove(step)], missing: [step.key], dangling: NONE };
  const written = options.dangling === "fail" ? "failed" : "guide";
  const dangling = [{ key: step.key, reference: textOf(text, reference), written } as const];
  return { edits: [remove(step)], missing: NONE, dangling };
}

function renumberStep(step: StepReference, id: string): readonly Edit[] {
  return step.key === `step/${id}` ? NONE : [put(step.id, id)];
}

function wait(text: string, reference: Reference, key: Key, options: SiteOptions): Decision {
  const steps = reference.steps.map((step) => step.key).filter((step) => "later" in options.resolve(step));
  const { edits } = rewriteToFallback(text, reference, options.later ?? "absolute", options);
  return { edits, missing: [key, ...steps], dangling: NONE };
}

function dangle(text: string, reference: Reference, key: string, options: SiteOptions): Decision {
  const { dangling: policy = "absolute" } = options;
  const source = textOf(text, reference);
  if (policy === "fail") {
    return { edits: NONE, missing: NONE, dangling: [{ key, reference: source, written: "failed" }] };
  }
  const { edits, written } = rewriteToFallback(text, reference, policy, options);
  const dangling = [{ key, reference: source, written }];
  return { edits, missing: NONE, dangling };
}

interface Fallback {
  readonly edits: readonly Edit[];
  readonly written: "absolute" | "label";
}

/** Writes a reference as an absolute link to the old site, or as its label without a known link. */
function rewriteToFallback(
  text: string,
  reference: Reference,
  form: "absolute" | "label",
  options: SiteOptions,
): Fallback {
  const edits =
    form === "absolute" && options.source.origin !== "" ? absoluteEdits(text, reference, options) : undefined;
  return edits === undefined ? { edits: wordsOf(text, reference), written: "label" } : { edits, written: "absolute" };
}

function wordsOf(text: string, reference: Reference): readonly Edit[] {
  if (reference.form === "url") return unlink(text, reference);
  return reference.loose ? looseEdits(text, reference) : labelEdits(text, reference);
}

function absoluteEdits(text: string, reference: Reference, options: SiteOptions): readonly Edit[] | undefined {
  const { origin } = reference;
  if (origin !== null) return origin.start === origin.end ? [put(origin, originOf(options.source))] : [];
  const address = oldAddress(text, reference, options);
  return address === undefined ? undefined : linkEdits(text, reference, address);
}

/** Inside an open bracket, parentheses: `[guide|[document|5|12]]` must not become `[guide|12]`. */
function labelEdits(text: string, reference: Reference): readonly Edit[] {
  const { start, body, steps, fields, bar, close, enclosed } = reference;
  const shown = bar === null ? defaultLabel(text, reference) : "";
  return [
    put({ start, end: body }, (enclosed ? "(" : "") + shown),
    ...steps.filter((step) => step.start >= body).map(remove),
    ...fields.map(remove),
    ...(bar === null ? [] : [remove(bar)]),
    ...(close === null ? [] : [put(close, enclosed ? ")" : "")]),
  ];
}

/** Brackets text only if it can be a macro in another meaning: `(guide|12|see [guide|901|x]]`. */
function looseEdits(text: string, { start, head, body, steps, form, origin }: Reference): readonly Edit[] {
  const brackets = form === "wiki-link" ? 2 : 1;
  return [
    put({ start, end: start + brackets }, "(".repeat(brackets)),
    ...steps.filter((step) => step.start >= body).map(remove),
    ...(origin === null ? [] : [put(head, withoutScheme(textOf(text, head)))]),
  ];
}

/** Without its scheme an address is no link, and loses no word. */
function unlink(text: string, { head }: Reference): readonly Edit[] {
  return [put(head, withoutScheme(textOf(text, head)))];
}

function rewriteTarget(
  text: string,
  reference: Reference,
  key: Key,
  id: string,
  options: SiteOptions,
): readonly Edit[] {
  const titled = reference.kind === "category" || reference.kind === "wiki";
  const linkTarget = titled ? renamed(text, reference, key, id, options) : numbered(reference, key, id);
  return [...linkTarget, ...moved(reference, options)];
}

function numbered(reference: Reference, key: Key, id: string): readonly Edit[] {
  return id === restOf(key) ? [] : [put(reference.linkTarget, id)];
}

/** A title that wiki syntax cannot express makes the wiki link a link to the page's address. */
function renamed(text: string, reference: Reference, key: Key, title: string, options: SiteOptions): readonly Edit[] {
  const { namespace, title: old } = wikiOf(key);
  if (title === old) return [];
  if (reference.origin !== null) return [put(reference.linkTarget, encodeTitle(title))];
  if (!/[|[\]#\n]/.test(title)) return [put(reference.linkTarget, title)];
  const address = wikiAddress(wikiKey(namespace, title), options.target) + fragmentOf(text, reference);
  return linkEdits(text, reference, speakable(address));
}

function moved({ origin }: Reference, { source, target }: SiteOptions): readonly Edit[] {
  if (origin === null || origin.start === origin.end || sameSite(source, target)) return [];
  return [put(origin, originOf(target))];
}

/** `[guide|12|label|stepid=5]` becomes `[address|label]`; `new_window` stays. */
function linkEdits(text: string, reference: Reference, address: string): readonly Edit[] {
  const { head, steps, fields, bar, close, loose } = reference;
  return [
    put(head, bar === null && !loose ? `${address}|${defaultLabel(text, reference)}` : address),
    ...steps.map(remove),
    ...fields.filter((field) => field.name !== "new_window").map(remove),
    ...(close === null ? [] : [put(close, "]")]),
  ];
}

/** The visible text of a reference without a label: `guide 12`, a page's title, an address. */
function defaultLabel(text: string, reference: Reference): string {
  if (reference.form === "metadata") return "";
  if (reference.origin !== null) return withoutScheme(textOf(text, reference.head));
  const { kind, key } = reference;
  if (key === null) return `${kind} ${textOf(text, reference.linkTarget)}`;
  return kind === "category" || kind === "wiki" ? wikiOf(key).title : `${kindOf(key)} ${restOf(key)}`;
}

/** Removes what makes a site turn the address into a link. */
function withoutScheme(address: string): string {
  return address.replace(/^(?:https?:)?\/\//i, "");
}

interface Edit extends Span {
  readonly text: string;
}

/**
 * Applies edits; the rest stays unchanged, and without edits the string is the same. An edit inside
 * of another's span is dropped: a removed field takes its references with it.
 */
function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (edit.start < at) continue;
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join("") + text.slice(at);
}

function remove({ start, end }: Span): Edit {
  return { start, end, text: "" };
}

function put({ start, end }: Span, text: string): Edit {
  return { start, end, text };
}
