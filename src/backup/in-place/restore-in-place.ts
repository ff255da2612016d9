import type { Source, Survey, Target } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { GuideItem, Item } from "../../core/model/item.js";
import { isMediaItem } from "../../core/model/item.js";
import { ITEM_KINDS, type Key } from "../../core/model/key.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { SiteTexts } from "../../service/target/texts.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { LoadParts } from "../../sync/load/load.js";
import { isDone } from "../../sync/load/perform.js";
import type { PlannedItem } from "../../sync/load/planned-item.js";
import { takesEverything } from "../../sync/selection.js";
import type { Difference, VerifySummary } from "../../sync/verify/verify.js";
import type { SnapshotContents } from "../restore/snapshot-contents.js";
import { ComparingLedger, OriginLedger } from "./origin-ledger.js";
import { noteShownImages, withKnownMedia } from "./origin-media.js";
import { Journal, type RestoreContext } from "./restore-context.js";
import { type InPlaceOptions, InPlaceRun, type PresentList, PUT_BACK } from "./run.js";
import type { InPlacePlan, InPlaceSummary } from "./summary.js";

/** The parts of a restore to the origin site. */
export interface InPlaceParts {
  readonly contents: SnapshotContents;
  /**
   * Used for this site only; a stopped restore continues with it. Media that it lacks come from the
   * repository.
   */
  readonly workspace: Workspace;
  /** Created with the option `toOrigin`. */
  readonly target: Target;
  readonly reader: Source;
  readonly texts: SiteTexts;
  readonly originSite: OriginSite;
  readonly options: InPlaceOptions &
    Pick<LoadParts["options"], "dangling" | "onConflict" | "pause" | "smallImages"> & {
      /** How a step that the site refuses is changed and sent again. Default `refuse`: not sent. */
      readonly fit?: LoadParts["options"]["fit"];
    };
  readonly control: Control;
}

interface InPlaceJob {
  readonly parts: InPlaceParts;
  readonly context: RestoreContext;
  readonly run: InPlaceRun;
  readonly newer: readonly Key[];
}

async function beginInPlace(parts: InPlaceParts, survey: RestoreContext["survey"], isDryRun: boolean) {
  const { contents, workspace, options } = parts;
  const { selection } = options;
  await workspace.claim(contents.manifest.site);
  forgetItems(workspace);
  contents.noteIn(workspace.scratch);
  const ledger = new OriginLedger(workspace.ledger(survey.identity));
  const context: RestoreContext = { ...parts, ledger, survey, isDryRun, journal: new Journal() };
  const listed = selection.include.length === 0 ? await listPresent(context) : notListed(context);
  const run = new InPlaceRun(context, options, listed);
  await run.look();
  await run.follow();
  const job: InPlaceJob = { parts, context, run, newer: takesEverything(selection) ? listed.newer : [] };
  return job;
}

/** Forgets the items of an earlier run; the ledger keeps what was done for them. */
function forgetItems({ items }: Workspace): void {
  items.beginListing(ITEM_KINDS);
  items.endListing();
}

function loadPartsOf({ parts, context, run }: InPlaceJob, ledger = context.ledger): LoadParts {
  const { workspace, options, control, target, contents } = parts;
  const { dangling, onConflict, pause, fit = "refuse", smallImages = "enlarge" } = options;
  const anew = new Set(run.anew.map(({ key }) => key));
  return {
    workspace,
    ledger: () => ledger,
    target: { ...target, losses: (item) => lossesAtOrigin(target, { run, anew, ledger: context.ledger }, item) },
    transforms: [],
    options: {
      fit,
      smallImages,
      toOrigin: true,
      dangling,
      onConflict,
      onExisting: "update",
      keys: run.touched,
      ...(pause === undefined ? {} : { pause }),
    },
    control,
    mediaOf: async (key) => {
      const row = await contents.row(key);
      const item = row === undefined ? undefined : await contents.item(row);
      return item !== undefined && isMediaItem(item) ? item : undefined;
    },
  };
}

interface Deleted {
  readonly run: InPlaceRun;
  readonly anew: ReadonlySet<Key>;
  readonly ledger: OriginLedger;
}

/** A recreated guide has all losses, other items only the comments of deleted steps and pages. */
function lossesAtOrigin(target: Target, { run, anew, ledger }: Deleted, item: Item): readonly Issue[] {
  const commented = withDeletedComments(item, run);
  const gone = commented.kind === "guide" ? deletedSteps(commented, ledger) : ["comments"];
  return target
    .losses(commented)
    .filter(({ path }) => anew.has(item.key) || gone.includes(path))
    .map((loss) => (loss.code === "comments" ? { ...loss, remedy: "The snapshot has them." } : loss));
}

function withDeletedComments(item: Item, { deletedComments }: InPlaceRun): Item {
  const comments = deletedComments.get(item.key);
  if (comments === undefined || (item.kind !== "wiki" && item.kind !== "category")) return item;
  return { ...item, body: { ...item.body, comments } } as Item;
}

function deletedSteps({ body }: GuideItem, ledger: OriginLedger): readonly string[] {
  return body.steps.flatMap(({ key }, index) => (ledger.isDeleted(key) ? [`steps[${index}].comments`] : []));
}

function comparisonOf({
  parts,
  context,
  run,
  newer,
}: InPlaceJob): Omit<InPlaceSummary, "writes" | "raced" | "clashes"> {
  return {
    snapshot: parts.contents.snapshot,
    target: context.survey.identity,
    items: run.items,
    untouched: run.untouched,
    compared: run.compared,
    putBack: sorted(run.putBack),
    broughtBack: sorted(run.broughtBack),
    anew: sorted(run.anew),
    left: sorted(run.left),
    lost: sorted(run.lost),
    unknown: parts.contents.lost ?? 0,
    followed: run.followed,
    privateThere: run.leftPrivate.toSorted(),
    newer,
    failed: run.failed,
  };
}

function sorted<T extends { readonly key: Key }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** What a restore calls while it runs. */
export interface InPlaceHooks {
  /** Called before the first write, if there is one: takes a snapshot of the present site. */
  readonly keepPresent: (account: { readonly admin: boolean }) => Promise<void>;
  readonly onDifference: (difference: Difference) => void;
  /** See VerifyParts. */
  readonly onNote?: ((note: Difference) => void) | undefined;
}

/**
 * Restores a snapshot to its origin site. Unchanged items need no write, newer ones stay. The site
 * restores deleted ones, with ids and history; otherwise they are recreated, and references to them
 * are rewritten.
 */
export async function restoreInPlace(parts: InPlaceParts & InPlaceHooks): Promise<InPlaceSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const admin = survey.identity.account?.admin === true;
  const { failure, ...ends } = keptFirst(parts, () => parts.keepPresent({ admin }));
  try {
    return await putBack({ ...parts, ...ends }, survey);
  } catch (error) {
    throw failure() ?? error;
  }
}

async function putBack(parts: InPlaceParts & InPlaceHooks, survey: Survey): Promise<InPlaceSummary> {
  const job = await beginInPlace(parts, survey, false);
  const { touched } = job.run;
  const loaded = touched.size === 0 ? undefined : await loadTouched(job);
  const verified = loaded === undefined ? undefined : await verifyTouched(job, parts);
  const compared = comparisonOf(job);
  return {
    ...compared,
    raced: await keysWith(job, "conflict-skipped"),
    clashes: (await keysWith(job, "merge-clash")).length,
    privateThere: [...compared.privateThere, ...(loaded?.privateThere ?? [])].sort(),
    failed: compared.failed + (loaded?.failed ?? 0),
    writes: parts.originSite.writes() + parts.target.writes(),
    ...(loaded === undefined ? {} : { loaded }),
    ...(verified === undefined ? {} : { verified }),
  };
}

async function loadTouched(job: InPlaceJob) {
  const { load } = await import("../../sync/load/load.js");
  try {
    return await load(loadPartsOf(job));
  } finally {
    await noteImages(job.context, job.run.touched);
  }
}

/** Items with an issue of this code, as edits after the comparison, which the load keeps. */
async function keysWith({ context, run }: InPlaceJob, wanted: Issue["code"]): Promise<readonly Key[]> {
  const keys = new Set<Key>();
  for (const key of run.touched)
    for await (const { code } of context.ledger.issues(key)) if (code === wanted) keys.add(key);
  return [...keys].sort();
}

async function noteImages({ workspace, ledger, target }: RestoreContext, touched: ReadonlySet<Key>): Promise<void> {
  for (const key of touched) {
    const item = await workspace.items.get(key);
    if (item === undefined) continue;
    const loaded = await ledger.loaded(key);
    const done = new Set(
      target
        .plan(item, loaded)
        .filter((operation) => isDone(operation, loaded))
        .map(({ id }) => id),
    );
    await noteShownImages(ledger, item, (operation) => done.has(operation));
  }
}

async function verifyTouched(job: InPlaceJob, { onDifference, onNote }: InPlaceHooks): Promise<VerifySummary> {
  const { context, parts } = job;
  await clearReaderCache(context);
  const { reader, texts } = parts;
  const known: Source = {
    ...reader,
    read: async (key, signal) => {
      const item = await reader.read(key, signal);
      return item === undefined ? undefined : withKnownMedia(context.ledger, item);
    },
  };
  const { target } = parts;
  const hooks = { onDifference, onNote };
  const { verify } = await import("../../sync/verify/verify.js");
  return verify({ ...loadPartsOf(job, new ComparingLedger(context.ledger)), target, reader: known, texts, ...hooks });
}

interface Ends {
  readonly target: Target;
  readonly originSite: OriginSite;
  readonly reader: Source;
  readonly control: Control;
}

interface KeptFirst extends Ends {
  /** Why the snapshot failed, which causes all later failures; undefined: it did not fail. */
  readonly failure: () => Error | undefined;
}

/**
 * Wraps the site so that `keep` runs before the first write. Other writes and reads wait for it, to
 * keep the request rate. If it fails, nothing is written and the run stops.
 */
export function keptFirst({ target, originSite, reader, control }: Ends, keep: () => Promise<void>): KeptFirst {
  const stopping = new AbortController();
  let keeping: Promise<void> | undefined;
  let failure: Error | undefined;
  const kept = async (): Promise<void> => {
    try {
      await keep();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      stopping.abort(failure);
      throw failure;
    }
  };
  const first = (): Promise<void> => {
    keeping ??= kept();
    return keeping;
  };
  return {
    target: {
      ...target,
      apply: async (...call) => {
        await first();
        return target.apply(...call);
      },
      holds: async (...call) => {
        await keeping;
        return target.holds(...call);
      },
    },
    originSite: {
      ...originSite,
      undelete: async (...call) => {
        await first();
        return originSite.undelete(...call);
      },
      revert: async (...call) => {
        await first();
        return originSite.revert(...call);
      },
    },
    reader: {
      ...reader,
      read: async (...call) => {
        await keeping;
        return reader.read(...call);
      },
    },
    control: { ...control, abort: AbortSignal.any([control.abort, stopping.signal]) },
    failure: () => failure,
  };
}

/**
 * The dry run of `restoreInPlace`: the same code, which sends no write. It changes the workspace,
 * so give it a copy. It assumes that the site restores each deleted guide as it was, since a
 * refusal is known only by asking.
 */
export async function rehearseInPlace(parts: InPlaceParts): Promise<InPlaceSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const site = dryRunSite(parts);
  const job = await beginInPlace({ ...parts, ...site }, survey, true);
  const items = await plannedItems(job);
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  return {
    ...comparisonOf(job),
    raced: [],
    clashes: 0,
    writes: site.originSite.writes() + site.target.writes() + requests,
    planned: planOf(job, items),
  };
}

async function plannedItems(job: InPlaceJob): Promise<readonly PlannedItem[]> {
  if (job.run.touched.size === 0) return [];
  const { plan } = await import("../../sync/plan/plan.js");
  return (await plan({ ...loadPartsOf(job), rate: null, because: new Map() })).items;
}

function planOf({ context }: InPlaceJob, items: readonly PlannedItem[]): InPlacePlan {
  const kinds: Record<string, number> = { ...context.journal.kinds };
  const steps = new Map(context.journal.steps);
  for (const item of items) {
    const all = [...(steps.get(item.key) ?? []), ...item.steps, ...obstaclesOf(item)];
    if (all.length > 0) steps.set(item.key, all);
    for (const [kind, count] of Object.entries(item.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return { kinds, steps };
}

function obstaclesOf({ issues }: PlannedItem): readonly string[] {
  return issues.filter(({ code }) => code === "will-fail").map(({ message }) => `WILL FAIL: ${message}`);
}

interface Written {
  readonly target: Target;
  readonly originSite: OriginSite;
}

/** Counts writes in place of sending them; each restore of a deleted guide succeeds. */
function dryRunSite({ target, originSite }: Written): Written {
  let [writes, calls] = [0, 0];
  const done = async (): Promise<undefined> => {
    calls += 1;
    return undefined;
  };
  return {
    target: {
      ...target,
      writes: () => writes,
      apply: async (operation, context) => {
        const rehearsed = await target.rehearse(operation, context);
        writes += rehearsed.writes;
        return rehearsed.receipt;
      },
    },
    originSite: { ...originSite, undelete: done, revert: done, writes: () => calls },
  };
}

/**
 * Reads the lists of the site, which also saves a request for the tags of each guide. Keeps a key
 * and a token in memory for each item.
 */
async function listPresent(context: RestoreContext): Promise<PresentList> {
  const { reader, survey, control, contents, ledger } = context;
  const includePrivate = survey.identity.account?.admin === true;
  const tokens = new Map<Key, string>();
  const newer = new Set<Key>();
  for await (const { key, revision } of reader.list({ kinds: PUT_BACK, includePrivate, since: null }, control.abort)) {
    tokens.set(key, revision);
    newer.add(key);
  }
  for await (const keys of contents.keys(PUT_BACK))
    for (const key of keys) {
      newer.delete(key);
      const id = await ledger.idOf(key);
      // A guide that a restore recreated is not new.
      if (id !== undefined && key.startsWith("guide/")) newer.delete(`guide/${id}`);
    }
  const isAbsent = async (guide: Key): Promise<boolean> => !tokens.has(`guide/${(await ledger.idOf(guide)) ?? ""}`);
  return { tokenOf: (key) => tokens.get(key), isAbsent, newer: [...newer].sort() };
}

/** For a selection of a few items: requests each of them instead of the lists. */
function notListed({ target, ledger, control }: RestoreContext): PresentList {
  const isAbsent = async (guide: Key): Promise<boolean> => {
    const id = await ledger.idOf(guide);
    return id === undefined || !(await target.holds(guide, id, control.abort));
  };
  return { tokenOf: () => undefined, isAbsent, newer: [] };
}

/** Makes the reader forget its cached lists and trees, since a list starts with empty caches. */
async function clearReaderCache({ reader, control }: Pick<RestoreContext, "reader" | "control">): Promise<void> {
  const rows = reader.list({ kinds: new Set(), includePrivate: false, since: null }, control.abort);
  for await (const row of rows) throw new Error(`A list of no kinds returned ${row.key}: a defect of guideferry.`);
}
