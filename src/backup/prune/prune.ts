import { ArchiveError, EXIT, UsageError } from "../../core/errors.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
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
import { type FileState, MediaEnds } from "../verify/check-files.js";
import { checkSnapshots } from "../verify/verify-repository.js";
import { asCompacted, type Compacted, type Compaction, type CompactParts, compact, type Nameless } from "./compact.js";

/** The caller holds the lease and has called `recover`; `dryRun` needs neither. */
export interface PruneParts {
  readonly storage: RepositoryStorage;
  readonly retention: Retention;
  /** Removes only this snapshot, whatever the retention says. */
  readonly drop?: SnapshotId | undefined;
  /** Changes nothing, and returns what would be done. */
  readonly dryRun: boolean;
  /** How the archives of rewritten chains are written; null: no chain is rewritten. */
  readonly compact: { readonly encryption: Encryption | null; readonly scratch: string } | null;
  /** For checks of encrypted archives; none by default. */
  readonly keys?: RepositoryKeys;
  /** Which remaining archives are read before something is removed; default everything. */
  readonly proving?: Proving;
  readonly madeBy: string;
  readonly now?: Date;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
  readonly watch?: ProofParts["watch"];
}

export interface Pruned {
  readonly plan: PrunePlan;
  /** Every snapshot before the removal, oldest first, with rewritten ones. */
  readonly snapshots: readonly SnapshotIndex[];
  readonly compacted: readonly Compacted[];
  /** Bytes of the rewritten snapshots; with `dryRun` the upper limit. */
  readonly written: number;
  readonly nameless: readonly Nameless[];
  /** Archives that were read before the removal, or would be. */
  readonly read: { readonly files: number; readonly bytes: number };
  /** Remaining archives that are damaged, without loss of contents. */
  readonly damaged: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Removes the snapshots that the retention does not keep and no remaining snapshot needs. The next
 * run finishes the work of a killed one. Throws UsageError without a retention, and ArchiveError
 * (exit 6), before anything is removed, when a remaining snapshot is found damaged: older snapshots
 * may be the only good ones. With `drop` it also throws what `planDrop` throws.
 */
export async function prune(parts: PruneParts): Promise<Pruned> {
  const { storage, retention, drop, dryRun, keys = new RepositoryKeys() } = parts;
  if (drop === undefined && !asksForAny(retention)) {
    throw new UsageError(
      "Without a --keep option, prune would remove every snapshot. Give at least one of --keep-last, --keep-daily, --keep-weekly, --keep-monthly, --keep-yearly, or name one snapshot to remove with --drop.",
    );
  }
  if (!dryRun) await finishRemovals(storage);
  const compaction = parts.compact === null ? NONE : await compactNow(storage, { ...parts, ...parts.compact, keys });
  const repository = await openRepository(storage, { keys });
  try {
    const { compacted, written, nameless, chains } = compaction;
    const snapshots = dryRun ? asCompacted(repository.snapshots(), chains) : repository.snapshots();
    const plan =
      drop === undefined
        ? planPrune(snapshots, repository.repairs(), retention)
        : planDrop(snapshots, repository.repairs(), { drop, folder: storage.address });
    const read = new Map<string, boolean>();
    // Written last: on a full disk something must be removed first.
    const note = (): Promise<void> =>
      noteProven(storage, read, [...repository.snapshots(), ...repository.repairs()], parts.now ?? new Date());
    // Proofs read all archives: not for a removal that is refused.
    if (!dryRun && plan.removed.length > 0) await storage.checkRemovals();
    let proof: Pick<Pruned, "read" | "damaged">;
    try {
      proof = await prove(repository, plan, { ...parts, keys, proofs: read }, compacted);
      if (!dryRun && plan.removed.length > 0) await removeSnapshots(storage, plan.removed);
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

/** Ignores a failure to write the notes, without which a later prune only reads more. */
function unlessOfDisk(error: unknown): void {
  if (!(error instanceof ArchiveError)) throw error;
}

const NONE: Compaction = { chains: [], nameless: [], compacted: [], written: 0 };

async function compactNow(storage: RepositoryStorage, parts: CompactParts): Promise<Compaction> {
  const repository = await openRepository(storage, { keys: parts.keys });
  try {
    await refuseDamage(repository, planPrune(repository.snapshots(), repository.repairs(), parts.retention), parts);
    if (!parts.dryRun) await storage.checkRemovals();
    return await compact(repository, parts);
  } finally {
    await repository.close();
  }
}

/** Checks the remaining snapshots, since removed archives may hold the last good copy. */
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

/** Checks names and sizes. Returns damaged archives whose contents a repair archive has. */
async function refuseDamage(
  repository: OpenRepository,
  plan: PrunePlan,
  { keys, signal }: { readonly keys: RepositoryKeys; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, FileState>> {
  await refuseExchanged(repository, plan.removed);
  refuseRemarks(repository);
  const staying = stayingOf(repository, plan);
  const bad = await missingOrCut(repository.storage, staying);
  await refuseLoss(repository, staying, bad, { hasKeys: !keys.isEmpty, signal });
  return bad;
}

function stayingOf({ snapshots, repairs }: OpenRepository, { removed }: PrunePlan): readonly SnapshotIndex[] {
  const going = new Set(removed);
  return [...snapshots(), ...repairs()].filter((index) => !going.has(index));
}

type Proving = "everything" | "due";

interface ProofParts {
  readonly signal: AbortSignal;
  /** Files and bytes that were read, with totals; also called once before the first file. */
  readonly watch: (done: number, total: number, bytes: number, totalBytes: number) => void;
}

/**
 * The archives to read.
 *
 * @param written snapshots of this run, which has read their archives after writing them
 */
async function filesToProve(
  { storage, snapshots, repairs }: OpenRepository,
  staying: readonly SnapshotIndex[],
  written: ReadonlySet<string>,
  { proving, now }: { readonly proving: Proving; readonly now: Date },
): Promise<readonly ArchiveFile[]> {
  const files = staying.filter(({ snapshot }) => !written.has(snapshot)).flatMap(({ archives }) => archives);
  if (proving === "everything") return files;
  return dueProofs(files, await readProven(storage, [...snapshots(), ...repairs()]), now);
}

/**
 * Reads archives and notes in `read` whether each is sound, also when the run is stopped. Returns
 * the names of damaged ones.
 */
async function proveFiles(
  { storage }: OpenRepository,
  files: readonly ArchiveFile[],
  read: Map<string, boolean>,
  { signal, watch }: ProofParts,
): Promise<readonly string[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  watch(0, files.length, 0, total);
  for (const file of files) {
    read.set(file.name, (await hashFile(storage, file.name, signal)).sha256 === file.sha256);
    bytes += file.bytes;
    watch(read.size, files.length, bytes, total);
  }
  return [...read].filter(([, isSound]) => !isSound).map(([name]) => name);
}

async function missingOrCut(
  storage: RepositoryStorage,
  staying: readonly SnapshotIndex[],
): Promise<ReadonlyMap<string, FileState>> {
  const sizes = new Map((await storage.list()).map((file) => [file.name, file.bytes]));
  const found = new Map<string, FileState>();
  for (const { name, bytes } of staying.flatMap(({ archives }) => archives)) {
    const size = sizes.get(name);
    if (size !== bytes) found.set(name, size === undefined ? "missing" : "suspect");
  }
  return found;
}

/** Throws ArchiveError (exit 6) when a file of the folder, as an index, is missing or damaged. */
function refuseRemarks({ remarks }: OpenRepository): void {
  const remark = remarks.find(({ isDamage }) => isDamage);
  if (remark !== undefined) throw refusal(remark.text);
}

/**
 * Throws ArchiveError (exit 6) when the file names of archives are exchanged, since prune would
 * remove the bytes of another archive.
 *
 * @param going the snapshots to remove; their archives are read where sizes don't tell them apart
 */
async function refuseExchanged(repository: OpenRepository, going: readonly SnapshotIndex[]): Promise<void> {
  const { storage, locations } = repository;
  for (const { name } of going.flatMap(({ archives }) => archives)) await locations.fileOf(name);
  const [first] = describeDisplaced(locations.displaced(), storage);
  if (first === undefined) return;
  throw new ArchiveError(`${first.text} Until then, prune removes nothing from this repository.`, {
    exitCode: EXIT.differences,
  });
}

/**
 * Throws ArchiveError (exit 6) when the bad archives leave a remaining snapshot without contents
 * that no repair archive has. Encrypted archives can be checked for that only with a key.
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
  const ends = new MediaEnds(repository);
  const files = { states, problems: [], proven: new Map(), hashed: { files: 0, bytes: 0 }, ends };
  const { snapshots } = await checkSnapshots(repository, files, { thoroughness: { kind: "structure" }, ...parts });
  const ids = new Set(staying.map(({ snapshot }) => snapshot));
  const hit = snapshots.find(({ snapshot, whole }) => ids.has(snapshot) && !whole);
  if (hit === undefined) return;
  const [name, state] = first;
  const others = bad.size === 1 ? "" : `, and ${bad.size - 1} more,`;
  const verb = bad.size === 1 ? "is" : "are";
  const what = state === "missing" ? `${verb} missing` : `${verb} damaged`;
  throw refusal(`${name}${others} ${what}, so the remaining snapshot ${hit.snapshot} cannot be fully restored.`);
}

function refusal(what: string): ArchiveError {
  return new ArchiveError(
    `The repository is damaged, so nothing was removed: older snapshots may be the only good ones. ${what} ` +
      "`guideferry verify REPO` lists all damage, `guideferry repair REPO SITE` repairs what it can; then prune again.",
    { exitCode: EXIT.differences },
  );
}
