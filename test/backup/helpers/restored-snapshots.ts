import { createHash } from "node:crypto";
import { accessSync, constants, mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { fillFromSnapshot, restoreElsewhere } from "../../../src/backup/restore/fill-workspace.js";
import { snapshotContents } from "../../../src/backup/restore/snapshot-contents.js";
import { FerryError } from "../../../src/core/errors.js";
import { itemSchema } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { SnapshotId } from "../../../src/storage/repository/format.js";
import { type OpenRepository, openRepository } from "../../../src/storage/repository/read/open-repository.js";
import { layoutOf } from "../../../src/storage/workspace/layout.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { EVERYTHING } from "../../../src/sync/selection.js";
import type { DamagedNights } from "../../helpers/damaged-snapshots.js";
import { controlOf } from "../../helpers/migration.js";

/** What a restore of a snapshot into a folder brought and what it told. */
export interface Restored {
  /** Keys of items, and sha256 of media, that lie in the folder byte for byte. */
  readonly whole: ReadonlySet<string>;
  /** Keys of items that it told as failed. */
  readonly failed: readonly string[];
}

/** The medium that each item names, in every snapshot; to be asked before anything is damaged. */
export async function mediaOfItems(
  folder: string,
  { keys, indexes }: DamagedNights,
): Promise<ReadonlyMap<string, string>> {
  const repository = await openRepository(folder, { keys });
  const media = new Map<string, string>();
  for (const { snapshot } of indexes) {
    for await (const row of repository.items(snapshot)) {
      if (row.state !== "present" || row.kind !== "image") continue;
      const { body } = itemSchema.parse(JSON.parse(await text(await repository.open(row))));
      if ("content" in body && body.content !== null) media.set(row.key, body.content.sha256);
    }
  }
  await repository.close();
  return media;
}

/**
 * Restores a snapshot into a new folder, as the command does; null: it ended with 6 and brought
 * nothing.
 */
export async function restored(
  folder: string,
  snapshot: SnapshotId,
  wanted: ReadonlyMap<string, unknown>,
  { keys }: DamagedNights,
): Promise<Restored | null> {
  const repository = await openRepository(folder, { keys });
  const goal = mkdtempSync(join(fastFolder(), "guideferry-restored-"));
  try {
    const failed = await fill(repository, snapshot, goal);
    const whole = new Set<string>();
    for (const name of wanted.keys()) if (await isWhole(goal, name, wanted)) whole.add(name);
    return { whole, failed };
  } catch (error) {
    if (error instanceof FerryError && error.exitCode === 6) return null;
    throw error;
  } finally {
    await repository.close();
    await rm(goal, { recursive: true, force: true });
  }
}

async function fill(repository: OpenRepository, snapshot: SnapshotId, goal: string): Promise<readonly string[]> {
  const contents = await snapshotContents(repository, snapshot);
  const elsewhere = restoreElsewhere(repository, snapshot);
  const workspace = await openWorkspace(goal, { create: true, command: "test", wait: () => 0, elsewhere });
  try {
    const parts = { elsewhere, contents, workspace, copyMedia: true, control: controlOf({}) };
    const summary = await fillFromSnapshot({ ...parts, selection: EVERYTHING });
    const failures = workspace.failures.list();
    expect([summary.failed, summary.items + summary.failed]).toEqual([
      failures.length,
      contents.manifest.counts.present,
    ]);
    return failures.map(({ key }) => key).toSorted();
  } finally {
    await workspace.close();
  }
}

/** Against the sha256 that the snapshot had before anything was damaged. */
async function isWhole(goal: string, name: string, wanted: ReadonlyMap<string, unknown>): Promise<boolean> {
  const layout = layoutOf(goal);
  const isMedium = /^[0-9a-f]{64}$/.test(name);
  const path = isMedium ? layout.content(name) : layout.item(name as Key);
  const bytes = await readFile(path).catch(() => undefined);
  return (
    bytes !== undefined &&
    createHash("sha256").update(bytes).digest("hex") === Reflect.get(Object(wanted.get(name)), "sha256")
  );
}

/** Where syncing costs nothing, if there is such a place: hundreds of folders are filled. */
function fastFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}
