import type { Listed } from "../../core/contracts.js";
import { EXIT, FerryError, messageOf } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import { type ItemKind, type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { ArchivedGuideError, UnreleasedError } from "../../service/source/version.js";
import type { ItemEntry } from "../../storage/workspace/item-store.js";
import { endsRun, isFinal, remedyAt } from "../remedies.js";
import { REFUSED_RECORD } from "./families.js";
import {
  EXTRACT_RECORD,
  type ExtractRun,
  ROWS,
  readStored,
  throwIfStopped,
  unlistedParts,
  untilStopped,
} from "./run.js";

const OWN_RECORDS: ReadonlySet<Key> = new Set([EXTRACT_RECORD, REFUSED_RECORD]);

/**
 * Stored entries that no list shows although they are not deleted: translations (their guide names
 * them), pages of a namespace that the site refuses to list, private guides that are left out,
 * records outside of this run or of a refused list, and guideferry's own records.
 */
export class KeptItems {
  readonly #run: ExtractRun;
  readonly #translations: ReadonlyMap<Key, readonly ItemEntry[]>;
  readonly #refused = new Set<string>();

  constructor(run: ExtractRun) {
    this.#run = run;
    this.#translations = translationsOf(run);
  }

  translationsBefore(key: Key): readonly Key[] {
    return (this.#translations.get(key) ?? []).map((entry) => entry.key);
  }

  keepTranslations(key: Key): void {
    for (const entry of this.#translations.get(key) ?? []) this.#run.workspace.items.listed(entry);
  }

  /** `key`: `record/wikis/ITEM` where the site refuses to list this namespace. */
  keepRefusedList(key: Key): void {
    const { items } = this.#run.workspace;
    const namespace = restOf(key).slice("wikis/".length);
    this.#refused.add(namespace);
    const prefix = namespace === "CATEGORY" ? "category/" : `wiki/${namespace}/`;
    for (const entry of items.entries(namespace === "CATEGORY" ? "category" : "wiki")) {
      if (entry.key.startsWith(prefix) && entry.state === "present") this.#keep(entry);
    }
  }

  refuses(key: Key): boolean {
    return isPage(key) && this.#refused.has(wikiOf(key).namespace);
  }

  /** Called after all lists. */
  async finish(privateIncluded: boolean): Promise<void> {
    const { items } = this.#run.workspace;
    this.#keepRecords();
    if (privateIncluded) return;
    for (const key of items.unlisted()) {
      if (kindOf(key) !== "guide") continue;
      const entry = items.entry(key);
      const item = await readStored(items, key);
      if (entry === undefined || item?.kind !== "guide" || item.body.public) continue;
      for (const kept of [entry, ...(this.#translations.get(key) ?? [])]) this.#keep(kept);
    }
  }

  #keep(entry: ItemEntry): void {
    this.#run.workspace.items.listed(entry);
    this.#run.options.onKept?.(entry.key);
  }

  #keepRecords(): void {
    const { source, workspace } = this.#run;
    for (const entry of workspace.items.entries("record")) {
      if (entry.state === "gone") continue;
      const isSeen = !OWN_RECORDS.has(entry.key) && (source.covers?.(entry.key) ?? true);
      if (!isSeen) workspace.items.listed(entry);
    }
  }
}

function translationsOf({ workspace }: ExtractRun): ReadonlyMap<Key, readonly ItemEntry[]> {
  const translations = new Map<Key, ItemEntry[]>();
  for (const entry of workspace.items.translations()) {
    if (entry.state === "gone") continue;
    const guide = entry.key.slice(0, entry.key.indexOf("@")) as Key;
    translations.set(guide, [...(translations.get(guide) ?? []), entry]);
  }
  return translations;
}

function isPage(key: Key): boolean {
  return kindOf(key) === "wiki" || kindOf(key) === "category";
}

export function isRefusedList(key: Key): boolean {
  return kindOf(key) === "record" && /^wikis\/[A-Z]+$/.test(restOf(key));
}

class MissingItemError extends FerryError {
  override readonly name = "MissingItemError";

  constructor(key: Key) {
    super(`${key} is listed, but the site answered 404 (not found) when guideferry read it.`, {
      exitCode: EXIT.someFailed,
    });
  }
}

/**
 * Records a listed item that is answered 404: deleted since the listing, or hidden from the
 * account. It is a failure until `resolveMissing` finds out which. With `perhaps` no list shows it,
 * so it does not exist.
 */
export function noteMissing(
  { workspace, counters }: ExtractRun,
  { key, perhaps }: Pick<Listed, "key" | "perhaps">,
): void {
  counters.markVanished(key);
  if (perhaps === true) {
    workspace.failures.clear("extract", key);
    return;
  }
  const error = new MissingItemError(key);
  workspace.failures.add("extract", key, error.message, remedyAt("source", error));
}

/**
 * Lists the kinds of missing items again: what is still listed stays a failure, the rest was
 * deleted. Sends nothing when nothing is missing. Throws what `beforeDeletions` throws, and
 * SafetyLimitError for too many failures.
 */
export async function resolveMissing(run: ExtractRun, kept: KeptItems): Promise<void> {
  const { workspace, counters, options, control } = run;
  if (counters.vanished.size === 0) return;
  for (const key of await stillListed(run)) {
    // Only now, since most missing items of a site with many deletions are not failures.
    control.breaker.failure(new MissingItemError(key));
    counters.markFailed(key);
    kept.keepTranslations(key);
  }
  for (const key of counters.vanished) {
    workspace.failures.clear("extract", key);
    for (const one of [key, ...kept.translationsBefore(key)]) workspace.items.unlist(one);
  }
  options.beforeDeletions?.(unlistedParts(workspace.items));
}

async function stillListed(run: ExtractRun): Promise<readonly Key[]> {
  const { source, workspace, selection, control, counters } = run;
  const missing = [...counters.vanished];
  const kinds = new Set(missing.map((key) => kindOf(key) as ItemKind));
  const still = new Set<Key>();
  // `since: null`, since a list of changes does not show what still exists.
  for await (const row of source.list(
    { kinds, includePrivate: selection.includePrivate, since: null, rows: workspace.scratch.texts(ROWS) },
    control.abort,
  )) {
    throwIfStopped(run);
    // A refused list does not show whether its pages exist.
    const shown = isRefusedList(row.key) ? missing.filter((key) => isPageOf(key, row.key)) : [row.key];
    if (row.perhaps !== true) for (const key of shown) if (counters.vanished.has(key)) still.add(key);
  }
  return [...still];
}

function isPageOf(key: Key, list: Key): boolean {
  return (kindOf(key) === "wiki" || kindOf(key) === "category") && list === `record/wikis/${wikiOf(key).namespace}`;
}

/** Unlisted items that one run requests before the rest counts as deleted. */
export const MOST_ASKED = 500;

/** Kinds with their own address: records and media are read in other ways. */
const ASKED: ReadonlySet<ItemKind> = new Set(["category", "wiki", "guide"]);

/**
 * Requests each item that the lists no longer show, so that a list that is short for a moment
 * deletes nothing. What exists is kept, and returned if it changed; what is unclear is kept as a
 * failure. Beyond MOST_ASKED the rest counts as deleted only when all requested items are deleted.
 * Called after all lists. Throws what ends the run.
 */
export async function askForUnlisted(run: ExtractRun, kept: KeptItems): Promise<readonly Listed[]> {
  const { items } = run.workspace;
  const unlisted = [...items.unlisted()].filter((key) => ASKED.has(kindOf(key) as ItemKind));
  const asked = unlisted.slice(0, MOST_ASKED);
  const changed: Listed[] = [];
  await parallel(untilStopped(run, asked), run.control.concurrency, async (key) => {
    const found = await askFor(run, key);
    if (found === "gone") return;
    const stored = keep(run, key);
    if (found === "unknown" || (found.revision !== "" && found.revision === stored?.revision))
      kept.keepTranslations(key);
    else changed.push({ key, revision: found.revision, title: "", category: null, modified: null, ...stored });
  });
  throwIfStopped(run);
  if (run.counters.unlisted.size === 0) return changed;
  for (const key of unlisted.slice(MOST_ASKED)) {
    keep(run, key);
    kept.keepTranslations(key);
  }
  await keepRecords(run);
  return changed;
}

/** Records of one guide or page: `guides/12/releases`, `user_view_history/wiki/622`. */
const RECORD_OF = /(?:^|\/)(guide|wiki|work_log)s?\/(\d+)(?:\/|$)/;

async function keepRecords({ workspace, counters }: ExtractRun): Promise<void> {
  const { items } = workspace;
  const records = [...items.unlisted()].filter((key) => RECORD_OF.test(restOf(key)));
  if (records.length === 0) return;
  const owners = new Set<string>();
  for (const key of counters.unlisted) {
    const item = await readStored(items, key);
    if (item?.kind === "guide") owners.add(`guide/${item.body.id}`).add(`work_log/${item.body.id}`);
    if (item?.kind === "wiki" || item?.kind === "category") owners.add(`wiki/${item.body.id}`);
  }
  for (const key of records) {
    const [, kind, id] = RECORD_OF.exec(restOf(key)) ?? [];
    const entry = owners.has(`${kind}/${id}`) ? items.entry(key) : undefined;
    if (entry !== undefined) items.listed(entry);
  }
}

function keep({ workspace, counters }: ExtractRun, key: Key) {
  const entry = workspace.items.entry(key);
  if (entry !== undefined) workspace.items.listed(entry);
  counters.markUnlisted(key);
  return entry;
}

async function askFor(run: ExtractRun, key: Key): Promise<Item | "gone" | "unknown"> {
  const { source, control, workspace } = run;
  try {
    const item = await source.read(key, control.abort);
    // An answer with another title is the page that the site redirects to.
    return item === undefined || item.issues.some(({ code }) => code === "other-title") ? "gone" : item;
  } catch (error) {
    if (endsRun(error, control)) throw error;
    // Hidden from the account like a private item, which only a list shows.
    if (error instanceof ArchivedGuideError || error instanceof UnreleasedError || isFinal(error)) return "gone";
    workspace.failures.add("extract", key, messageOf(error), remedyAt("source", error));
    control.breaker.failure(error);
    return "unknown";
  }
}
