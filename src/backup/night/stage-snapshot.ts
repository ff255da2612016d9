import { relative, sep } from "node:path";
import type { SnapshotId } from "../../storage/repository/format.js";
import { EXIT, FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { ItemEntry } from "../../storage/workspace/item-index.js";
import { type Layout, layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { Batch } from "./batch.js";
import { contentIn, type ItemContent, isMediaKind } from "./content-in.js";
import type { IsWanted } from "./leave-personal.js";

/**
 * Notes in the workspace what goes into a snapshot: files of items that are new or changed, media that no archive holds, and items that are gone
 * since. `full`: everything there is; of items that are not wanted nothing. What can't be read is written down as a failure, and stays as the snapshot before has it, or out.
 */
export async function stageSnapshot(
  workspace: Workspace,
  { snapshot, full, isWanted }: { readonly snapshot: SnapshotId; readonly full: boolean; readonly isWanted: IsWanted },
): Promise<void> {
  const { archived, items, failures } = workspace;
  archived.begin(snapshot);
  const staging: Staging = {
    workspace,
    full,
    layout: layoutOf(workspace.directory),
    batch: new Batch(archived),
    lacking: new Set(failures.list("media").map(({ key }) => key)),
  };
  for (const entry of items.entries()) {
    if (!isWanted(entry.key)) continue;
    if (entry.state === "present") await stageItem(staging, entry);
    else stageGone(staging, entry, snapshot);
  }
  staging.batch.flush();
}

interface Staging {
  readonly workspace: Workspace;
  readonly full: boolean;
  readonly layout: Layout;
  readonly batch: Batch;
  /** Keys with a failure in the stage `media` until now. */
  readonly lacking: ReadonlySet<Key>;
}

async function stageItem(staging: Staging, entry: ItemEntry): Promise<void> {
  const { workspace, batch, full } = staging;
  const { key, digest } = entry;
  const known = workspace.archived.item(key);
  if (known?.digest === digest) {
    if (full) batch.add((add) => add.item(key, { ...known, archive: "" }));
    if (known.content !== null) stageMedium(staging, key, known.content, await freshOf(staging, entry, known.content));
    return;
  }
  const file = await fileOf(staging, entry);
  if (file === undefined) {
    // The snapshot before has it as it was.
    if (known !== undefined && full) batch.add((add) => add.item(key, { ...known, archive: "" }));
    return;
  }
  const medium = isMediaKind(entry.kind) ? contentIn(file) : null;
  const path = pathOf(staging, key);
  const content = medium?.sha256 ?? null;
  batch.add((add) => add.item(key, { digest, size: file.length, content, archive: "", path }));
  if (medium !== null) stageMedium(staging, key, medium.sha256, medium);
}

/** What the file of an unchanged item says of its bytes, where no archive has them any more. */
async function freshOf(staging: Staging, entry: ItemEntry, sha256: string): Promise<ItemContent | null> {
  if (staging.workspace.archived.medium(sha256) !== undefined) return null;
  const file = await fileOf(staging, entry);
  return file === undefined ? null : contentIn(file);
}

/** `fresh`: what the item's file says of its bytes, where it was read. */
function stageMedium(
  { workspace, batch, full, lacking }: Staging,
  key: Key,
  sha256: string,
  fresh: { readonly size: number; readonly path: string } | null,
): void {
  const { archived, media, failures } = workspace;
  const known = archived.medium(sha256);
  if (known === undefined && (fresh === null || !media.isHere(sha256))) {
    failures.add(
      "media",
      key,
      `The bytes of ${key} (sha256 ${sha256}) are neither in the workspace nor in an archive that is there.`,
      "Run the backup again: it reads everything from the site anew and fetches what is missing.",
    );
    return;
  }
  if (lacking.has(key)) failures.clear("media", key);
  const place = known ?? fresh;
  if (place === null || (known !== undefined && !full)) return;
  batch.add((add) => add.medium(sha256, { size: place.size, path: place.path, archive: "" }));
}

/** An item that no snapshot has ever had leaves no trace. */
function stageGone({ workspace, batch }: Staging, entry: ItemEntry, deleted: SnapshotId): void {
  if (workspace.archived.item(entry.key) === undefined) return;
  const { key, kind, revision, title } = entry;
  batch.add((add) => add.tombstone({ key, kind, revision, title, deleted }));
}

async function fileOf({ workspace }: Staging, { key }: ItemEntry): Promise<Buffer | undefined> {
  try {
    return await workspace.items.file(key);
  } catch (error) {
    if (!(error instanceof FerryError) || error.exitCode !== EXIT.someFailed) throw error;
    workspace.failures.add("extract", key, error.message, "Run the backup again: it reads this item anew.");
    return undefined;
  }
}

function pathOf({ layout }: Staging, key: Key): string {
  return relative(layout.directory, layout.item(key)).split(sep).join("/");
}
