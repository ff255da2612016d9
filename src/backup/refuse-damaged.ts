import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotIndex } from "../storage/repository/format.js";
import { describeDisplaced } from "../storage/repository/read/archive-locations.js";
import type { OpenRepository } from "../storage/repository/read/open-repository.js";
import { ArchiveError, EXIT } from "../core/errors.js";
import type { FileState } from "./verify/check-files.js";
import { judge } from "./verify/verify-repository.js";

/** By names and sizes, which takes an instant. Gives what is wrong with archives that stay, by their names. */
export async function missingOrCut(
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

/** Throws ArchiveError (exit 6) when something of the folder itself is lost or damaged, such as an index. */
export function refuseRemarks({ remarks }: OpenRepository): void {
  const remark = remarks.find(({ isDamage }) => isDamage);
  if (remark !== undefined) throw refusal(remark.text);
}

/**
 * Throws ArchiveError (exit 6) when the file names of archives are exchanged: by its name another
 * archive's bytes would be removed. `going`: what is about to
 * be removed; of these alone archives are read, where their size proves nothing.
 */
export async function refuseExchanged(repository: OpenRepository, going: readonly SnapshotIndex[]): Promise<void> {
  const { folder, locations } = repository;
  for (const { name } of going.flatMap(({ archives }) => archives)) await locations.fileOf(name);
  const [first] = describeDisplaced(locations.displaced(), folder);
  if (first === undefined) return;
  throw new ArchiveError(`${first.text} Until then nothing is removed from this repository.`, {
    exitCode: EXIT.differences,
  });
}

/**
 * Throws ArchiveError (exit 6) when a snapshot that stays is not whole for the sake of these archives. What is damaged and was put right by a repair is
 * no reason; whether it was, nobody can tell of encrypted ones without a key.
 */
export async function refuseLoss(
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
  const { snapshots } = await judge(repository, files, { thoroughness: { kind: "structure" }, ...parts });
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
