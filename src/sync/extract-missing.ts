import type { Listed } from "../core/contracts.js";
import { EXIT, FerryError } from "../core/errors.js";
import { type ItemKind, type Key, kindOf, wikiOf } from "../core/model/key.js";
import { isRefusedList, type Keeper } from "./extract-keep.js";
import type { ExtractRun } from "./extract-run.js";
import { throwIfStopped } from "./extract-stop.js";
import { unlistedParts } from "./extract-unlisted.js";
import { remedyAt } from "./remedies.js";

/** An item that the site lists and does not have. */
class MissingItemError extends FerryError {
  override readonly name = "MissingItemError";

  constructor(key: Key) {
    super(`${key} is listed, and was answered 404 (not found) when it was read.`, { exitCode: EXIT.someFailed });
  }
}

/**
 * An item was listed and is answered 404: deleted meanwhile, or kept from us. Until `settleMissing` knows which, it is a failure. What a list of
 * its kind never showed is simply not there.
 */
export function noteMissing(
  { workspace, counters }: ExtractRun,
  { key, perhaps }: Pick<Listed, "key" | "perhaps">,
): void {
  counters.vanished.add(key);
  if (perhaps === true) {
    workspace.failures.clear("extract", key);
    return;
  }
  const error = new MissingItemError(key);
  workspace.failures.add("extract", key, error.message, remedyAt("source", error));
}

/**
 * Lists once more what was listed and not there when it was read. What is still listed stays a failure, with what is known of it; the rest is
 * deleted. Asks nothing when nothing is missing. Throws what `beforeGone` throws, and BrakeError for too much that is still listed.
 */
export async function settleMissing(run: ExtractRun, keeper: Keeper): Promise<void> {
  const { workspace, counters, options, control } = run;
  if (counters.vanished.size === 0) return;
  for (const key of await stillListed(run)) {
    // Not before: at a site where much is deleted just now, most of what is missing is no failure.
    control.brake.failure(new MissingItemError(key));
    counters.vanished.delete(key);
    counters.kinds[kindOf(key) as ItemKind].failed += 1;
    keeper.translations(key);
  }
  for (const key of counters.vanished) {
    workspace.failures.clear("extract", key);
    for (const one of [key, ...keeper.translationsBefore(key)]) workspace.items.unlist(one);
  }
  options.beforeGone?.(unlistedParts(workspace.items));
}

async function stillListed(run: ExtractRun): Promise<readonly Key[]> {
  const { source, selection, control, counters } = run;
  const missing = [...counters.vanished];
  const kinds = new Set(missing.map((key) => kindOf(key) as ItemKind));
  const still = new Set<Key>();
  // Only what the lists themselves show: asked for by its date nothing is.
  for await (const row of source.list(
    { kinds, includePrivate: selection.includePrivate, since: null },
    control.abort,
  )) {
    throwIfStopped(run);
    // A namespace that the site refuses to list now says nothing about its pages.
    const shown = isRefusedList(row.key) ? missing.filter((key) => isPageOf(key, row.key)) : [row.key];
    if (row.perhaps !== true) for (const key of shown) if (counters.vanished.has(key)) still.add(key);
  }
  return [...still];
}

function isPageOf(key: Key, list: Key): boolean {
  return (kindOf(key) === "wiki" || kindOf(key) === "category") && list === `record/wikis/${wikiOf(key).namespace}`;
}
