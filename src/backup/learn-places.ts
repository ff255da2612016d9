import { stat } from "node:fs/promises";
import { join } from "node:path";
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

/** What a workspace had to learn before it could be backed up. */
export interface LearnedPlaces {
  /** It was lost, or of another run: its items came from the last snapshot that can be read. */
  readonly rebuilt: number;
  /** Snapshots that are younger than that one, or all, when none can be read to its end. */
  readonly damaged: readonly SnapshotId[];
  /** Contents whose archives are gone or cut; what of them isn't here is fetched again. */
  readonly forgotten: number;
  /** Rows whose bytes could not be read: these items are read from the site again. */
  readonly unreadable: number;
  /**
   * The last snapshot, of another workspace, which no key opens: it goes on from the one that is
   * known.
   */
  readonly passedOver?: SnapshotId;
}

/**
 * Brings what the workspace knows of the archives up to the last snapshot: what a killed run left
 * waiting, what `prune` or a hand took away, and all of it when the workspace is new. Throws
 * UsageError (exit 2) when that needs a key which was not given.
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

/** Archives that are there with their size. */
async function archivesThere({ folder, locations, snapshots }: OpenRepository): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const { name, bytes } of snapshots().flatMap(({ archives }) => archives)) {
    const size = await stat(join(folder, await locations.fileOf(name))).then(
      (stats) => stats.size,
      () => undefined,
    );
    if (size === bytes) there.add(name);
  }
  return there;
}

const AT_WORK = 8;
/**
 * No snapshot has this name: what a killed run learned until then is forgotten, and learned again.
 */
const UNFINISHED = "rebuild";

/**
 * Damage of the youngest snapshots must not stop the nights that would make up for it: the youngest
 * that can be read will do, or none.
 */
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
 * Can all rows be read? Their hash is only known at their end. Throws UsageError when that needs a
 * key which was not given.
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
  // Side by side: each file waits for the disk twice.
  await parallel(repository.items(snapshot), AT_WORK, async (row) => {
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

/** The item's file, unless the workspace has one; undefined: the bytes can't be read. */
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
    `The workspace ${workspace.directory} does not know what the snapshot ${snapshot} of ${repository.folder} holds: it is new, lost, or of another run. ` +
      "The archives are encrypted, so it can only be read from them with a key: give --identity FILE (or GUIDEFERRY_PASSPHRASE) this once, " +
      "or name the workspace that the nights before used with --workspace.",
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

/**
 * What says that no key opens the snapshot's manifest. Throws ArchiveError (exit 6) when it is
 * damaged.
 */
async function lacksKey(repository: Repository, snapshot: SnapshotId): Promise<Error | undefined> {
  try {
    await repository.manifest(snapshot);
    return undefined;
  } catch (error) {
    if (error instanceof Error && "exitCode" in error && error.exitCode === EXIT.usage) return error;
    throw error;
  }
}

/** Each transaction waits for the disk, so many rows share one. */
const ROWS = 500;

/** Adds places to what waits, many at a time. */
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

  /** To be called at the end. */
  flush(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length === 0) return;
    this.#archived.adding((add) => {
      for (const work of held) work(add);
    });
  }
}

/** The bytes of a media item as they are known by the item's file. */
export interface ItemContent {
  readonly sha256: string;
  readonly size: number;
  /** Their place in an archive: `media/ab/ab….jpg`. */
  readonly path: string;
}

/**
 * What an item's file says of its bytes; null: it is no media item, or its bytes were never had.
 * Throws for what is no item.
 */
export function contentIn(file: Buffer): ItemContent | null {
  const item = itemSchema.parse(JSON.parse(file.toString("utf8")));
  const media = isMediaItem(item) ? item.body : undefined;
  if (media?.content == null) return null;
  const { sha256, size } = media.content;
  return { sha256, size, path: `media/${sha256.slice(0, 2)}/${sha256}.${extensionOf(media) ?? "bin"}` };
}
