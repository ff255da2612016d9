import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { holdRepository } from "../../src/backup/hold-repository.js";
import { type RepairSummary, repairRepository } from "../../src/backup/repair/repair.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { flipBit, flipIn, placesOf } from "../helpers/damage-archive.js";
import { controlOf } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sourceOf } from "../sync/extract-site.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { looms } from "./helpers/read-backups.js";

async function repair({ folder, sandbox }: BackupSite): Promise<RepairSummary> {
  const held = await holdRepository(new LocalFolder(folder), { command: "test", create: false });
  const repository = await openRepository(folder);
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test", wait: () => 0 });
  workspace.runs.start("repair", {});
  try {
    return await repairRepository({
      repository,
      hasKeys: false,
      withSource: (reading, work) =>
        work(sourceOf(sandbox, reading === undefined ? {} : { records: "all", ...reading })),
      workspace,
      encryption: null,
      madeBy: "guideferry test",
      now: () => new Date(),
      control: controlOf({}),
    });
  } finally {
    await workspace.close();
    await repository.close();
    await held.lease.release();
  }
}

/** Reads every byte that every snapshot names, from wherever a restore would take it. */
async function unreadable({ folder }: BackupSite): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const lost: string[] = [];
  for (const { snapshot } of repository.snapshots()) {
    for (const rows of [repository.items(snapshot), repository.media(snapshot)]) {
      for await (const row of rows) {
        if (!("archive" in row)) continue;
        const name = "key" in row ? row.key : row.sha256;
        await repository
          .open(row)
          .then(buffer)
          .catch(() => lost.push(name));
      }
    }
  }
  await repository.close();
  return lost;
}

async function mediaOf({ folder }: BackupSite): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const media: string[] = [];
  for await (const { sha256 } of repository.media(repository.find().snapshot)) media.push(sha256);
  await repository.close();
  return media;
}

test("a repository that is whole is left alone", async () => {
  const nights = await looms();
  await nights.backUp();
  const files = await readdir(nights.folder);
  expect(await repair(nights)).toMatchObject({ wanted: 0, lost: [], index: null });
  expect((await readdir(nights.folder)).sort()).toEqual(files.sort());
});

test("damaged items and media come from the site again, into an archive of their own", async () => {
  const nights = await looms();
  await nights.backUp();
  const [medium = ""] = await mediaOf(nights);
  const names = ["guide/3", "category/Looms", "wiki/WIKI/Sheds", "record/tags"];
  for (const name of [...names, medium]) await flipBit(nights.folder, name);
  expect(await unreadable(nights)).toHaveLength(5);
  const done = await repair(nights);
  expect(done).toMatchObject({ wanted: 5, salvaged: [], lost: [], unreadable: [] });
  expect(done.fetched.map(({ name }) => name).sort()).toEqual([...names, medium].sort());
  expect(await unreadable(nights)).toEqual([]);
  expect(await repair(nights)).toMatchObject({ wanted: 0, index: null });
  const repository = await openRepository(nights.folder);
  const check = await verifyRepository(repository, {
    thoroughness: { kind: "bytes" },
    hasKeys: false,
    signal: new AbortController().signal,
  });
  await repository.close();
  expect(check.snapshots).toMatchObject([{ whole: true }]);
  // As the repair says.
  expect([check.damaged, check.hits.every(({ repaired }) => repaired)]).toEqual([false, true]);
});

test("the item of a picture comes back too, by way of what uses it", async () => {
  const nights = await looms();
  await nights.backUp();
  const repository = await openRepository(nights.folder);
  let image = "";
  for await (const { key, kind } of repository.items(repository.find().snapshot)) if (kind === "image") image = key;
  await repository.close();
  await flipBit(nights.folder, image);
  expect(await repair(nights)).toMatchObject({ wanted: 1, fetched: [{ name: image }], lost: [] });
  expect(await unreadable(nights)).toEqual([]);
});

test("what another archive holds is taken from there, without asking the site", async () => {
  const nights = await looms();
  await nights.backUp();
  await nights.backUp({ options: { fullEvery: 1 } });
  const [first] = await placesOf(nights.folder, "guide/5");
  await flipIn(nights.folder, first?.archive ?? "", first?.path ?? "");
  nights.sandbox.edit.guide(5, { title: "Another one by now" });
  expect(await repair(nights)).toMatchObject({ wanted: 1, salvaged: [{ name: "guide/5" }], fetched: [], lost: [] });
  expect(await unreadable(nights)).toEqual([]);
});

test("what was edited since is lost for ever, and said to be; the rest comes back", async () => {
  const nights = await looms();
  await nights.backUp();
  await flipBit(nights.folder, "guide/3");
  await flipBit(nights.folder, "guide/4");
  nights.sandbox.edit.guide(3, { title: "Edited since" });
  const done = await repair(nights);
  expect(done).toMatchObject({ fetched: [{ name: "guide/4" }], lost: [{ name: "guide/3", title: "Guide 3" }] });
  expect(await unreadable(nights)).toEqual(["guide/3"]);
});

test("an archive that is missing comes back as far as the site still has it", async () => {
  const nights = await looms();
  await nights.backUp();
  nights.sandbox.edit.guide(2, { introduction: "Night two." });
  await nights.backUp();
  nights.sandbox.edit.guide(7, { introduction: "Night three." });
  await nights.backUp();
  const archives = (await readdir(nights.folder)).filter((name) => name.endsWith(".incremental.zip")).sort();
  await rm(join(nights.folder, archives[0] ?? ""));
  const done = await repair(nights);
  expect(done.fetched.map(({ name }) => name)).toContain("guide/2");
  expect(done.unreadable).toHaveLength(1);
  expect(done.lost.map(({ name }) => name)).toEqual([]);
});

test("another site is refused before anything is read from it", async () => {
  const [nights, other] = [await looms(), await looms()];
  await nights.backUp();
  await flipBit(nights.folder, "guide/3");
  await expect(repair({ ...nights, sandbox: other.sandbox })).rejects.toThrow(/is another site/);
});

test("the site is read as the snapshots say that they were, also for what only an older one took", async () => {
  const nights = await startBackups();
  const reading = { imageDetails: true, format: "xml", languages: [], personalData: true } as const;
  const [people, later] = [
    { ...reading, languages: [] },
    { ...reading, languages: [], personalData: false },
  ];
  const first = await nights.backUp({
    source: sourceOf(nights.sandbox, { records: "all", ...people }),
    readAs: people,
  });
  await nights.backUp({ source: sourceOf(nights.sandbox, { records: "all", ...later }), readAs: later });
  const repository = await openRepository(nights.folder);
  expect((await repository.manifest(first.index.snapshot)).reading).toEqual(people);
  const names = ["guide/3", "category/Looms"];
  for await (const { key, kind } of repository.items(first.index.snapshot)) {
    if (kind === "record" && /users|work log/.test(key)) names.push(key);
    if (kind === "image" && names.every((name) => !name.startsWith("image/"))) names.push(key);
  }
  await repository.close();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) await flipBit(nights.folder, name);
  const done = await repair(nights);
  expect(done.lost.map(({ name }) => name)).toEqual([]);
  expect(done.fetched.map(({ name }) => name).sort()).toEqual(names.toSorted());
});

test("a last snapshot that cannot be read keeps nothing of the others from coming back", async () => {
  const nights = await looms();
  await nights.backUp();
  nights.sandbox.edit.guide(2, { introduction: "Night two." });
  const { index } = await nights.backUp();
  const repository = await openRepository(nights.folder);
  const names = ["guide/3"];
  for await (const { key, kind } of repository.items(index.snapshot)) if (kind === "image") names[1] = key;
  for await (const { sha256 } of repository.media(index.snapshot)) names[2] = sha256;
  await repository.close();
  for (const name of names) await flipBit(nights.folder, name);
  await rm(join(nights.folder, index.archives.at(-1)?.name ?? ""));
  const done = await repair(nights);
  expect([done.unreadable, done.lost]).toEqual([[index.snapshot], []]);
  expect(done.fetched.map(({ name }) => name).sort()).toEqual(names.toSorted());
});
