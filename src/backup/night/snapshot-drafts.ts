import type { PresentRow } from "../../storage/repository/format.js";
import type { Draft } from "../../storage/repository/write/draft.js";
import { idIn, type Key, kindOf } from "../../core/model/key.js";
import type { ArchivedItem } from "../../storage/workspace/archived.js";
import type { ItemEntry } from "../../storage/workspace/item-index.js";
import type { Workspace } from "../../storage/workspace/workspace.js";

/** Kinds whose lists are compared as a whole each time: what is there as listed is as old as the list. */
const LISTED: ReadonlySet<string> = new Set(["category", "wiki", "guide"]);

/** Whether a night compared an item with the site. */
export interface Compared {
  /** UNIX seconds at which the site's lists were read. */
  readonly at: number;
  /** Guides and pages that no list showed, or that were not shown to this account: they are as old as they were. */
  readonly except: ReadonlySet<Key>;
}

/** Every row of a snapshot that was staged. */
export function* snapshotDrafts(workspace: Workspace, compared: Compared): Generator<Draft> {
  const { archived, items, failures } = workspace;
  const unseen = new Set([...compared.except, ...failures.list("extract").map(({ key }) => key)]);
  for (const entry of items.entries()) {
    if (entry.state !== "present") continue;
    const isCompared = LISTED.has(entry.kind) && !unseen.has(withoutLanguage(entry.key));
    yield* draftsOf(workspace, entry, isCompared ? Math.max(compared.at, entry.readAt) : entry.readAt);
  }
  for (const tombstone of archived.tombstones("waiting"))
    yield { item: { ...tombstone, state: "deleted" }, change: "deleted" };
  for (const tombstone of archived.tombstones("known")) {
    const isBack = items.entry(tombstone.key)?.state === "present" && archived.waitingItem(tombstone.key) !== undefined;
    if (!isBack) yield { item: { ...tombstone, state: "deleted" }, change: null };
  }
}

/** Translations are compared with their guide. */
function withoutLanguage(key: Key): Key {
  return kindOf(key) === "guide" ? `guide/${idIn(key)}` : key;
}

function* draftsOf({ archived }: Workspace, entry: ItemEntry, read: number): Generator<Draft> {
  const known = archived.item(entry.key);
  const waiting = archived.waitingItem(entry.key);
  const item = waiting ?? known;
  if (item === undefined) return;
  const isSame = known?.digest === item.digest;
  yield {
    item: rowOf(entry, item, isSame ? (known?.archive ?? null) : null, read),
    write: waiting !== undefined,
    change: known === undefined ? "new" : isSame ? null : "changed",
  };
  const sha256 = item.content;
  if (sha256 === null) return;
  const [knownMedium, waitingMedium] = [archived.medium(sha256), archived.waitingMedium(sha256)];
  const medium = waitingMedium ?? knownMedium;
  if (medium === undefined) return;
  const { size, path } = medium;
  yield {
    medium: { sha256, size, path, archive: knownMedium?.archive ?? null },
    write: waitingMedium !== undefined,
    change: knownMedium === undefined ? "new" : null,
  };
}

function rowOf(entry: ItemEntry, item: ArchivedItem, archive: string | null, read: number) {
  const { key, kind, revision, title, category, modified } = entry;
  const { digest: sha256, size, path } = item;
  const state: PresentRow["state"] = "present";
  return { key, kind, state, revision, title, category, modified, read, sha256, size, archive, path };
}
