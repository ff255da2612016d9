import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT, UsageError } from "../../core/errors.js";
import type { ArchiveFile, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { finishRemovals, removeSnapshots } from "../../storage/repository/index-files.js";
import {
  asksForAny,
  type PrunePlan,
  planDrop,
  planPrune,
  type Retention,
} from "../../storage/repository/plan-prune.js";
import { dueProofs, noteProven, readProven } from "../../storage/repository/proven.js";
import { describeDisplaced } from "../../storage/repository/read/archive-locations.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import { hashFile } from "../../storage/repository/read/rebuild-index.js";
import { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import type { FileState } from "../verify/check-files.js";
import { checkSnapshots } from "../verify/verify-repository.js";
import { asCompacted, type Compacted, type Compaction, type CompactParts, compact, type Nameless } from "./compact.js";

/**
 * What a prune works with. The lock of the repository is the caller's, and `recover` was called;
 * with `dryRun` neither is needed.
 */
export interface PruneParts {
  readonly folder: string;
  readonly retention: Retention;
  /** Removes this snapshot alone, whatever the retention says. */
  readonly drop?: SnapshotId | undefined;
  /** Only say what would be done. */
  readonly dryRun: boolean;
  /** null: leave old chains as they are. Else how the archives are written that make them go. */
  readonly compact: { readonly encryption: Encryption | null; readonly scratch: string } | null;
  /** For what can't be told of encrypted archives without a key; none by default. */
  readonly keys?: RepositoryKeys;
  /** What is read before something is removed; default everything. */
  readonly proving?: Proving;
  readonly madeBy: string;
  /** Default: the clock's. */
  readonly now?: Date;
  readonly signal: AbortSignal;
  /** Snapshots that were written anew. */
  readonly progress?: (done: number, total: number) => void;
  /** See ProofParts. */
  readonly watch?: ProofParts["watch"];
}

/** What a prune did, or would do. */
export interface Pruned {
  readonly plan: PrunePlan;
  /**
   * Every snapshot before anything is removed, oldest first, with those that were written anew, or
   * would be.
   */
  readonly snapshots: readonly SnapshotIndex[];
  readonly compacted: readonly Compacted[];
  /** Bytes of what was written anew; with `dryRun` at most so many. */
  readonly written: number;
  readonly nameless: readonly Nameless[];
  /** What was read before anything was removed, or would be. */
  readonly read: { readonly files: number; readonly bytes: number };
  /** Archives that stay and are not as they were written, though nothing is lost by that. */
  readonly damaged: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Removes the snapshots that the retention does not keep and that nothing which stays needs. Killed
 * anywhere, what stays is whole and the next run ends it. Throws UsageError when nothing is asked
 * to be kept, and ArchiveError (exit 6) when a snapshot that stays is not whole, as far as archives
 * are read before: then older snapshots may be the only good ones, and nothing is removed. With
 * `drop` it also throws what `planDrop` does.
 */
export async function prune(parts: PruneParts): Promise<Pruned> {
  const { folder, retention, drop, dryRun, keys = new RepositoryKeys() } = parts;
  if (drop === undefined && !asksForAny(retention)) {
    throw new UsageError(
      "Nothing was asked to be kept, and everything would go. Give at least one of --keep-last, --keep-daily, --keep-weekly, --keep-monthly, --keep-yearly, or name one snapshot to remove with --drop.",
    );
  }
  if (!dryRun) await finishRemovals(folder);
  const compaction = parts.compact === null ? NONE : await compactNow(folder, { ...parts, ...parts.compact, keys });
  const repository = await openRepository(folder, { keys });
  try {
    const { compacted, written, nameless, chains } = compaction;
    const snapshots = dryRun ? asCompacted(repository.snapshots(), chains) : repository.snapshots();
    const plan =
      drop === undefined
        ? planPrune(snapshots, repository.repairs(), retention)
        : planDrop(snapshots, repository.repairs(), { drop, folder });
    const read = new Map<string, boolean>();
    // Noted last: on a full disk nothing can be written before something is removed.
    const note = (): Promise<void> =>
      noteProven(folder, read, [...repository.snapshots(), ...repository.repairs()], parts.now ?? new Date());
    let proof: Pick<Pruned, "read" | "damaged">;
    try {
      proof = await prove(repository, plan, { ...parts, keys, proofs: read }, compacted);
      if (!dryRun && plan.removed.length > 0) await removeSnapshots(folder, plan.removed);
    } catch (error) {
      await note().catch(unlessOfDisk);
      throw error;
    }
    await note().catch(unlessOfDisk);
    return { plan, snapshots, compacted, written, nameless, ...proof, dryRun };
  } finally {
    await repository.close();
  }
}

/**
 * Without the notes a later prune reads more than it had to; what this one did, or the error that
 * ended it, counts.
 */
function unlessOfDisk(error: unknown): void {
  if (!(error instanceof ArchiveError)) throw error;
}

const NONE: Compaction = { chains: [], nameless: [], compacted: [], written: 0 };

async function compactNow(folder: string, parts: CompactParts): Promise<Compaction> {
  const repository = await openRepository(folder, { keys: parts.keys });
  try {
    await refuseDamage(repository, planPrune(repository.snapshots(), repository.repairs(), parts.retention), parts);
    return await compact(repository, parts);
  } finally {
    await repository.close();
  }
}

/** Sees to it that what stays is whole, for of what goes some may be the last good copy. */
async function prove(
  repository: OpenRepository,
  plan: PrunePlan,
  parts: PruneParts & { readonly keys: RepositoryKeys; readonly proofs: Map<string, boolean> },
  compacted: readonly Compacted[],
): Promise<Pick<Pruned, "read" | "damaged">> {
  const { dryRun, proving = "everything", keys, now = new Date(), signal, watch = () => undefined } = parts;
  const staying = stayingOf(repository, plan);
  const bad = await refuseDamage(repository, plan, parts);
  signal.throwIfAborted();
  if (plan.removed.length === 0) return { read: { files: 0, bytes: 0 }, damaged: [...bad.keys()] };
  const written = new Set(compacted.map(({ as }) => as));
  const due = await filesToProve(repository, staying, written, { proving, now });
  const files = due.filter(({ name }) => !bad.has(name));
  const found = dryRun ? [] : await proveFiles(repository, files, parts.proofs, { signal, watch });
  for (const name of found) await repository.locations.search(name);
  await refuseExchanged(repository, []);
  const all = new Map([...bad, ...found.map((name) => [name, "suspect"] as const)]);
  if (found.length > 0) await refuseLoss(repository, staying, all, { hasKeys: !keys.isEmpty, signal });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { read: { files: files.length, bytes }, damaged: [...all.keys()] };
}

/**
 * As far as names and sizes tell. Gives what is otherwise than it was written, and was put right by
 * a repair.
 */
async function refuseDamage(
  repository: OpenRepository,
  plan: PrunePlan,
  { keys, signal }: { readonly keys: RepositoryKeys; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, FileState>> {
  await refuseExchanged(repository, plan.removed);
  refuseRemarks(repository);
  const staying = stayingOf(repository, plan);
  const bad = await missingOrCut(repository.folder, staying);
  await refuseLoss(repository, staying, bad, { hasKeys: !keys.isEmpty, signal });
  return bad;
}

function stayingOf({ snapshots, repairs }: OpenRepository, { removed }: PrunePlan): readonly SnapshotIndex[] {
  const going = new Set(removed);
  return [...snapshots(), ...repairs()].filter((index) => !going.has(index));
}

/**
 * What is read before something is removed: everything that stays, or what is due by `proven.json`.
 */
type Proving = "everything" | "due";

interface ProofParts {
  readonly signal: AbortSignal;
  /** Files that were read, of how many, and the bytes of these; once before the first. */
  readonly watch: (done: number, total: number, bytes: number, totalBytes: number) => void;
}

/** The archives that are to be read. `written`: by this run, which read them again then. */
async function filesToProve(
  { folder, snapshots, repairs }: OpenRepository,
  staying: readonly SnapshotIndex[],
  written: ReadonlySet<string>,
  { proving, now }: { readonly proving: Proving; readonly now: Date },
): Promise<readonly ArchiveFile[]> {
  const files = staying.filter(({ snapshot }) => !written.has(snapshot)).flatMap(({ archives }) => archives);
  if (proving === "everything") return files;
  return dueProofs(files, await readProven(folder, [...snapshots(), ...repairs()]), now);
}

/**
 * Reads archives and puts into `read` how each was found, also of those that were read when the run
 * is stopped. Gives the names of those that are not as they were written.
 */
async function proveFiles(
  { folder }: OpenRepository,
  files: readonly ArchiveFile[],
  read: Map<string, boolean>,
  { signal, watch }: ProofParts,
): Promise<readonly string[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  watch(0, files.length, 0, total);
  for (const file of files) {
    read.set(file.name, (await hashFile(join(folder, file.name), signal)).sha256 === file.sha256);
    bytes += file.bytes;
    watch(read.size, files.length, bytes, total);
  }
  return [...read].filter(([, isSound]) => !isSound).map(([name]) => name);
}

/**
 * By names and sizes, which takes an instant. Gives what is wrong with archives that stay, by their
 * names.
 */
async function missingOrCut(
  folder: string,
  staying: readonly SnapshotIndex[],
): Promise<ReadonlyMap<string, FileState>> {
  const found = new Map<string, FileState>();
  for (const { name, bytes } of staying.flatMap(({ archives }) => archives)) {
    const size = await sizeOf(join(folder, name));
    if (size !== bytes) found.set(name, size === undefined ? "missing" : "suspect");
  }
  return found;
}

/**
 * Throws ArchiveError (exit 6) when something of the folder itself is lost or damaged, such as an
 * index.
 */
function refuseRemarks({ remarks }: OpenRepository): void {
  const remark = remarks.find(({ isDamage }) => isDamage);
  if (remark !== undefined) throw refusal(remark.text);
}

/**
 * Throws ArchiveError (exit 6) when the file names of archives are exchanged: by its name another
 * archive's bytes would be removed. `going`: what is about to
 * be removed; of these alone archives are read, where their size proves nothing.
 */
async function refuseExchanged(repository: OpenRepository, going: readonly SnapshotIndex[]): Promise<void> {
  const { folder, locations } = repository;
  for (const { name } of going.flatMap(({ archives }) => archives)) await locations.fileOf(name);
  const [first] = describeDisplaced(locations.displaced(), folder);
  if (first === undefined) return;
  throw new ArchiveError(`${first.text} Until then nothing is removed from this repository.`, {
    exitCode: EXIT.differences,
  });
}

/**
 * Throws ArchiveError (exit 6) when a snapshot that stays is not whole for the sake of these
 * archives. What is damaged and was put right by a repair is no reason; whether it was, nobody can
 * tell of encrypted ones without a key.
 */
async function refuseLoss(
  repository: OpenRepository,
  staying: readonly SnapshotIndex[],
  bad: ReadonlyMap<string, FileState>,
  parts: { readonly hasKeys: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const [first] = bad;
  if (first === undefined) return;
  const all = [...repository.snapshots(), ...repository.repairs()].flatMap(({ archives }) => archives);
  const states = new Map(all.map(({ name }) => [name, bad.get(name) ?? "sound"]));
  const files = { states, problems: [], proven: new Map(), hashed: { files: 0, bytes: 0 } };
  const { snapshots } = await checkSnapshots(repository, files, { thoroughness: { kind: "structure" }, ...parts });
  const ids = new Set(staying.map(({ snapshot }) => snapshot));
  const hit = snapshots.find(({ snapshot, whole }) => ids.has(snapshot) && !whole);
  if (hit === undefined) return;
  const [name, state] = first;
  const others = bad.size === 1 ? "" : `, and ${bad.size - 1} more,`;
  const verb = bad.size === 1 ? "is" : "are";
  const what = state === "missing" ? `${verb} missing` : `${verb} damaged`;
  throw refusal(`${name}${others} ${what}, and snapshot ${hit.snapshot}, which stays, is not whole without it.`);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function refusal(what: string): ArchiveError {
  return new ArchiveError(
    `The repository is damaged, so nothing was removed: older snapshots may be the only good ones. ${what} ` +
      "`guideferry verify REPO` tells everything, `guideferry repair REPO SITE` mends what it can; then prune again.",
    { exitCode: EXIT.differences },
  );
}
