import type { Source } from "../../core/contracts.js";
import { ArchiveError, EXIT, UsageError } from "../../core/errors.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { Manifest, ReadingOptions, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { indexText } from "../../storage/repository/index-files.js";
import { indexName, snapshotIdOf, timeOf } from "../../storage/repository/names.js";
import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import { STAMP } from "../../storage/repository/read/repository-folder.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import { newStamp, writeStamp } from "../../storage/repository/write/stamp.js";
import { writeRepairArchive } from "../../storage/repository/write/write-snapshot.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import { isSameSite } from "../../storage/workspace/stamp.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { Hit, RepositoryCheck } from "../verify/repository-check.js";
import { verifyRepository } from "../verify/verify-repository.js";
import { type Found, fetchAgain, salvage, type Wanted, wantedContents } from "./fetch-again.js";

interface RepairParts {
  readonly repository: OpenRepository;
  readonly hasKeys: boolean;
  /**
   * Runs work with a source that has these options (undefined: the caller's defaults). null:
   * without a site.
   */
  readonly withSource:
    | (<T>(reading: ReadingOptions | undefined, work: (source: Source) => Promise<T>) => Promise<T>)
    | null;
  readonly workspace: Workspace;
  /** null: plain archives. */
  readonly encryption: Encryption | null;
  readonly madeBy: string;
  readonly now: () => Date;
  readonly control: Control;
}

export interface RepairSummary {
  /** Contents that were damaged or missing at the start, without those that are repaired. */
  readonly wanted: number;
  readonly salvaged: readonly Hit[];
  readonly fetched: readonly Hit[];
  /** Not found; lost for good when the site was asked. */
  readonly lost: readonly Hit[];
  /** Snapshots whose manifest or rows can't be read. */
  readonly unreadable: readonly SnapshotId[];
  /** Snapshots whose index was written again. */
  readonly indexes: readonly SnapshotId[];
  /** null: nothing was written. */
  readonly index: SnapshotIndex | null;
}

/**
 * Writes damaged and missing contents into a repair archive, from other archives with the same
 * bytes, else from the site; also rewrites lost indexes. Throws UsageError for another site or a
 * missing key, and what `verifyRepository` and `writeRepairArchive` throw.
 */
export async function repairRepository(parts: RepairParts): Promise<RepairSummary> {
  const { repository, hasKeys, control, withSource } = parts;
  const watch = (done: number, total: number, bytes: number): void =>
    control.progress({ stage: "verify", done, total, bytes, failed: 0 });
  const thoroughness = { kind: "bytes" } as const;
  const check = await verifyRepository(repository, { thoroughness, hasKeys, signal: control.stop, watch });
  if (check.damaged) refuseLocked(repository, hasKeys, parts.encryption);
  const unreadable = check.snapshots.filter((one) => one.unreadable !== null).map(({ snapshot }) => snapshot);
  const wanted = await wantedContents(repository, check);
  const salvaged = new Map<string, Found>();
  for (const one of wanted) {
    const found = await salvage(repository, one);
    if (found !== undefined) salvaged.set(one.sha256, found);
  }
  const open = wanted.filter(({ sha256 }) => !salvaged.has(sha256));
  const fetched =
    open.length === 0 || withSource === null
      ? new Map<string, Found>()
      : await fetchFrom({ ...parts, withSource }, open);
  const found = new Map([...salvaged, ...fetched]);
  return {
    wanted: wanted.length,
    salvaged: hitsOf(wanted, salvaged),
    fetched: hitsOf(wanted, fetched),
    lost: hitsOf(wanted, { has: (sha256) => !found.has(sha256) }),
    unreadable,
    indexes: await writeLostIndexes(repository, check),
    index: found.size === 0 ? null : await write(parts, wanted, found),
  };
}

/**
 * Encrypted rows need a key, and contents of encrypted archives must not be written unencrypted.
 */
function refuseLocked(repository: OpenRepository, hasKeys: boolean, encryption: Encryption | null): void {
  const encrypted = repository.snapshots().filter((index) => index.encrypted);
  if (encrypted.length > 0 && !hasKeys)
    throw new UsageError(
      "The archives are encrypted, so guideferry needs their key to find what is damaged. Give --identity FILE, or set GUIDEFERRY_PASSPHRASE.",
    );
  if (repository.snapshots().at(-1)?.encrypted === true && encryption === null)
    throw new UsageError(
      "The archives are encrypted, but the repair archive would not be. Give --encrypt-to age1…, as for the backups.",
    );
}

async function fetchFrom(
  parts: RepairParts & { readonly withSource: NonNullable<RepairParts["withSource"]> },
  open: readonly Wanted[],
): Promise<ReadonlyMap<string, Found>> {
  const { repository, control } = parts;
  const manifest = await youngestManifest(repository);
  if (manifest === undefined)
    throw new ArchiveError(`${repository.address} has no readable snapshot.`, { exitCode: EXIT.notFound });
  const { site } = manifest;
  const named = new Set(open.flatMap(({ hits }) => hits.flatMap(({ snapshots }) => snapshots)));
  return parts.withSource(await readingOf(repository, named), async (source) => {
    const present = await source.identify(control.abort);
    if (!isSameSite(site, present)) {
      const what = `The backups are of ${site.root}, but ${present.root} is another site. Nothing was written.`;
      throw new UsageError(what);
    }
    return fetchAgain({ ...parts, source }, open);
  });
}

function hitsOf(wanted: readonly Wanted[], of: Pick<ReadonlySet<string>, "has">): readonly Hit[] {
  return wanted.filter(({ sha256 }) => of.has(sha256)).flatMap(({ hits }) => hits);
}

async function write(
  { repository, workspace, encryption, madeBy, now, control }: RepairParts,
  wanted: readonly Wanted[],
  found: ReadonlyMap<string, Found>,
): Promise<SnapshotIndex> {
  const all = [...repository.snapshots(), ...repository.repairs()].map(({ snapshot }) => snapshot).toSorted();
  const started = now();
  return writeRepairArchive({
    storage: repository.storage,
    name: repository.name,
    snapshot: snapshotIdOf(started, all.at(-1) ?? null),
    previous: all.at(-1) ?? null,
    madeBy,
    started,
    complete: true,
    open: async ({ sha256 }) => {
      const bytes = await found.get(sha256)?.();
      if (bytes === undefined) throw new ArchiveError(`The content ${sha256} was found, but can no longer be read.`);
      return bytes;
    },
    encryption,
    contents: wanted
      .filter(({ sha256 }) => found.has(sha256))
      .map(({ sha256, size, path }) => ({ sha256, size, archive: null, path })),
    scratch: layoutOf(workspace.directory).temporary,
    now,
    signal: control.abort,
  });
}

/**
 * Writes the lost or damaged indexes that were rebuilt in memory, if their main archive has no
 * damage, since a rebuilt index takes the hash of the file as it is. Returns their snapshots.
 * Throws ArchiveError for the disk.
 */
async function writeLostIndexes(
  { storage, snapshots, rebuilt }: OpenRepository,
  { snapshots: checks, hits }: RepositoryCheck,
): Promise<readonly SnapshotId[]> {
  const written: SnapshotId[] = [];
  for (const index of snapshots()) {
    const { name, snapshot, archives } = index;
    const isReadable = checks.some((check) => check.snapshot === snapshot && check.unreadable === null);
    const isHit = hits.some(({ archive }) => archive === archives.at(-1)?.name);
    if (!rebuilt.has(snapshot) || !isReadable || isHit) continue;
    // A damaged index is replaced, so this is no commit of a new one.
    await storage.replace(indexName(name, snapshot), indexText(index));
    written.push(snapshot);
  }
  return written;
}

/**
 * The source options for contents of several snapshots: those of the latest, which decide the
 * bytes, with the languages and personal data of all. undefined: no manifest has them.
 */
async function readingOf(
  repository: OpenRepository,
  snapshots: ReadonlySet<SnapshotId>,
): Promise<ReadingOptions | undefined> {
  let all: ReadingOptions | undefined;
  for (const { snapshot } of repository.snapshots().toReversed()) {
    const one = snapshots.has(snapshot) ? await readingIn(repository, snapshot) : undefined;
    if (one !== undefined) all = all === undefined ? one : both(all, one);
  }
  return all;
}

function both(younger: ReadingOptions, older: ReadingOptions): ReadingOptions {
  const isAll = younger.languages.length === 0 || older.languages.length === 0;
  return {
    ...younger,
    languages: isAll ? [] : [...new Set([...younger.languages, ...older.languages])],
    personalData: younger.personalData || older.personalData,
  };
}

async function readingIn(repository: OpenRepository, snapshot: SnapshotId): Promise<ReadingOptions | undefined> {
  try {
    return (await repository.manifest(snapshot)).reading;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a lost or damaged `repository.json`, which every run needs, from the latest readable
 * manifest. Returns whether it did; false also where another run holds the lease. Throws
 * ArchiveError (exit 10) for a folder that is not a repository, UsageError when the manifests are
 * encrypted and no key fits.
 */
export async function repairStamp(
  storage: RepositoryStorage,
  { keys, madeBy }: { readonly keys: RepositoryKeys; readonly madeBy: string },
): Promise<boolean> {
  const repository = await openRepository(storage, { keys });
  try {
    const [first] = repository.snapshots();
    if (first === undefined || !repository.remarks.some(({ file, isDamage }) => file === STAMP && isDamage))
      return false;
    const manifest = await youngestManifest(repository);
    if (manifest === undefined) return false;
    const taken = await storage.acquire("guideferry repair");
    if (!("lease" in taken)) return false;
    try {
      await writeStamp(storage, newStamp(manifest.name, madeBy, timeOf(first.snapshot), manifest.site));
      return true;
    } finally {
      await taken.lease.release();
    }
  } finally {
    await repository.close();
  }
}

/** undefined: no manifest is readable. Throws UsageError when a key is needed. */
async function youngestManifest(repository: OpenRepository): Promise<Manifest | undefined> {
  for (const { snapshot } of repository.snapshots().toReversed()) {
    try {
      return await repository.manifest(snapshot);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return undefined;
}

/** Renames the file `from` to `to`, a name that is free at that step. */
interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** The ending of a temporary name while names are exchanged. */
const WAITING = ".renamed";

/**
 * Restores the names of archives that were exchanged or changed. Overwrites and removes no file: a
 * file with a needed name gets the name that becomes free. After a killed run, reads find each
 * archive under its present name, and the next call finishes the work. The caller holds the lock.
 * Needs no key. Returns the renamed archives. Throws ArchiveError when the disk fails.
 */
export async function correctNames(storage: RepositoryStorage): Promise<readonly Displaced[]> {
  await endRenamings(storage);
  const repository = await openRepository(storage);
  try {
    await findAll(repository);
    const displaced = repository.locations.displaced();
    for (const step of planRenamings(displaced, new Set(await filesIn(storage))))
      await storage.rename(step.from, step.to);
    await endRenamings(storage);
    return displaced;
  } finally {
    await repository.close();
  }
}

/** Also finds exchanged archives of the same size. */
async function findAll({ locations, snapshots, repairs }: OpenRepository): Promise<void> {
  for (const { archives } of [...snapshots(), ...repairs()])
    for (const { name } of archives) await locations.fileOf(name);
}

/**
 * The steps in their order.
 *
 * @param there all files of the folder
 */
export function planRenamings(displaced: readonly Displaced[], there: ReadonlySet<string>): readonly Renaming[] {
  const nameFor = new Map(displaced.map(({ name, file }) => [file, name]));
  const names = new Set(nameFor.values());
  const done = new Set<string>();
  // Chains begin with a file whose name no displaced archive needs; the remaining files are cycles.
  const starts = [...[...nameFor.keys()].filter((file) => !names.has(file)), ...nameFor.keys()];
  return starts.flatMap((start) => {
    const chain: string[] = [];
    for (let file: string | undefined = start; file !== undefined && !done.has(file); file = nameFor.get(file)) {
      done.add(file);
      chain.push(file);
    }
    return stepsOf(chain, there);
  });
}

/**
 * Each file of the chain gets the name of the next one. In a cycle, or where another file has the
 * last name, that file gets the first name.
 */
function stepsOf(chain: readonly string[], there: ReadonlySet<string>): readonly Renaming[] {
  const [first, end] = [chain[0], chain.at(-1)];
  const steps = chain
    .slice(0, -1)
    .map((from, at) => ({ from, to: chain[at + 1] ?? "" }))
    .toReversed();
  if (first === undefined || end === undefined || steps.length === 0 || !there.has(end)) return steps;
  const waiting = `${first}${WAITING}`;
  return [{ from: end, to: waiting }, ...steps, { from: waiting, to: first }];
}

async function endRenamings(storage: RepositoryStorage): Promise<void> {
  const files = await filesIn(storage);
  for (const from of files.filter((file) => file.endsWith(WAITING))) {
    const to = from.slice(0, -WAITING.length);
    if (!files.includes(to)) await storage.rename(from, to);
  }
}

async function filesIn(storage: RepositoryStorage): Promise<readonly string[]> {
  return (await storage.list()).map(({ name }) => name);
}
