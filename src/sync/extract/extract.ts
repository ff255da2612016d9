import type { Listed } from "../../core/contracts.js";
import { FerryError, messageOf, RefusedAddressError } from "../../core/errors.js";
import { type Issue, REFERENCE_DANGLING } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { COMMENTS, type ItemKind, isMediaKey, type Key, kindOf } from "../../core/model/key.js";
import { stopwatch } from "../../core/util/clock.js";
import { parallel } from "../../core/util/concurrency.js";
import { ArchivedGuideError, UnreleasedError } from "../../service/source/version.js";
import { dependenciesOf, withReferredMedia } from "../dependencies.js";
import { endsRun, isFinal, remedyAt } from "../remedies.js";
import { DEFAULT_CYCLE, takesEverything } from "../selection.js";
import { storeRecord } from "./families.js";
import { type Found, listChanges } from "./listing.js";
import { type MediaFailure, MediaFetcher } from "./media.js";
import { askForUnlisted, type KeptItems, noteMissing, resolveMissing } from "./missing.js";
import {
  Counters,
  type ExtractParts,
  type ExtractRun,
  extractMemory,
  readStored,
  refreshSchedule,
  rememberCompleteExtract,
  rememberStart,
  stopped,
  throwIfStopped,
  unlistedParts,
  untilStopped,
} from "./run.js";
import { countModules, type ExtractSummary, privateIncluded, summarize } from "./summary.js";

/**
 * Fills or refreshes a workspace: reads the lists, then new and changed items with their media. May
 * be killed anywhere and run again. Failures of single items are recorded and counted. Throws what
 * ends the run: StoppedError, SafetyLimitError (too much fails), ConnectionError (the site is
 * unreachable), SignInError, WorkspaceError.
 */
export async function extract(parts: ExtractParts): Promise<ExtractSummary> {
  const startedAt = nowInSeconds();
  const counters = new Counters();
  try {
    const site = await parts.source.identify(parts.control.abort);
    await parts.workspace.claim(site);
    return await fill({ ...parts, site, startedAt, counters, ...(await scheduleOf(parts, startedAt)) });
  } catch (error) {
    throw parts.control.abort.aborted ? stopped({ counters }, error) : error;
  }
}

async function scheduleOf(parts: ExtractParts, startedAt: number) {
  const { workspace, options } = parts;
  const { since: last, completedExtracts } = extractMemory(workspace);
  // The clock was wrong: everything is listed.
  const since = last !== null && last > startedAt ? 0 : last;
  const firstStart = isWhole(parts) ? await rememberStart(workspace, startedAt) : startedAt;
  const cycle = options.refreshCycle ?? DEFAULT_CYCLE;
  return {
    since,
    completedExtracts,
    schedule: refreshSchedule({ cycle, completedExtracts, startedAt: firstStart, now: nowInSeconds }),
  };
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function isWhole({ selection, options }: Pick<ExtractParts, "selection" | "options">): boolean {
  return takesEverything(selection) && options.onlyFailed !== true;
}

async function fill(run: ExtractRun): Promise<ExtractSummary> {
  const { workspace, selection, options } = run;
  // Items that chosen items need are found item by item.
  const following = selection.dependencies && !takesEverything(selection);
  const found = await listChanges(run, following);
  await found.kept.finish(privateIncluded(run) === "yes");
  const unlisted = await askForUnlisted(run, found.kept);
  options.beforeDeletions?.([...found.emptied.map(({ list }) => list), ...unlistedParts(workspace.items)]);
  for (const { record } of found.emptied) if (record.key !== COMMENTS) await storeRecord(run, record);
  await readAll(run, withRows(found, unlisted), following);
  throwIfStopped(run);
  await found.families.read();
  await resolveMissing(run, found.kept);
  const deleted = workspace.items.endListing(isWhole(run) ? proofOf(run, found.kept) : undefined);
  for (const key of [...deleted, ...found.unseenFailures]) forget(run, key);
  if (isWhole(run)) await rememberAll(run, found);
  return summarize(run, deleted, await countModules(run, isWhole(run)));
}

function withRows(found: Found, rows: readonly Listed[]): Found {
  if (rows.length === 0) return found;
  for (const row of rows) found.changed.add(row);
  return { ...found, chosen: [...found.chosen, ...rows.map(({ key }) => key)] };
}

/** In waves: pages, which show the site's languages; guides; then what these need. */
async function readAll(run: ExtractRun, found: Found, following: boolean): Promise<void> {
  const fetcher = new MediaFetcher(run);
  const followed = following ? new Set<Key>(found.chosen) : undefined;
  run.counters.plan(found.chosen.length);
  const needed = [
    ...(await readWave(run, found, fetcher, { keys: chosenKeys(found, { guides: false }), followed })),
    ...(await readWave(run, found, fetcher, { keys: chosenKeys(found, { guides: true }), followed })),
  ];
  for (let keys: readonly Key[] = needed; keys.length > 0; ) {
    run.counters.plan(keys.length);
    keys = await readWave(run, found, fetcher, { keys, followed });
  }
}

function* chosenKeys({ chosen }: Found, { guides }: { readonly guides: boolean }): Generator<Key> {
  for (const key of chosen) if ((kindOf(key) === "guide") === guides) yield key;
}

interface Wave {
  readonly keys: Iterable<Key>;
  /** Keys of this and earlier waves; undefined: what items need is not read. */
  readonly followed: Set<Key> | undefined;
}

async function readWave(
  run: ExtractRun,
  found: Found,
  fetcher: MediaFetcher,
  { keys, followed }: Wave,
): Promise<readonly Key[]> {
  const needed: Key[] = [];
  await parallel(untilStopped(run, keys), run.control.concurrency, async (key) => {
    const item = await take(run, fetcher, found, key);
    if (followed === undefined || item === undefined) return;
    for (const need of dependenciesOf(item, run.site)) {
      if (!followed.has(need.key)) needed.push(need.key);
      followed.add(need.key);
    }
  });
  throwIfStopped(run);
  return needed.filter((key) => found.changed.has(key) || isStored(run, key));
}

async function take(run: ExtractRun, fetcher: MediaFetcher, found: Found, key: Key): Promise<Item | undefined> {
  const listed = found.changed.get(key);
  const stored = listed === undefined ? await readStored(run.workspace.items, key) : undefined;
  if (stored !== undefined) {
    run.counters.finish();
    return stored;
  }
  const outcome = await extractItem(run, fetcher, {
    ...(listed ?? { key }),
    translations: found.kept.translationsBefore(key),
  });
  if (outcome.state === "stored") return outcome.item;
  found.kept.keepTranslations(key);
  return undefined;
}

function isStored({ workspace }: ExtractRun, key: Key): boolean {
  return !isMediaKey(key) && workspace.items.entry(key)?.state === "present";
}

function forget({ workspace }: ExtractRun, key: Key): void {
  workspace.failures.clear("extract", key);
  workspace.failures.clear("media", key);
}

/** Only at the end: a run that ended earlier would lose changes of items that it did not read. */
async function rememberAll(run: ExtractRun, { comments }: Found): Promise<void> {
  if (comments !== undefined) await storeRecord(run, comments.record);
  await rememberCompleteExtract(run.workspace, run.startedAt);
}

/**
 * Is an item deleted at the source if a run of everything does not list it? Unproven where the site
 * refused a list, and for guides if the account sees public guides only, since a guide that became
 * private looks the same. An unreleased item exists, and is only left out of a workspace of
 * released versions.
 */
function proofOf(run: ExtractRun, kept: KeptItems): (key: Key) => boolean {
  const seesAll = privateIncluded(run) === "yes";
  const unreleased: ReadonlySet<Key> = new Set(run.counters.unreleased);
  return (key) => !kept.refuses(key) && !unreleased.has(key) && (seesAll || kindOf(key) !== "guide");
}

interface Wanted extends Partial<Listed> {
  readonly key: Key;
  /** Known translations: read again, since a site may not show its languages. */
  readonly translations?: readonly Key[];
}

/** `missing`: it does not exist; `archived`: the site hides it from the account. */
type Outcome =
  | { readonly state: "stored"; readonly item: Item }
  | { readonly state: "missing" | "archived" | "failed" };

/**
 * Reads one item with its translations and media, and stores it. A failure is recorded and counted.
 * It ends the run only where every other item would fail too.
 * | Media are stored first, so that a stored item is complete and the run after a kill finds the
 * rest.
 */
async function extractItem(run: ExtractRun, fetcher: MediaFetcher, wanted: Wanted): Promise<Outcome> {
  const { control, counters } = run;
  const duration = stopwatch();
  try {
    return await readWhole(run, fetcher, wanted);
  } catch (error) {
    if (endsRun(error, control)) throw error;
    if (error instanceof ArchivedGuideError) return leaveOut(run, wanted.key);
    if (error instanceof UnreleasedError) return leaveUnreleased(run, wanted.key);
    counters.count(kindOf(wanted.key) as ItemKind, "failed");
    run.workspace.failures.add("extract", wanted.key, messageOf(error), remedyAt("source", error));
    control.breaker.failure(error);
    return { state: "failed" };
  } finally {
    counters.finish();
    const [{ finished: done, planned: total }, unchanged] = [counters, counters.unchanged()];
    control.progress({
      ...{ stage: "extract", done, total, unchanged, key: wanted.key },
      ...{ duration: duration(), failed: counters.failed() },
    });
  }
}

/** Named in the summary only, since every extract finds it and nobody has to act. */
function leaveOut({ workspace, counters }: ExtractRun, key: Key): Outcome {
  counters.markArchived(key);
  workspace.failures.clear("extract", key);
  return { state: "archived" };
}

function leaveUnreleased({ workspace, counters }: ExtractRun, key: Key): Outcome {
  counters.markUnreleased(key);
  workspace.items.unlist(key);
  workspace.failures.clear("extract", key);
  return { state: "archived" };
}

async function readWhole(run: ExtractRun, fetcher: MediaFetcher, wanted: Wanted): Promise<Outcome> {
  const item = await run.source.read(wanted.key, run.control.abort);
  if (item === undefined) {
    noteMissing(run, wanted);
    return { state: "missing" };
  }
  const { translations, complete } = await extractTranslations(run, fetcher, item, wanted.translations ?? []);
  const stored = await store(run, fetcher, { item: { ...item, translations }, wanted, complete });
  return { state: "stored", item: stored.item };
}

/** A site that does not list translations is asked for each language that is known. */
async function extractTranslations(run: ExtractRun, fetcher: MediaFetcher, item: Item, known: readonly Key[]) {
  const translations: Key[] = [];
  let complete = true;
  for (const key of item.kind === "guide" ? new Set([...item.translations, ...known]) : []) {
    const translation = await run.source.read(key, run.control.abort);
    if (translation === undefined) continue;
    const stored = await store(run, fetcher, { item: translation, wanted: { key }, complete: true });
    translations.push(key);
    complete &&= stored.complete;
  }
  return { translations, complete };
}

interface Storing {
  readonly item: Item;
  readonly wanted: Wanted;
  /** Otherwise it is stored without its token, so that the next extract reads it again. */
  readonly complete: boolean;
}

async function store(run: ExtractRun, fetcher: MediaFetcher, { item: read, wanted, ...storing }: Storing) {
  const { workspace, counters, control, site } = run;
  const { item: whole, referred } = withReferredMedia(read, site);
  const all = await fetcher.fetchAll(whole);
  const dangling = all.filter(({ unknown, use }) => unknown && referred.has(use.key));
  const refused = all.filter(({ error }) => error instanceof RefusedAddressError);
  const failures = all.filter((failure) => !dangling.includes(failure) && !refused.includes(failure));
  const issues = [
    ...failures.map((failure) => missingMedia(read.key, failure)),
    ...refused.map((failure) => refusedMedia(read.key, failure)),
    ...dangling.map((failure) => danglingMedia(read.key, failure)),
  ];
  const complete = storing.complete && failures.every(({ error }) => isFinal(error));
  for (const { use } of refused) counters.markRefusedMedia(use.key);
  // Without its token the next extract reads it again. Its host may be allowed then.
  const revision = complete && refused.length === 0 ? whole.revision : "";
  const item: Item = { ...whole, issues: [...whole.issues, ...issues], revision };
  const listed = { ...wanted, revision };
  await workspace.items.putWithOthers(item, { listed, beside: () => noteFailures(run, item.key, failures) });
  counters.count(item.kind, "read");
  for (const { use } of failures) counters.count(kindOf(use.key) as ItemKind, "failed");
  // Counts only failures that may succeed later. A failure at another host does not concern the
  // site.
  const ofSite = failures.find(({ error, early }) => !early && !isFinal(error) && hostOf(error) === undefined);
  if (ofSite !== undefined) control.breaker.failure(ofSite.error);
  else if (storing.complete) control.breaker.success();
  return { item, complete };
}

function noteFailures({ workspace }: ExtractRun, key: Key, failures: readonly MediaFailure[]): void {
  workspace.failures.clear("extract", key);
  if (failures.length === 0) {
    workspace.failures.clear("media", key);
    return;
  }
  const { reason, remedy } = describeFailures(failures);
  workspace.failures.add("media", key, reason, remedy);
}

function hostOf(error: unknown): string | undefined {
  return error instanceof FerryError ? error.mediaHost : undefined;
}

function missingMedia(key: Key, { use, error }: MediaFailure): Issue {
  return {
    code: "media-missing",
    level: "error",
    key,
    path: use.path,
    message: `guideferry could not fetch ${use.key}: ${messageOf(error)}`,
    remedy: isFinal(error)
      ? "Correct it at the source, or remove it from the content there. Then run the extract again."
      : "Run the extract again.",
  };
}

function refusedMedia(key: Key, { use, error }: MediaFailure): Issue {
  return {
    code: "media-refused",
    level: "loss",
    key,
    path: use.path,
    message: `guideferry did not fetch ${use.key}: ${messageOf(error)}`,
    remedy:
      "Correct the address at the source, or allow its host with --allow-private-media. Then run the extract again.",
  };
}

function danglingMedia(key: Key, { use }: MediaFailure): Issue {
  return {
    code: REFERENCE_DANGLING,
    level: "note",
    key,
    path: use.path,
    message: `The text refers to ${use.key}, which the source does not have.`,
    remedy: "If that matters, remove the reference at the source.",
  };
}

function describeFailures(failures: readonly MediaFailure[]): {
  readonly reason: string;
  readonly remedy: string;
} {
  const reasons = failures.map(({ use, error }) => `${use.key} (${use.path}): ${messageOf(error)}`);
  const worst = failures.find(({ error }) => !isFinal(error)) ?? failures[0];
  return { reason: reasons.join("\n"), remedy: remedyAt("source", worst?.error) };
}
