import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveFile, SnapshotIndex } from "../../archive/repository/format.js";
import { type PrunePlan, planPrune } from "../../archive/repository/plan-prune.js";
import { type OpenRepository, openRepository } from "../../archive/repository/read/open-repository.js";
import { hashFile } from "../../archive/repository/read/rebuild-index.js";
import type { RepositoryKeys } from "../../archive/repository/read/repository-keys.js";
import { finishRemovals, removeSnapshots } from "../../archive/repository/remove.js";
import { asksForAny, type Retention } from "../../archive/repository/retention.js";
import type { Encryption } from "../../archive/repository/write/encryption.js";
import { ArchiveError, EXIT, UsageError } from "../../errors.js";
import { type Compacted, compact } from "./compact.js";

/** What a prune works with. The lock of the repository is the caller's, and `recover` was called; with `dryRun` neither is needed. */
export interface PruneParts {
  readonly folder: string;
  readonly retention: Retention;
  /** Only say what would be done. */
  readonly dryRun: boolean;
  /** null: leave old chains as they are. Else how the archives are read and written that make them go. */
  readonly compact: {
    readonly keys: RepositoryKeys;
    readonly encryption: Encryption | null;
    readonly scratch: string;
  } | null;
  readonly madeBy: string;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** What a prune did, or would do. */
export interface Pruned {
  readonly plan: PrunePlan;
  /** Every snapshot before, oldest first. */
  readonly snapshots: readonly SnapshotIndex[];
  readonly compacted: readonly Compacted[];
  readonly dryRun: boolean;
}

/**
 * Removes the snapshots that the retention does not keep and that nothing which stays needs. Killed anywhere, what stays is whole and the next run
 * ends it. Throws UsageError when nothing is asked to be kept, and ArchiveError (exit 6) when the repository is damaged or something
 * that stays is missing or has other bytes than were written: then older snapshots may be the only good ones, and nothing is removed.
 */
export async function prune(parts: PruneParts): Promise<Pruned> {
  const { folder, retention, dryRun, signal } = parts;
  if (!asksForAny(retention)) {
    throw new UsageError(
      "Nothing was asked to be kept, and everything would go. Give at least one of --keep-last, --keep-daily, --keep-weekly, --keep-monthly, --keep-yearly.",
    );
  }
  if (!dryRun) await finishRemovals(folder);
  const compacted = parts.compact === null ? [] : await compactNow(parts, parts.compact);
  const repository = await openRepository(folder);
  try {
    const snapshots = repository.snapshots();
    const plan = planPrune(snapshots, repository.repairs(), retention);
    await refuseDamage(repository, plan);
    signal.throwIfAborted();
    if (!dryRun && plan.removed.length > 0) {
      await refuseDamagedBytes(repository, plan, signal);
      await removeSnapshots(folder, plan.removed);
    }
    return { plan, snapshots, compacted, dryRun };
  } finally {
    await repository.close();
  }
}

async function compactNow(parts: PruneParts, how: NonNullable<PruneParts["compact"]>): Promise<readonly Compacted[]> {
  const repository = await openRepository(parts.folder, { keys: how.keys });
  try {
    await refuseDamage(repository, planPrune(repository.snapshots(), repository.repairs(), parts.retention));
    return await compact(repository, { ...parts, ...how });
  } finally {
    await repository.close();
  }
}

/** By names and sizes, which takes an instant. */
async function refuseDamage(repository: OpenRepository, plan: PrunePlan): Promise<void> {
  const [remark] = repository.remarks.filter(({ isDamage }) => isDamage);
  if (remark !== undefined) throw refusal(remark.text);
  for (const { name, bytes } of staying(repository, plan)) {
    const found = await sizeOf(join(repository.folder, name));
    if (found === undefined) throw refusal(`${name}, which stays, is missing.`);
    if (found !== bytes) throw refusal(`${name}, which stays, has ${found} bytes in place of ${bytes}.`);
  }
}

/** Reads all that stays: of what goes some may be the last good copy of bytes that were damaged since they were written. */
async function refuseDamagedBytes(repository: OpenRepository, plan: PrunePlan, signal: AbortSignal): Promise<void> {
  for (const { name, sha256 } of staying(repository, plan)) {
    const found = await hashFile(join(repository.folder, name), signal);
    if (found.sha256 !== sha256) throw refusal(`The bytes of ${name}, which stays, are damaged.`);
  }
}

function staying({ snapshots, repairs }: OpenRepository, { removed }: PrunePlan): readonly ArchiveFile[] {
  const going = new Set(removed);
  return [...snapshots(), ...repairs()].filter((index) => !going.has(index)).flatMap(({ archives }) => archives);
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
