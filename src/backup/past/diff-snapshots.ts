import type { ItemRow, MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { merged } from "../../storage/repository/read/side-by-side.js";
import type { Repository } from "../../storage/repository/repository.js";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { type FieldChange, fieldChanges } from "./field-changes.js";
import { readableText } from "./readable-text.js";
import { recordDiff } from "./record-diff.js";
import { storedItem } from "./stored-item.js";
import { type DiffNames, unifiedDiff } from "./unified-diff.js";

/** What differs between two snapshots in one item. */
export interface ItemDifference {
  readonly what: "new" | "changed" | "deleted";
  readonly key: Key;
  readonly kind: ItemKind;
  readonly title: string;
  /** The change tokens; null: not there. */
  readonly revisions: readonly [before: string | null, after: string | null];
  /** Of a changed item. */
  readonly changes: readonly FieldChange[];
  /** The readable texts as unified diffs, of a record one for each row with an id; null: not asked for, or they are the same. */
  readonly text: string | null;
}

/** Contents that only one of two snapshots names. */
export interface MediaDifference {
  readonly new: { readonly contents: number; readonly bytes: number };
  readonly gone: { readonly contents: number; readonly bytes: number };
}

type Readers = Pick<Repository, "items" | "media" | "open">;

/** Item by item, in the order of keys. Both lists are walked side by side, so memory doesn't grow with them. Throws what Repository says. */
export async function* diffItems(
  repository: Readers,
  from: SnapshotId,
  to: SnapshotId,
  { text }: { readonly text: boolean },
): AsyncGenerator<ItemDifference> {
  const rows = merged(repository.items(from), repository.items(to), ({ key }) => key);
  for await (const [one, other] of rows) {
    const [before, after] = [presentIn(one), presentIn(other)];
    if (before?.sha256 === after?.sha256) continue;
    yield describe(repository, before, after, text ? { from, to } : null);
  }
}

/** The contents that came and went between two snapshots. */
export async function diffMedia(repository: Readers, from: SnapshotId, to: SnapshotId): Promise<MediaDifference> {
  const found = { new: { contents: 0, bytes: 0 }, gone: { contents: 0, bytes: 0 } };
  const add = (sum: { contents: number; bytes: number }, { size }: MediaRow): void => {
    sum.contents += 1;
    sum.bytes += size;
  };
  for await (const [one, other] of merged(repository.media(from), repository.media(to), ({ sha256 }) => sha256)) {
    if (one === undefined && other !== undefined) add(found.new, other);
    else if (one !== undefined && other === undefined) add(found.gone, one);
  }
  return found;
}

function presentIn(row: ItemRow | undefined): PresentRow | undefined {
  return row?.state === "present" ? row : undefined;
}

async function describe(
  repository: Readers,
  before: PresentRow | undefined,
  after: PresentRow | undefined,
  between: { readonly from: SnapshotId; readonly to: SnapshotId } | null,
): Promise<ItemDifference> {
  const row = after ?? before;
  if (row === undefined) throw new TypeError("a difference between nothing and nothing");
  const { key, kind, title } = row;
  const what = before === undefined ? "new" : after === undefined ? "deleted" : "changed";
  const revisions = [before?.revision ?? null, after?.revision ?? null] as const;
  if (what !== "changed" && between === null) return { what, key, kind, title, revisions, changes: [], text: null };
  const one = before === undefined ? undefined : await storedItem(repository, before);
  const other = after === undefined ? undefined : await storedItem(repository, after);
  const changes = one === undefined || other === undefined ? [] : fieldChanges(one, other);
  const text = between === null ? null : textDiff({ name: key, ...between }, one, other);
  return { what, key, kind, title, revisions, changes, text };
}

/** null: the texts are the same. */
function textDiff(names: DiffNames, before: Item | undefined, after: Item | undefined): string | null {
  if (before?.kind === "record" && after?.kind === "record")
    return recordDiff(names, before.body.answer, after.body.answer);
  const [one, other] = [before, after].map((item) => (item === undefined ? "" : readableText(item)));
  return unifiedDiff(names, one ?? "", other ?? "");
}
