import type { SnapshotId } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { type FieldChange, fieldChanges } from "./field-changes.js";
import { storedItem } from "./stored-item.js";
import { neverSeen, versionsOf } from "./versions.js";

/** How an item was found in a night: what it was not in the one before. */
export interface HistoryEntry {
  readonly snapshot: SnapshotId;
  /** `back`: it was gone before. */
  readonly what: "new" | "changed" | "deleted" | "back";
  readonly revision: string;
  readonly title: string;
  /** UNIX seconds, as the site said; null: it didn't, or the item is gone. */
  readonly modified: number | null;
  /** Bytes; null: it is gone. */
  readonly size: number | null;
  readonly sha256: string | null;
  /** Whom the item itself names: its author. */
  readonly author: string | null;
  /** Against the version before; empty for the first one. */
  readonly changes: readonly FieldChange[];
}

/** Each night in which an item changed, oldest first. Throws what Repository says, and UsageError (exit 10) when none has it. */
export async function* historyOf(repository: OpenRepository, key: Key): AsyncGenerator<HistoryEntry> {
  let before: Item | undefined;
  let isGone = false;
  const versions = await versionsOf(repository, key);
  if (versions.length === 0) throw neverSeen(repository, key);
  for (const { index, row } of versions) {
    const { snapshot } = index;
    const { revision, title } = row;
    if (row.state === "deleted") {
      isGone = true;
      yield { snapshot, what: "deleted", revision, title, ...NOTHING };
      continue;
    }
    const item = await storedItem(repository, row);
    const { modified, size, sha256 } = row;
    const changes = before === undefined ? [] : fieldChanges(before, item);
    const what = isGone ? "back" : before === undefined ? "new" : "changed";
    yield { snapshot, what, revision, title, modified, size, sha256, author: authorOf(item), changes };
    before = item;
    isGone = false;
  }
}

const NOTHING = { modified: null, size: null, sha256: null, author: null, changes: [] } as const;

/** The name of the person that an item tells as its author. */
export function authorOf(item: Item): string | null {
  return "author" in item.body ? (item.body.author?.name ?? null) : null;
}
