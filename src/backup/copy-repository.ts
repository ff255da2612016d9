import { createHash } from "node:crypto";
import { ArchiveError, EXIT } from "../core/errors.js";
import { NotRemovableError, type RepositoryStorage } from "../storage/repository/files/repository-storage.js";
import type { ArchiveFile, RepositoryStamp, SnapshotIndex } from "../storage/repository/format.js";
import { writeHead } from "../storage/repository/index-files.js";
import { indexName, parseArchiveName } from "../storage/repository/names.js";
import { type OpenRepository, openRepository } from "../storage/repository/read/open-repository.js";
import { STAMP } from "../storage/repository/read/repository-folder.js";
import { isOtherSite, readStamp } from "../storage/repository/write/stamp.js";
import { holdRepository } from "./hold-repository.js";

interface CopyParts {
  readonly from: RepositoryStorage;
  readonly to: RepositoryStorage;
  /** Changes nothing, and returns what would be copied. */
  readonly dryRun: boolean;
  /** Ends the copy between two pieces; the next one continues with the same snapshot. */
  readonly signal: AbortSignal;
  /** Copied and all missing archives, and copied bytes. */
  readonly progress?: (done: number, total: number, bytes: number) => void;
}

export interface Copied {
  /** Snapshots and repairs that the target has now, or would have, oldest first. */
  readonly copied: readonly SnapshotIndex[];
  readonly bytes: number;
  /** Archives that a stopped copy had copied already, and their bytes; not in `bytes`. */
  readonly continued: { readonly archives: number; readonly bytes: number };
  /** Not copied, because an archive of it, or one that it needs, is damaged or missing. */
  readonly damaged: readonly Damaged[];
  /** Snapshots that only the target has. */
  readonly onlyThere: readonly SnapshotIndex[];
  /** Snapshots of the target with those that it had. */
  readonly snapshots: number;
}

export interface Damaged {
  readonly index: SnapshotIndex;
  readonly reason: string;
}

/**
 * Copies the snapshots and repairs of a repository that another one lacks, oldest first, each with
 * its archives before its index. Every archive is compared with the sha256 of its index while it is
 * copied, and read again at the target. Needs no key. A killed copy leaves whole snapshots; the
 * next one continues with the archive at which it stopped. Throws ArchiveError: a repository is
 * missing (exit 10), the target is of another site or has other snapshots (2) or is in use (11),
 * `repository.json` is damaged (6).
 */
export async function copyRepository(parts: CopyParts): Promise<Copied> {
  const { from, to, dryRun } = parts;
  const source = await openRepository(from);
  try {
    const stamp = await readStamp(from);
    if (stamp === undefined) throw new ArchiveError(`${from.address} is empty.`, { exitCode: EXIT.notFound });
    if (dryRun) return await copyMissing(source, stamp, parts);
    const archives = new Set(indexesOf(source).flatMap((index) => index.archives.map(({ name }) => name)));
    const keep = (name: string): boolean => archives.has(name);
    const held = await holdRepository(to, { command: "guideferry copy", create: true, keep });
    try {
      const signal = AbortSignal.any([parts.signal, held.lease.lost]);
      return await copyMissing(source, stamp, { ...parts, signal });
    } catch (error) {
      await held.lease.abandon();
      throw error;
    } finally {
      await held.lease.release();
    }
  } finally {
    await source.close();
  }
}

async function copyMissing(source: OpenRepository, stamp: RepositoryStamp, parts: CopyParts): Promise<Copied> {
  const there = await indexesAt(parts.to, stamp);
  const all = indexesOf(source);
  const onlyThere = refuseOthers(all, there, parts);
  const missing = all.filter(({ snapshot }) => !there.indexes.has(snapshot));
  if (!parts.dryRun && there.stamp === undefined) await parts.to.replace(STAMP, await textOf(parts.from, STAMP));
  const copy = new Copy(source, missing, parts);
  for (const index of missing) await copy.add(index);
  const { copied, damaged, bytes, continued } = copy;
  const snapshots = [...there.indexes.values(), ...copied].filter(({ kind }) => kind !== "repair").length;
  return { copied, damaged, bytes, continued, onlyThere, snapshots };
}

/** As it is, with fields that only a newer guideferry knows. */
async function textOf(from: RepositoryStorage, name: string): Promise<string> {
  const [committed, prepared] = [name, `${name}.new`];
  const texts = await from.readAll([committed, prepared]);
  const text = texts.get(committed) ?? texts.get(prepared);
  if (text !== undefined) return text;
  throw new ArchiveError(`${from.at(name)} was removed by another run. Run the same command again.`, {
    exitCode: EXIT.stopped,
  });
}

/** Snapshots and repairs, oldest first. */
function indexesOf({ snapshots, repairs }: OpenRepository): readonly SnapshotIndex[] {
  return [...snapshots(), ...repairs()].toSorted((one, other) => (one.snapshot < other.snapshot ? -1 : 1));
}

interface Target {
  /** undefined: it is new. */
  readonly stamp: RepositoryStamp | undefined;
  readonly indexes: ReadonlyMap<string, SnapshotIndex>;
}

async function indexesAt(to: RepositoryStorage, { name, site }: RepositoryStamp): Promise<Target> {
  const stamp = await readStamp(to);
  if (stamp === undefined) return { stamp, indexes: new Map() };
  if (stamp.name !== name || (site !== undefined && isOtherSite(stamp, site)))
    throw new ArchiveError(
      `${to.address} holds the backups of ${stamp.name} (${stamp.site?.root ?? "unknown site"}), not those of ${name} (${site?.root ?? "unknown site"}). Nothing was copied. Name another place for the copy.`,
      { exitCode: EXIT.usage },
    );
  const repository = await openRepository(to);
  await repository.close();
  const damage = repository.remarks.find(({ isDamage }) => isDamage);
  if (damage !== undefined)
    throw new ArchiveError(
      `${to.address} is damaged, so nothing was copied into it: ${damage.text} Move it away and copy into a new place, or repair it: guideferry repair ${to.address}`,
      { exitCode: EXIT.differences },
    );
  return { stamp, indexes: new Map(indexesOf(repository).map((index) => [index.snapshot, index])) };
}

/**
 * Returns the snapshots that only the target has: those that were pruned in the source since.
 * Throws ArchiveError (exit 2) where the two are not the same repository: a snapshot of both has
 * other archives, none is in both, or the target has a snapshot after the last one of the source.
 */
function refuseOthers(
  all: readonly SnapshotIndex[],
  { indexes }: Target,
  { from, to }: CopyParts,
): readonly SnapshotIndex[] {
  const own = new Map(all.map((index) => [index.snapshot, index]));
  const shared = [...indexes.values()].filter(({ snapshot }) => own.has(snapshot));
  const refuse = (why: string): never => {
    throw new ArchiveError(
      `${to.address} is not a copy of ${from.address}: ${why}. Nothing was copied. Name another place for the copy.`,
      { exitCode: EXIT.usage },
    );
  };
  const other = shared.find((index) => hashesOf(index) !== hashesOf(own.get(index.snapshot)));
  if (other !== undefined) return refuse(`both have a snapshot ${other.snapshot}, with different archives`);
  const onlyThere = [...indexes.values()].filter(({ snapshot }) => !own.has(snapshot));
  if (onlyThere.length > 0 && shared.length === 0) return refuse("they have no snapshot in common");
  const [last, later] = [all.at(-1)?.snapshot ?? "", onlyThere.at(-1)?.snapshot ?? ""];
  if (later > last) return refuse(`it has the snapshot ${later}, but the last one of the source is ${last}`);
  return onlyThere.filter(({ kind }) => kind !== "repair");
}

function hashesOf(index: SnapshotIndex | undefined): string {
  return index?.archives.map(({ sha256 }) => sha256).join() ?? "";
}

/** The steps of one copy. */
class Copy {
  readonly copied: SnapshotIndex[] = [];
  readonly damaged: Damaged[] = [];
  bytes = 0;
  readonly continued = { archives: 0, bytes: 0 };
  readonly #source: OpenRepository;
  readonly #parts: CopyParts;
  readonly #total: number;
  #done = 0;

  constructor(source: OpenRepository, missing: readonly SnapshotIndex[], parts: CopyParts) {
    this.#source = source;
    this.#parts = parts;
    this.#total = missing.reduce((sum, { archives }) => sum + archives.length, 0);
    parts.progress?.(0, this.#total, 0);
  }

  /** The order of docs/design/repository.md, "Writing a snapshot". */
  async add(index: SnapshotIndex): Promise<void> {
    const { from, to, dryRun } = this.#parts;
    const file = indexName(index.name, index.snapshot);
    const reason = this.#whyNot(index);
    if (reason === undefined && !dryRun) {
      const text = await textOf(from, file);
      for (const archive of index.archives) {
        const isLast = archive === index.archives.at(-1);
        const damage = await this.#copy(archive, isLast ? () => to.prepareIndex(file, text) : undefined);
        if (damage === undefined) continue;
        this.damaged.push({ index, reason: damage });
        return this.#leaveOut(index);
      }
      await to.commitIndex(file);
      if (index.kind !== "repair") await writeHead(to, index.snapshot);
    } else if (reason === undefined) this.bytes += index.archives.reduce((sum, { bytes }) => sum + bytes, 0);
    if (reason === undefined) this.copied.push(index);
    else {
      this.damaged.push({ index, reason });
      if (!dryRun) await this.#leaveOut(index);
    }
  }

  /** Removes the archives that the target has of a snapshot that can't be whole. */
  async #leaveOut({ archives }: SnapshotIndex): Promise<void> {
    const { to } = this.#parts;
    const there: string[] = [];
    for (const archive of archives) if (await to.has(archive.name, archive)) there.push(archive.name);
    try {
      if (there.length > 0) await to.remove(there);
    } catch (error) {
      // Readers ignore them.
      if (!(error instanceof NotRemovableError)) throw error;
    }
  }

  /** Damage that is known without reading an archive; undefined: none. */
  #whyNot({ snapshot, needs }: SnapshotIndex): string | undefined {
    if (this.#source.rebuilt.has(snapshot)) return "its index is lost, so nothing proves its archives";
    const lost = new Set(this.damaged.map(({ index }) => index.snapshot));
    const needed = needs.find(({ archive }) => lost.has(parseArchiveName(archive)?.snapshot ?? ""));
    return needed === undefined ? undefined : `it needs ${needed.archive}, which was not copied`;
  }

  /** Returns the damage of the archive; undefined: the target has it. */
  async #copy(archive: ArchiveFile, beforeCommit?: () => Promise<void>): Promise<string | undefined> {
    const { name, bytes, sha256 } = archive;
    const { from, to, signal, progress } = this.#parts;
    if (beforeCommit === undefined && (await to.has(name, archive))) {
      this.continued.archives += 1;
      this.continued.bytes += bytes;
      this.#done += 1;
      return undefined;
    }
    const file = await this.#source.locations.fileOf(name);
    if ((await this.#source.locations.sizeOf(name)) !== bytes) return `${name} is missing or cut off`;
    const staged = await to.stage(name);
    try {
      const hash = createHash("sha256");
      for await (const piece of from.pieces(file, signal)) {
        signal.throwIfAborted();
        hash.update(piece);
        await staged.write(piece);
        this.bytes += piece.length;
        progress?.(this.#done, this.#total, this.bytes);
      }
      if (hash.digest("hex") !== sha256) {
        await staged.discard();
        return `the bytes of ${name} are damaged`;
      }
      const found = await staged.readAgain();
      if (found.sha256 !== sha256) throw badTarget(to.at(name));
      await beforeCommit?.();
      await staged.commit();
    } catch (error) {
      await staged.discard();
      throw error;
    }
    this.#done += 1;
    progress?.(this.#done, this.#total, this.bytes);
    return undefined;
  }
}

function badTarget(path: string): ArchiveError {
  return new ArchiveError(
    `${path} was read again and has other bytes than were written. It was discarded; the snapshots before it are copied. Check the disk or the storage, then run the same command again.`,
    { exitCode: EXIT.stopped },
  );
}
