import { EXIT, UsageError } from "../core/errors.js";
import { extensionOf, isMediaItem, itemSchema } from "../core/model/item.js";
import { isMediaKind } from "../core/model/key.js";
import { parallel } from "../core/util/concurrency.js";
import type { PresentRow, SnapshotId } from "../storage/repository/format.js";
import { itemBytes } from "../storage/repository/read/contents.js";
import { isDamage } from "../storage/repository/read/damage.js";
import type { OpenRepository } from "../storage/repository/read/open-repository.js";
import type { Repository } from "../storage/repository/repository.js";
import type { Adding, ArchivedStore } from "../storage/workspace/archived.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** How a workspace was brought up to date with the repository before a backup. */
export interface LearnedPlaces {
  /** Items that a new workspace got from the last readable snapshot. */
  readonly rebuilt: number;
  /** Later snapshots, which can't be read to the end. */
  readonly damaged: readonly SnapshotId[];
  /** Contents whose archives are missing or cut off. */
  readonly forgotten: number;
  /** Items whose bytes can't be read, and which are read from the site again. */
  readonly unreadable: number;
  /** The last snapshot, when it is of another workspace and no key opens it: it is ignored. */
  readonly passedOver?: SnapshotId;
}

/**
 * Updates what the workspace knows of the archives to the last snapshot: finishes or drops what a
 * killed run left, forgets removed archives, and fills a new workspace. Throws UsageError (exit 2)
 * when that needs a key that was not given.
 */
export async function learnPlaces(workspace: Workspace, repository: OpenRepository): Promise<LearnedPlaces> {
  const { archived } = workspace;
  const snapshots = repository.snapshots();
  const last = snapshots.at(-1);
  const waiting = archived.waiting();
  if (waiting !== undefined && snapshots.some(({ snapshot }) => snapshot === waiting)) archived.settle();
  else archived.drop();
  if (last === undefined) {
    const forgotten = archived.keepOnly(new Set());
    archived.clear();
    return { ...NOTHING, forgotten };
  }
  const known = archived.snapshot();
  const { snapshot, encrypted } = last;
  const isBehind = known !== snapshot && encrypted && snapshots.some((one) => one.snapshot === known);
  const passes = isBehind && (await isLocked(repository, snapshot));
  const learned = known === snapshot || passes ? NOTHING : await catchUp(workspace, repository, known);
  const forgotten = archived.keepOnly(await archivesThere(repository));
  return { ...learned, forgotten, ...(passes ? { passedOver: snapshot } : {}) };
}

const NOTHING = { rebuilt: 0, unreadable: 0, damaged: [] };

/** The archives whose files exist and have the size in their index. */
export async function archivesThere({ locations, snapshots }: OpenRepository): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const { name, bytes } of snapshots().flatMap(({ archives }) => archives))
    if ((await locations.sizeOf(name)) === bytes) there.add(name);
  return there;
}

const CONCURRENCY = 8;
/** No snapshot has this name, so the next run drops what a killed one has learned. */
const UNFINISHED = "rebuild";

/** Uses the latest readable snapshot, or none: damage must not stop the backup that replaces it. */
async function catchUp(workspace: Workspace, repository: Repository, known: SnapshotId | undefined) {
  const damaged: SnapshotId[] = [];
  for (const { snapshot } of repository.snapshots().toReversed()) {
    if (snapshot === known) return { ...NOTHING, damaged };
    if (await hasRows(workspace, repository, snapshot))
      return { ...(await rebuild(workspace, repository, snapshot)), damaged };
    damaged.push(snapshot);
  }
  workspace.archived.clear();
  return { ...NOTHING, damaged };
}

/**
 * Can all rows be read? Their hash is known only at the end. Throws UsageError when that needs a
 * key that was not given.
 */
async function hasRows(workspace: Workspace, repository: Repository, snapshot: SnapshotId): Promise<boolean> {
  try {
    await refuseWithoutKey(workspace, repository, snapshot);
    for await (const _row of repository.items(snapshot));
    for await (const _row of repository.media(snapshot));
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

async function rebuild(workspace: Workspace, repository: Repository, snapshot: SnapshotId) {
  const { archived } = workspace;
  archived.clear();
  archived.begin(UNFINISHED);
  const count = { rebuilt: 0, unreadable: 0 };
  const batch = new Batch(archived);
  // In parallel, since each file waits for the disk twice.
  await parallel(repository.items(snapshot), CONCURRENCY, async (row) => {
    if (row.state === "deleted") {
      batch.add((add) => add.tombstone(row));
      return;
    }
    const taken = await takeItem(workspace, repository, row);
    if (taken === undefined) {
      count.unreadable += 1;
      return;
    }
    count.rebuilt += taken.isNew ? 1 : 0;
    const { sha256: digest, archive, path, size } = row;
    batch.add((add) => add.item(row.key, { digest, archive, path, size, content: taken.content }));
  });
  for await (const { sha256, ...place } of repository.media(snapshot)) {
    batch.add((add) => add.medium(sha256, place));
  }
  batch.flush();
  archived.settle(snapshot);
  return count;
}

async function takeItem({ items }: Workspace, repository: Repository, row: PresentRow) {
  const entry = items.entry(row.key);
  try {
    if (entry !== undefined) {
      const isSame = entry.digest === row.sha256 && isMediaKind(row.kind);
      return { isNew: false, content: isSame ? (contentIn(await items.file(row.key))?.sha256 ?? null) : null };
    }
    const file = await itemBytes(repository, row);
    const { key, kind, revision, sha256: digest, title, category, modified, read: readAt } = row;
    await items.adopt({ key, kind, revision, digest, title, category, modified, state: "present", readAt }, file);
    return { isNew: true, content: contentIn(file)?.sha256 ?? null };
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

async function refuseWithoutKey(workspace: Workspace, repository: Repository, snapshot: SnapshotId) {
  const cause = await lacksKey(repository, snapshot);
  if (cause === undefined) return;
  throw new UsageError(
    `The workspace ${workspace.directory} does not know what the snapshot ${snapshot} of ${repository.address} holds: the workspace is new, lost, or of another run. ` +
      "The archives are encrypted, so reading this from them needs a key. Give --identity FILE (or GUIDEFERRY_PASSPHRASE) once, " +
      "or name the workspace of the earlier backups with --workspace.",
    { cause },
  );
}

async function isLocked(repository: Repository, snapshot: SnapshotId): Promise<boolean> {
  try {
    return (await lacksKey(repository, snapshot)) !== undefined;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** The error when no key opens the manifest. Throws ArchiveError (exit 6) when it is damaged. */
async function lacksKey(repository: Repository, snapshot: SnapshotId): Promise<Error | undefined> {
  try {
    await repository.manifest(snapshot);
    return undefined;
  } catch (error) {
    if (error instanceof Error && "exitCode" in error && error.exitCode === EXIT.usage) return error;
    throw error;
  }
}

/** Rows of a transaction, which waits for the disk. */
const ROWS = 500;

/** Notes places for the next snapshot, many in one transaction. Call `flush` at the end. */
export class Batch {
  readonly #archived: ArchivedStore;
  #held: ((add: Adding) => void)[] = [];

  constructor(archived: ArchivedStore) {
    this.#archived = archived;
  }

  add(work: (add: Adding) => void): void {
    this.#held.push(work);
    if (this.#held.length >= ROWS) this.flush();
  }

  flush(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length === 0) return;
    this.#archived.adding((add) => {
      for (const work of held) work(add);
    });
  }
}

/** The content of a media item, as the item's file names it. */
export interface ItemContent {
  readonly sha256: string;
  readonly size: number;
  /** Path in an archive: `media/ab/ab….jpg`. */
  readonly path: string;
}

/** null: not a media item, or its bytes were never fetched. Throws when the file is not an item. */
export function contentIn(file: Buffer): ItemContent | null {
  const item = itemSchema.parse(JSON.parse(file.toString("utf8")));
  const media = isMediaItem(item) ? item.body : undefined;
  if (media?.content == null) return null;
  const { sha256, size } = media.content;
  return { sha256, size, path: `media/${sha256.slice(0, 2)}/${sha256}.${extensionOf(media) ?? "bin"}` };
}
