import type { ClashTexts } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import { canonicalJson, digest, idsIn, listIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import { maybeReencoded, sameField } from "../wire/compared-fields.js";
import { type ReadableNames, readableField } from "../wire/readable-field.js";
import type { Work, WriteContext } from "./context.js";
import { divergedFields, hasDiverged, isAsSent } from "./written-body.js";

/** The remote set with local additions and without local removals, in the remote order. */
export function mergeSets(base: unknown, theirs: unknown, ours: unknown): readonly unknown[] {
  const [before, there, wanted] = [keyed(base), keyed(theirs), keyed(ours)];
  const kept = [...there].filter(([name]) => wanted.has(name) || !before.has(name));
  const added = [...wanted].filter(([name]) => !before.has(name) && !there.has(name));
  return [...kept, ...added].map(([, value]) => value);
}

function keyed(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(listIn(value).map((entry: unknown) => [canonicalJson(entry), entry]));
}

/**
 * The remote steps in the source's order, if only one side moved steps; undefined: both did.
 * Deleted steps drop out; steps of others keep their place after the step before them.
 */
export function mergeOrder(base: unknown, theirs: unknown, ours: unknown): readonly number[] | undefined {
  const [before, there, wanted] = [ids(base), ids(theirs), ids(ours)];
  const merged = placed(wanted, there);
  const isMoved = (order: readonly number[]): boolean => among(order, before).join() !== among(before, order).join();
  if (merged.join() === there.join() || !isMoved(there)) return merged;
  return isMoved(wanted) ? undefined : there;
}

/** The present members of `wanted` in its order; others stay after the one before them. */
export function placed<Id>(wanted: readonly Id[], present: readonly Id[]): readonly Id[] {
  const order = among(wanted, present);
  for (const [index, id] of present.entries()) {
    if (order.includes(id)) continue;
    const before = present[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}

function among<Id>(order: readonly Id[], others: readonly Id[]): Id[] {
  return order.filter((id) => others.includes(id));
}

function ids(value: unknown): readonly number[] {
  return listIn(value).map(Number);
}

interface Clash {
  readonly field: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly ours: unknown;
}

export interface Merged {
  /** Empty: there is nothing to send. */
  readonly send: Body;
  readonly clashes: readonly Clash[];
  /** Diverged fields, clashes included, each with the last value that was equal on both sides. */
  readonly apart: Body;
}

export interface Versions {
  /** The last state that was equal on both sides; undefined: unknown, so all counts as changed. */
  readonly base: Body | undefined;
  /** The remote state: every visible field, also those outside this write. */
  readonly theirs: Body;
  readonly ours: Body;
  /** Was this value sent last, although the site changed it? Default: no. */
  readonly isAsSent?: (field: string, value: unknown) => boolean;
}

/**
 * Merges three bodies of writing by field. Local changes are sent; remote edits stay and diverge;
 * equal changes are done. Sets take additions and removals of both sides, an order the moves of
 * both. All else is a clash and stays as on the target.
 */
export function mergeBodies(versions: Versions): Merged {
  const { theirs, ours } = versions;
  const send: Record<string, unknown> = {};
  const apart: Record<string, unknown> = {};
  const clashes: Clash[] = [];
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const outcome = mergeField(field, versions);
    if ("send" in outcome) send[field] = outcome.send;
    if ("apart" in outcome) apart[field] = outcome.apart;
    if ("clash" in outcome) clashes.push(outcome.clash);
  }
  return { send, clashes, apart };
}

interface Outcome {
  readonly send?: unknown;
  readonly apart?: unknown;
  readonly clash?: Clash;
}

function mergeField(field: string, versions: Versions): Outcome {
  const [base, theirs, ours] = [versions.base?.[field], versions.theirs[field], versions.ours[field]];
  const isAsRemote = theirs !== undefined && sameField(field, ours, theirs);
  const remoteChanged = theirs !== undefined && (base === undefined || !sameField(field, theirs, base));
  if (ours === undefined) return remoteChanged && base !== undefined ? keepRemoteEdit(field, base, theirs) : {};
  const weChanged = base === undefined || !(versions.isAsSent?.(field, ours) === true || sameField(field, ours, base));
  if (isAsRemote) return {};
  // Steps of others are only on the target, so they never clash.
  if (field === "steps") return mergeChanges(field, { field, base: base ?? [], theirs, ours });
  if (!remoteChanged) return weChanged ? { send: ours } : {};
  if (!weChanged) return keepRemoteEdit(field, base, theirs);
  return mergeChanges(field, { field, base, theirs, ours });
}

function keepRemoteEdit(field: string, base: unknown, theirs: unknown): Outcome {
  return maybeReencoded(field, base, theirs) ? {} : { apart: base };
}

function mergeChanges(field: string, clash: Clash): Outcome {
  const merged = MERGES[field]?.(clash.base, clash.theirs, clash.ours);
  // Without the last equal state, a set can't be merged.
  if (merged === undefined || clash.base === undefined) return { apart: clash.base ?? null, clash };
  const rest = sameField(field, merged, clash.ours) ? {} : { apart: clash.ours };
  return sameField(field, merged, clash.theirs) ? rest : { ...rest, send: merged };
}

/** undefined: no merge. */
const MERGES: Readonly<Record<string, (base: unknown, theirs: unknown, ours: unknown) => unknown>> = {
  flags: mergeSets,
  documents: mergeSets,
  prerequisites: mergeSets,
  steps: mergeOrder,
};

export interface MergePreview {
  readonly send: Body;
  /** Fields that stay as on the target, with the values of the edit. */
  readonly stay: Body;
}

/** The facts before an edit. All bodies are bodies of writing. */
interface MergeInputs {
  readonly onConflict: WriteContext["onConflict"];
  readonly ours: Written;
  readonly left: Body | undefined;
  readonly remote: Written;
  readonly send: Body;
}

/** What `--on-conflict` makes of an edit, without a write. */
export function previewMerge({ onConflict, ours, left, remote, send }: MergeInputs): MergePreview {
  const isUntouched = remote.left === ours.left;
  if (onConflict === "update" || (isUntouched && !hasDiverged(ours))) return { send, stay: {} };
  if (onConflict !== "merge" && !isUntouched) return { send: {}, stay: send };
  const apart = divergedFields(ours);
  const steps = ours.facts["steps"];
  const known: Body = { ...left, ...(steps === undefined ? {} : { steps }), ...apart };
  const merged = mergeBodies({
    base: left === undefined && Object.keys(apart).length === 0 ? undefined : known,
    theirs: remote.body ?? {},
    ours: send,
    isAsSent: (field, value) => isAsSent(ours, field, value),
  });
  if (merged.clashes.length > 0 && onConflict !== "merge") return { send: {}, stay: send };
  return { send: merged.send, stay: Object.fromEntries(merged.clashes.map(({ field, ours }) => [field, ours])) };
}

type ReportedIssue = Omit<Issue, "key">;

/** Fields that changed on both sides, each with its three texts. */
export function reportClashes(work: Work, clashes: readonly Clash[]): void {
  for (const { field, base, theirs, ours } of clashes) {
    const texts = { base: textOf(field, base), theirs: textOf(field, theirs), ours: textOf(field, ours) };
    work.report({
      code: "merge-clash",
      level: "loss",
      path: modelPath(field),
      message:
        "It changed differently on both sides since they were last equal, so the remote edit was kept. " +
        shownTexts(texts),
      remedy:
        "Make both sides equal by hand, or run with --on-conflict update to replace the remote edit with the source's.",
      texts,
    });
  }
}

/** Fields that changed on the target only, and stay so. */
export function remoteEditIssues(
  fields: readonly string[],
  { base, there }: { readonly base: Body; readonly there: Body },
): readonly ReportedIssue[] {
  return fields.map((field) => ({
    code: "merge-kept-theirs",
    level: "note",
    path: modelPath(field),
    message:
      `It changed on the target and not at the source, so the remote edit was kept. ` +
      `Before: ${shown(textOf(field, base[field]))}. On the target: ${shown(textOf(field, there[field]))}.`,
    remedy: "Make the same change at the source. Or change the source and run with --on-conflict update.",
  }));
}

/** Steps that were deleted on the target only, and stay so. */
export async function keptDeletedIssues(
  { context }: Work,
  base: unknown,
  there: unknown,
): Promise<readonly ReportedIssue[]> {
  const reported: ReportedIssue[] = [];
  const present = new Set(idsIn(there));
  for (const id of idsIn(base).filter((each) => !present.has(each))) {
    const key = await context.keyOf("step", id);
    if (key === undefined) continue;
    reported.push({
      code: "merge-kept-theirs",
      level: "note",
      path: key,
      message: "The step was deleted on the target and did not change at the source, so it stays deleted.",
      remedy: "Delete it at the source too. Or change it at the source and run with --on-conflict update.",
    });
  }
  return reported;
}

export function shownTexts({ base, theirs, ours }: ClashTexts): string {
  return `Before: ${shown(base)}. On the target: ${shown(theirs)}. At the source: ${shown(ours)}.`;
}

const SHOWN = 160;

/** A long text: its beginning, its length and the first digits of its digest. */
export function shown(text: string | null): string {
  if (text === null) return "nothing";
  if (text.length <= SHOWN) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN))}… (${text.length} characters, sha256 ${digest(text).slice(0, 12)})`;
}

/** A whole field of a body as readable text; null: absent. */
export function textOf(field: string, value: unknown): string | null {
  return value === undefined || value === null ? null : readableField(field, value, IDS);
}

/** A body as readable text, field by field. */
export function textOfBody(body: Body): string {
  const texts = Object.entries(body).map(([field, value]) => [modelPath(field), textOf(field, value)] as const);
  return texts.flatMap(([path, text]) => (text === null || text === "" ? [] : [`${path}: ${text}`])).join("\n");
}

const IDS: ReadableNames = { named: (kind, id) => `${kind} ${id}`, text: (text) => text };

/** The path in the model of a field of writing. */
export function modelPath(field: string): string {
  return PATHS[field] ?? field;
}

const PATHS: Readonly<Record<string, string>> = {
  objectid: "introductionVideo",
  featured_documentid: "featuredDocument",
  time_required_min: "timeRequired",
  time_required_max: "timeRequired",
  work_log_enabled: "workLogEnabled",
  display_title: "displayTitle",
  table_of_contents: "tableOfContents",
  page_title: "pageTitle",
  steps: "steps.order",
};
