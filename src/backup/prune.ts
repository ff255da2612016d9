import type { SnapshotId, SnapshotIndex } from "../storage/repository/format.js";
import { asCompacted, type Nameless } from "../storage/repository/plan-compact.js";
import { planDrop } from "../storage/repository/plan-drop.js";
import { type PrunePlan, planPrune } from "../storage/repository/plan-prune.js";
import { noteProven } from "../storage/repository/proven.js";
import { type OpenRepository, openRepository } from "../storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../storage/repository/read/repository-keys.js";
import { finishRemovals, removeSnapshots } from "../storage/repository/remove.js";
import { asksForAny, type Retention } from "../storage/repository/retention.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import { ArchiveError, UsageError } from "../core/errors.js";
import { type Compacted, type Compaction, type CompactParts, compact } from "./compact.js";
import { filesToProve, type ProofParts, type Proving, proveFiles } from "./prove-staying.js";
import { missingOrCut, refuseExchanged, refuseLoss, refuseRemarks } from "./refuse-damaged.js";
import type { FileState } from "./verify/check-files.js";

/** What a prune works with. The lock of the repository is the caller's, and `recover` was called; with `dryRun` neither is needed. */
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
  /** Every snapshot before anything is removed, oldest first, with those that were written anew, or would be. */
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
 * Removes the snapshots that the retention does not keep and that nothing which stays needs. Killed anywhere, what stays is whole and the next run
 * ends it. Throws UsageError when nothing is asked to be kept, and ArchiveError (exit 6) when a snapshot that stays is not whole, as far as
 * archives are read before: then older snapshots may be the only good ones, and nothing is removed. With `drop` it also throws what `planDrop` does.
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

/** Without the notes a later prune reads more than it had to; what this one did, or the error that ended it, counts. */
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

/** As far as names and sizes tell. Gives what is otherwise than it was written, and was put right by a repair. */
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
