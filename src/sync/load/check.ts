import { type FitContext, resizedOf } from "../../../transforms/fit/context.js";
import { fitMedia } from "../../../transforms/fit/fit.js";
import { isSmaller, type SiteLimits, type Size } from "../../../transforms/fit/limits.js";
import { imagesOf } from "../../../transforms/fit/rules/steps.js";
import { isStepLimit, joinedDemand, type StepDemand, stepDemand } from "../../../transforms/fit/step-demand.js";
import { type Issue, isLeftOut } from "../../core/model/issue.js";
import { extensionOf, type Item, type MediaItem } from "../../core/model/item.js";
import {
  type ItemKind,
  isMediaKey,
  type Key,
  languageIn,
  MEDIA_KINDS,
  originalGuide,
  wikiKey,
} from "../../core/model/key.js";
import type { Loaded } from "../../core/writing.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { throwIfStopped } from "../control.js";
import type { Needs } from "../order.js";
import { lastingAddress, storedMedia, withSize } from "../stored-media.js";
import { ItemPlanner, type Prepared } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import type { OverLimit } from "./step-limits.js";
import { keysOf, TRANSFORMED } from "./transform-preview.js";
import { isTranslation } from "./translation-key.js";
import {
  type CheckedMedia,
  createMediaNotes,
  type FittingJob,
  fitContext,
  type LoadMap,
  MovingNotes,
} from "./write-context.js";

export interface Checked {
  readonly map: LoadMap;
  /** Used again for each item that is sent: the same answers give the same pieces. */
  readonly fit: FitContext | "origin";
  /** Items that `fit` leaves as they are, without a remark: the rules need not run again. */
  readonly fitting: ReadonlySet<Key>;
  readonly media: CheckedMedia;
  readonly translatedPages: ReadonlyMap<Key, readonly string[]>;
  /** Content beyond the assumed limits of steps; null: none. */
  readonly overLimit: OverLimit | null;
  refusedFor(key: Key): readonly Issue[];
}

/**
 * Checks every item as it will be sent, before the first write. A reference to an item that does
 * not move becomes a link, which is longer, so the refusals of a site depend on what moves.
 */
export async function check(job: Omit<LoadJob, "notes" | "onWritten" | "mediaOf">): Promise<Checked> {
  const media = await checkMedia(job);
  const reasons = refusalNotes(job.workspace.scratch);
  const there = await loadedBefore(job);
  const steps = await notedKeys(job, there);
  const mapped = await mappedItems(job, steps);
  const beyond = new OverLimitCollector();
  let refused: ReadonlySet<Key> = new Set();
  for (;;) {
    const items = movingItems(job, new Set([...refused, ...mapped]));
    const moving = steps.with({
      has: (key) => (isMediaKey(key) ? isMovingMedium(job, media, key) : items.has(key) || there.has(key)),
    });
    const fit = job.options.toOrigin === true ? "origin" : fitContext(job, moving, media);
    const found = await refusedItems(job, items, fit, { note: reasons.note, beyond });
    if (found.refused.size === 0) {
      const map = mapOf(job, { moving, items, mapped }, refused, media.refused, found.needs);
      const { translatedPages, fitting } = found;
      return { map, fit, fitting, media, translatedPages, overLimit: beyond.all(), refusedFor: reasons.of };
    }
    // Texts that refer to a refused item grow, so the rest is checked again until nothing changes.
    refused = new Set([...refused, ...found.refused]);
  }
}

class OverLimitCollector {
  readonly #keys = new Set<Key>();
  #demand: StepDemand = {};

  add(key: Key, { whole, issues, refused }: Prepared, fit: FitContext): void {
    const codes = new Set([...issues, ...refused].filter(isStepLimit).map(({ code }) => code));
    if (codes.size === 0 || whole.kind !== "guide") return;
    const own = stepDemand(whole.body, fit);
    // A step with few enough lines may have too many after its lines were split.
    const isDivided = codes.has("step-too-many-lines") && own.linesPerStep === undefined;
    const demand = isDivided ? { ...own, linesPerStep: 2 * fit.limits.linesPerStep } : own;
    this.#demand = joinedDemand(this.#demand, demand);
    this.#keys.add(key);
  }

  all(): Checked["overLimit"] {
    return this.#keys.size === 0 ? null : { demand: this.#demand, keys: [...this.#keys] };
  }
}

const REFUSALS = "refusal";

/** On the disk, since all items of a site may be refused. */
function refusalNotes(scratch: Scratch) {
  scratch.clear(REFUSALS);
  return {
    note: (key: Key, issues: readonly Issue[]) => scratch.put(REFUSALS, key, JSON.stringify(issues)),
    of: (key: Key) => JSON.parse(scratch.get(REFUSALS, key) ?? "[]") as readonly Issue[],
  };
}

/** Items outside of the selection that an earlier run loaded: texts link to them. */
async function loadedBefore(job: Pick<LoadJob, "workspace" | "ledger" | "options">): Promise<ReadonlySet<Key>> {
  const there = new Set<Key>();
  for (const kind of job.options.selected === undefined ? [] : TRANSFORMED) {
    for (const { key, state } of job.workspace.items.entries(kind)) {
      if (state === "gone" || isSelected(job, key, kind) || languageIn(key) !== undefined) continue;
      if ((await job.ledger.idOf(key)) !== undefined) there.add(key);
    }
  }
  return there;
}

/** Chosen items that another workspace moved and this one never wrote: they are not loaded. */
async function mappedItems(
  job: Pick<LoadJob, "workspace" | "ledger" | "options">,
  notes: MovingNotes,
): Promise<ReadonlySet<Key>> {
  const mapped = new Set<Key>();
  for await (const key of job.ledger.mapped()) {
    if ((await job.ledger.written(key)) !== undefined) continue;
    notes.noteMapped(key);
    const entry = job.workspace.items.entry(key);
    if (entry?.state === "present" && isSelected(job, key, entry.kind)) mapped.add(key);
  }
  return mapped;
}

function movingItems(
  job: Pick<LoadJob, "workspace" | "preview" | "options">,
  refused: ReadonlySet<Key>,
): ReadonlySet<Key> {
  const moving = new Set<Key>();
  for (const each of TRANSFORMED) {
    for (const { key, kind, state } of job.workspace.items.entries(each)) {
      if (state === "gone" || refused.has(key)) continue;
      if (!isSelected(job, key, kind) || languageIn(key) !== undefined) continue;
      if (job.preview.failed.has(key) || job.preview.dropped.has(key)) continue;
      moving.add(key);
    }
  }
  return moving;
}

/** Asked for few media, which are too many to keep their keys in memory. */
function isMovingMedium(
  { workspace }: Pick<LoadJob, "workspace">,
  { refused }: Pick<CheckedMedia, "refused">,
  key: Key,
): boolean {
  return !refused.has(key) && workspace.items.entry(key)?.state === "present";
}

async function notedKeys(
  job: Pick<LoadJob, "workspace" | "ledger" | "preview" | "options" | "control">,
  there: ReadonlySet<Key>,
): Promise<MovingNotes> {
  const notes = new MovingNotes(job.workspace.scratch);
  for (const key of there) notes.note(key, [...(await job.ledger.loaded(key)).written.keys()]);
  // The key of an item moves too where pieces replaced it: the selection and referrers use it.
  for (const each of TRANSFORMED) {
    for (const { key, kind, state } of job.workspace.items.entries(each)) {
      // A translation has the steps of its guide, and never moves.
      if (state === "gone" || !isSelected(job, key, kind) || languageIn(key) !== undefined) continue;
      throwIfStopped(job.control);
      const made = job.preview.keys.get(key) ?? (kind === "guide" ? await keysIn(job, key) : []);
      notes.note(key, made);
    }
  }
  return notes;
}

function isSelected(job: Pick<LoadJob, "options">, key: Key, kind: ItemKind): boolean {
  return job.options.selected === undefined || !TRANSFORMED.includes(kind) || job.options.selected.has(key);
}

async function keysIn(
  { workspace, preview }: Pick<LoadJob, "workspace" | "preview">,
  key: Key,
): Promise<readonly Key[]> {
  const noted = preview.ownKeys(key);
  if (noted !== undefined) return noted;
  const item = await workspace.items.get(key);
  return item === undefined ? [] : keysOf([item]);
}

async function refusedItems(
  job: ConstructorParameters<typeof ItemPlanner>[0] & Pick<LoadJob, "workspace" | "options" | "control">,
  items: ReadonlySet<Key>,
  fit: Checked["fit"],
  {
    note,
    beyond,
  }: { readonly note: (key: Key, issues: readonly Issue[]) => void; readonly beyond: OverLimitCollector },
): Promise<
  Pick<Checked, "translatedPages" | "fitting"> & { readonly refused: ReadonlySet<Key>; readonly needs: Needs }
> {
  const translatedPages = new Map<Key, readonly string[]>();
  const fitting = new Set<Key>();
  const refused = new Set<Key>();
  const needs = new Map<Key, readonly Key[]>();
  const planner = new ItemPlanner(job, { fit });
  const total = countOf(job, items);
  let done = 0;
  for (const kind of TRANSFORMED) {
    for (const entry of job.workspace.items.entries(kind)) {
      if (!items.has(entry.key)) continue;
      throwIfStopped(job.control);
      done += 1;
      const item = await job.workspace.items.get(entry.key);
      if (item === undefined) continue;
      const prepared = planner.prepare(item);
      const isNow = job.options.keys?.has(entry.key) !== false;
      if (isNow && fit !== "origin") for (const each of prepared) beyond.add(entry.key, each, fit);
      if (prepared.every(isUnchanged)) fitting.add(entry.key);
      const reasons = prepared.flatMap((each) => each.refused);
      if (reasons.length > 0) {
        refused.add(entry.key);
        const takenInBy =
          reasons.find(isLeftOut)?.takenInBy ?? (isByChoice(reasons) ? undefined : planner.optionFor(item));
        const reported = takenInBy === undefined ? reasons : reasons.map((each) => ({ ...each, takenInBy }));
        note(entry.key, [...prepared.flatMap((each) => each.issues), ...reported]);
      }
      const needed = prepared.flatMap((each) => needsOf(each.item));
      if (needed.length > 0) needs.set(entry.key, needed);
      const languages = prepared.flatMap((each) => languagesOf(each.item));
      if (languages.length > 0 && isNow) translatedPages.set(entry.key, languages);
      job.control.progress({ stage: "check", done, total, key: entry.key, failed: refused.size });
    }
  }
  return { refused, needs, translatedPages, fitting };
}

/** In a round that refuses nothing. */
function isUnchanged({ item, whole, issues }: Prepared): boolean {
  return item === whole && issues.length === 0;
}

function languagesOf(item: Item): readonly string[] {
  const translations = item.kind === "wiki" || item.kind === "category" ? item.body.translations : undefined;
  return (translations ?? []).map(({ language }) => language);
}

/** A limit of the site refuses with an error, a person's choice with a loss. */
function isByChoice(reasons: readonly Issue[]): boolean {
  return reasons.every(({ level }) => level !== "error");
}

function countOf({ workspace }: Pick<LoadJob, "workspace">, items: ReadonlySet<Key>): number {
  let count = 0;
  for (const kind of TRANSFORMED) for (const { key } of workspace.items.entries(kind)) count += items.has(key) ? 1 : 0;
  return count;
}

function needsOf(item: Item): readonly Key[] {
  if (item.kind === "guide") return item.body.prerequisites;
  if (item.kind === "category" && item.body.parent !== null) return [wikiKey("CATEGORY", item.body.parent)];
  return [];
}

function mapOf(
  job: Pick<LoadJob, "workspace" | "preview" | "options">,
  { moving, items, mapped }: Pick<LoadMap, "moving" | "mapped"> & { readonly items: ReadonlySet<Key> },
  refused: ReadonlySet<Key>,
  mediaRefused: ReadonlySet<Key>,
  needs: Needs,
): LoadMap {
  const keysOf = (kind: ItemKind): readonly Key[] => {
    const keys: Key[] = [];
    for (const { key } of job.workspace.items.entries(kind))
      if (items.has(key) && (job.options.keys?.has(key) ?? true)) keys.push(key);
    return keys;
  };
  return {
    categories: keysOf("category"),
    wikis: keysOf("wiki"),
    guides: keysOf("guide"),
    translations: translationsOf(job, items),
    refused,
    mapped,
    mediaRefused,
    moving,
    needs,
  };
}

/** Translations move with their guides, and no text refers to them. */
function translationsOf(
  job: Pick<LoadJob, "workspace" | "preview" | "options">,
  items: ReadonlySet<Key>,
): readonly Key[] {
  const { workspace, options, preview } = job;
  if (options.toOrigin === true) return [];
  const keys: Key[] = [];
  for (const { key, kind, state } of workspace.items.entries("guide")) {
    if (!isTranslation(key) || state === "gone" || !items.has(originalGuide(key))) continue;
    if (!isSelected(job, key, kind) || options.keys?.has(key) === false) continue;
    if (!preview.failed.has(key) && !preview.dropped.has(key)) keys.push(key);
  }
  return keys;
}

async function checkMedia(job: FittingJob & Pick<LoadJob, "target" | "control">): Promise<CheckedMedia> {
  const notes = createMediaNotes(job.workspace.scratch);
  const isOrigin = job.options.toOrigin === true;
  const fit = fitContext(job, new Set(), notes);
  for (const kind of MEDIA_KINDS) {
    // The first check of a workspace stores sizes, and writes at the same time share their syncs.
    const stored = job.workspace.items.media(kind);
    const items = isOrigin ? stored : inBatches(stored, (item) => withSize(job.workspace, item));
    for await (const item of items) {
      throwIfStopped(job.control);
      const size = smallSize(item, fit.limits);
      if (size !== undefined) notes.measure(item.key, size, extensionOf(item.body));
      const content = uploadKey(item);
      const fits = isOrigin || fitMedia(item, fit).refused.length === 0;
      const goes = content !== undefined && isSent(job, item) && fits;
      if (goes) notes.send(content, item.key);
      else notes.refuse(item.key, lastingAddress(item));
    }
  }
  return notes;
}

/** undefined: unknown, or at least what steps and uploads need: no rule asks by how much. */
function smallSize({ body: { width, height } }: MediaItem, limits: SiteLimits): Size | undefined {
  if (width === null || height === null) return undefined;
  const size = { width, height };
  return [limits.minimumImage, limits.minimumUpload].some((least) => isSmaller(size, least)) ? size : undefined;
}

const BATCH = 16;

/** The results of `work`, in order. */
async function* inBatches<T, R>(inputs: AsyncIterable<T>, work: (input: T) => Promise<R>): AsyncGenerator<R> {
  let batch: T[] = [];
  for await (const input of inputs) {
    if (batch.push(input) < BATCH) continue;
    yield* await Promise.all(batch.map(work));
    batch = [];
  }
  yield* await Promise.all(batch.map(work));
}

async function refusedMedia(
  job: Pick<LoadJob, "workspace" | "target">,
  fit: FitContext | "origin",
  key: Key,
): Promise<readonly Issue[]> {
  const stored = await storedMedia(job.workspace, key);
  if (stored === undefined) return [];
  const item = await withSize(job.workspace, stored);
  const unsent = isSent(job, item) ? [] : job.target.losses(item);
  if (fit === "origin") return unsent;
  return [...unsent, ...fitMedia(item, fit).refused.map((issue): Issue => ({ ...issue, level: "loss" }))];
}

function isSent({ target }: Pick<LoadJob, "target">, item: MediaItem): boolean {
  return target.plan(item, NOTHING_LOADED).length > 0;
}

export const NOTHING_LOADED: Loaded = { operations: new Map(), written: new Map() };

/** Kind and hash of a media item's bytes; undefined: it has no bytes. */
export function uploadKey({ kind, body }: MediaItem): string | undefined {
  return body.content === null ? undefined : `${kind} ${body.content.sha256}`;
}

export type IssueJob = Pick<LoadJob, "workspace" | "target" | "notes">;

/** The findings of the check; none for an adopted item. */
export async function itemIssues(
  job: IssueJob,
  checked: Pick<Checked, "fit" | "media">,
  { item, issues }: Prepared,
  loaded: Loaded,
): Promise<readonly Issue[]> {
  if (loaded.written.get(item.key)?.adopted === true) return [];
  const media: Issue[] = [];
  // An image that is too small to upload is sent resized where a step shows it.
  const resized = new Set(
    item.kind === "guide" ? item.body.steps.flatMap(imagesOf).flatMap((key) => resizedOf(key)?.of ?? []) : [],
  );
  for (const { key } of item.media) {
    if (!checked.media.refused.has(key) || resized.has(key)) continue;
    for (const issue of await refusedMedia(job, checked.fit, key)) media.push({ ...issue, key: item.key });
  }
  return [...job.notes.get(item.key), ...item.issues, ...issues, ...onceEach(job.target.losses(item)), ...media];
}

/** Keeps the first of equal issues: hundreds of lines may have one style. */
function onceEach(losses: readonly Issue[]): readonly Issue[] {
  const reported = new Set<string>();
  return losses.filter(({ code, message }) => {
    if (code !== "bullet-style") return true;
    const isNew = !reported.has(message);
    reported.add(message);
    return isNew;
  });
}
