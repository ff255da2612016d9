import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { holdRepository } from "../../src/backup/hold-repository.js";
import { prune } from "../../src/backup/prune/prune.js";
import { type RepairSummary, repairRepository, repairStamp } from "../../src/backup/repair/repair.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { flipIn } from "../helpers/damage-archive.js";
import { type Copied, type DamagedNights, damagedNights, filesOf } from "../helpers/damaged-snapshots.js";
import { controlOf } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { oneBackup } from "./helpers/backups.js";

const signal = new AbortController().signal;
const madeBy = "guideferry test";

async function repair({ folder }: Copied, { source, keys }: DamagedNights): Promise<RepairSummary> {
  await repairStamp(new LocalFolder(folder), { keys, madeBy });
  const held = await holdRepository(new LocalFolder(folder), { command: "test", create: false });
  const repository = await openRepository(folder, { keys });
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test", wait: () => 0 });
  const now = () => new Date("2026-11-07T03:00:00Z");
  const parts = { repository, workspace, encryption: null, madeBy, now, control: controlOf({}) };
  try {
    return await repairRepository({ ...parts, hasKeys: false, withSource: (_reading, work) => work(source) });
  } finally {
    await workspace.close();
    await repository.close();
    await held.lease.release();
  }
}

async function problems(folder: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
  await repository.close();
  return check.problems.map(({ file }) => file);
}

it("a lost index and a lost stamp are made again by a repair, and the repository can be pruned and added to again", async () => {
  const nights = await damagedNights(false);
  const copy = await nights.copy();
  const { folder, workspace } = copy;
  const good = await filesOf(folder);
  await rm(join(folder, copy.file(1, "index")));
  await writeFile(join(folder, copy.file(5, "index")), "{");
  await rm(join(folder, "repository.json"));
  const retention = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const pruning = () =>
    prune({ storage: new LocalFolder(folder), retention, dryRun: true, compact: null, madeBy, signal });
  await expect(pruning()).rejects.toMatchObject({ exitCode: 6 });
  const night = { folder, workspace, source: nights.source, keys: nights.keys, now: new Date("2026-11-06T03:00:00Z") };
  await expect(oneBackup({ ...night, options: { name: "looms" } })).rejects.toMatchObject({
    exitCode: 6,
    message: expect.stringMatching(/repository\.json is missing.*guideferry repair/),
  });
  const done = await repair(copy, nights);
  expect(done).toMatchObject({ wanted: 0, lost: [], unreadable: [], index: null });
  expect(done.indexes).toEqual([nights.indexes[0]?.snapshot, nights.indexes[4]?.snapshot]);
  expect(await problems(folder)).toEqual([]);
  const after = await filesOf(folder);
  expect([...good].filter(([name, hash]) => /\.zip$/.test(name) && after.get(name) !== hash)).toEqual([]);
  const repository = await openRepository(folder);
  expect(repository.snapshots().map(({ needs, archives }) => [needs, archives])).toEqual(
    nights.indexes.map(({ needs, archives }) => [needs, archives]),
  );
  await repository.close();
  expect((await pruning()).plan.removed).toHaveLength(3);
  expect((await oneBackup({ ...night, options: { name: "looms" } })).index.complete).toBe(true);
});

it("an index is not written again while its main archive has damage, which its hash would hide", async () => {
  const nights = await damagedNights(false);
  const copy = await nights.copy();
  const { folder } = copy;
  await rm(join(folder, copy.file(1, "index")));
  await flipIn(folder, copy.file(1, "main"), copy.medium.path);
  expect((await repair(copy, nights)).indexes).toEqual([]);
});

it("bytes that no guide shows any more and no archive has are not missed for ever", async () => {
  const nights = await damagedNights(false);
  const copy = await nights.copy();
  const { folder, workspace } = copy;
  // The picture of the guide that was deleted in the third night lies in the second full one.
  await rm(join(folder, copy.file(4, "main")));
  const requests: number[] = [];
  for (const day of ["06", "07", "08"]) {
    const from = nights.sandbox.recorded.length;
    const now = new Date(`2026-11-${day}T03:00:00Z`);
    const more = { source: nights.source, keys: nights.keys, now, options: { name: "looms" } };
    const { index, failures } = await oneBackup({ folder, workspace, ...more });
    expect([day, index.complete, failures]).toEqual([day, true, []]);
    requests.push(nights.sandbox.recorded.slice(from).filter(({ path }) => /^\/guides\/\d+$/.test(path)).length);
  }
  // Everything is read anew once, and not every night.
  expect(requests).toEqual([5, 0, 0]);
});
