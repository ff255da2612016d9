import type { Listed } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { COMMENTS, isMediaKey, type Key, kindOf } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { dependenciesOf } from "../dependencies.js";
import { takesEverything } from "../selection.js";
import { storeRecord } from "./families.js";
import { extractItem } from "./item.js";
import { type Found, listChanges } from "./listing.js";
import { MediaFetcher } from "./media.js";
import { askForUnlisted, type KeptItems, resolveMissing } from "./missing.js";
import {
  Counters,
  DEFAULT_CYCLE,
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
  const changed = new Map([...found.changed, ...rows.map((row) => [row.key, row] as const)]);
  return { ...found, changed, chosen: [...found.chosen, ...rows.map(({ key }) => key)] };
}

/** In waves: pages, which show the site's languages; guides; then what these need. */
async function readAll(run: ExtractRun, found: Found, following: boolean): Promise<void> {
  const fetcher = new MediaFetcher(run);
  const seen = new Set<Key>(found.chosen);
  const isGuide = (key: Key) => kindOf(key) === "guide";
  run.counters.plan(found.chosen.length);
  const needed = [
    ...(await readWave(run, found, fetcher, { keys: found.chosen.filter((key) => !isGuide(key)), following, seen })),
    ...(await readWave(run, found, fetcher, { keys: found.chosen.filter(isGuide), following, seen })),
  ];
  for (let keys: readonly Key[] = needed; keys.length > 0; ) {
    run.counters.plan(keys.length);
    keys = await readWave(run, found, fetcher, { keys, following, seen });
  }
}

interface Wave {
  readonly keys: readonly Key[];
  readonly following: boolean;
  readonly seen: Set<Key>;
}

async function readWave(run: ExtractRun, found: Found, fetcher: MediaFetcher, wave: Wave): Promise<readonly Key[]> {
  const needed: Key[] = [];
  await parallel(untilStopped(run, wave.keys), run.control.concurrency, async (key) => {
    const item = await take(run, fetcher, found, key);
    if (!wave.following || item === undefined) return;
    for (const need of dependenciesOf(item, run.site)) {
      if (!wave.seen.has(need.key)) needed.push(need.key);
      wave.seen.add(need.key);
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
