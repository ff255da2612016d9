import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { expect } from "vitest";
import type { ItemRow } from "../../../src/storage/repository/format.js";
import { openRepository } from "../../../src/storage/repository/read/open-repository.js";
import { sha256 } from "../../storage/repository/write/helpers/plans.js";
import { filesIn } from "../../storage/workspace/helpers/files.js";
import { type BackupSite, startBackups } from "./backups.js";
import { fillLooms } from "./looms.js";

/** The site of `fillLooms`, backed up every night. */
export async function looms(account?: { readonly admin: boolean }): Promise<BackupSite> {
  const nights = await startBackups(account === undefined ? {} : { account });
  fillLooms(nights.sandbox);
  return nights;
}

/** Every row of a snapshot, the last one by default, after all bytes of it were read. */
export async function rowsOf({ folder }: BackupSite, snapshot?: string): Promise<ReadonlyMap<string, ItemRow>> {
  const repository = await openRepository(folder);
  const id = snapshot ?? repository.find().snapshot;
  const rows = new Map<string, ItemRow>();
  for await (const row of repository.items(id)) {
    rows.set(row.key, row);
    if (row.state === "present") expect(sha256(await buffer(await repository.open(row)))).toBe(row.sha256);
  }
  for await (const row of repository.media(id)) await buffer(await repository.open(row));
  expect(repository.warnings).toEqual([]);
  await repository.close();
  return rows;
}

/** The file of an item as a snapshot has it. */
export async function textOf({ folder }: BackupSite, key: string, snapshot: string): Promise<string> {
  const repository = await openRepository(folder);
  const row = await repository.item(snapshot, key as `guide/${string}`);
  if (row?.state !== "present") throw new Error(`${key} is not in ${snapshot}`);
  const found = await text(await repository.open(row));
  await repository.close();
  return found;
}

/** Bytes of media that lie in the workspace. */
export function mediaIn({ workspace }: BackupSite): readonly string[] {
  return filesIn(join(workspace, "media"));
}

/** Requests for bytes of media so far. */
export function mediaRequests({ sandbox }: BackupSite): number {
  return sandbox.recorded.filter(({ path }) => path.includes("/media/") || path.includes("/images/")).length;
}
