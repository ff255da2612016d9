import { ArchivedGuideError } from "../service/source/archived-guide-error.js";
import { UnreleasedError } from "../service/source/unreleased-error.js";
import type { Listed } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf, restOf } from "../core/model/key.js";
import { parallel } from "../core/util/parallel.js";
import { endsRun, isFinal, reasonOf } from "./extract-errors.js";
import type { Keeper } from "./extract-keep.js";
import type { ExtractRun } from "./extract-run.js";
import { throwIfStopped, untilStopped } from "./extract-stop.js";
import { readStored } from "./extract-stored.js";
import { remedyAt } from "./remedies.js";

/** How many items that no list shows any more are asked for in one run before they count as deleted. */
export const MOST_ASKED = 500;

/** What has an address of its own to ask at. Records are read each by itself, media with what shows them. */
const ASKED: ReadonlySet<ItemKind> = new Set(["category", "wiki", "guide"]);

/**
 * Asks for each item that the lists had and don't show any more: a list that is short for a moment must not make tombstones. What is there stays present, and is
 * returned to be read where it changed; what can't be told stays too, as a failure. Behind MOST_ASKED the rest counts as deleted only when
 * all that were asked for are gone. To be called when everything was listed. Throws what ends the run.
 */
export async function askForUnlisted(run: ExtractRun, keeper: Keeper): Promise<readonly Listed[]> {
  const { items } = run.workspace;
  const unlisted = [...items.unlisted()].filter((key) => ASKED.has(kindOf(key) as ItemKind));
  const asked = unlisted.slice(0, MOST_ASKED);
  const changed: Listed[] = [];
  await parallel(untilStopped(run, asked), run.control.concurrency, async (key) => {
    const found = await look(run, key);
    if (found === "gone") return;
    const stored = keep(run, key);
    if (found === "unknown" || (found.revision !== "" && found.revision === stored?.revision)) keeper.translations(key);
    else changed.push({ key, revision: found.revision, title: "", category: null, modified: null, ...stored });
  });
  throwIfStopped(run);
  if (run.counters.unlisted.size === 0) return changed;
  for (const key of unlisted.slice(MOST_ASKED)) {
    keep(run, key);
    keeper.translations(key);
  }
  await keepRecords(run);
  return changed;
}

/** Records of one guide or page: `guides/12/releases`, `user_view_history/wiki/622`. */
const RECORD_OF = /(?:^|\/)(guide|wiki|work_log)s?\/(\d+)(?:\/|$)/;

/** Records that are found by a row of a list go with the row; those of items that stay, stay. */
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
  counters.unlisted.add(key);
  return entry;
}

/** `unknown`: the site gives no clear answer. */
async function look(run: ExtractRun, key: Key): Promise<Item | "gone" | "unknown"> {
  const { source, control, workspace } = run;
  try {
    const item = await source.read(key, control.abort);
    // An answer with another title is another page, to which the site leads from the one that was asked for.
    return item === undefined || item.issues.some(({ code }) => code === "other-title") ? "gone" : item;
  } catch (error) {
    if (endsRun(error, control)) throw error;
    // Not shown to this account, as what was made private; nothing but the list speaks of it.
    if (error instanceof ArchivedGuideError || error instanceof UnreleasedError || isFinal(error)) return "gone";
    workspace.failures.add("extract", key, reasonOf(error), remedyAt("source", error));
    control.brake.failure(error);
    return "unknown";
  }
}
