import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Copied, copyRepository } from "../../src/backup/copy-repository.js";
import { prune } from "../../src/backup/prune/prune.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import type { RepositoryStorage } from "../../src/storage/repository/files/repository-storage.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { guideItem } from "../helpers/items.js";
import { type Maker, makeRepository, NAME, sha256Of } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { Killed, killedAfter } from "./helpers/killed-storage.js";

const NEVER = new AbortController().signal;
const IDS = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z", "20261104T030000Z"] as const;

/** A full snapshot in three files and an incremental one, twice. */
async function nights(count: number = IDS.length, keys?: Parameters<typeof makeRepository>[1]): Promise<Maker> {
  const maker = await makeRepository(join(await temporaryFolder(), "repo"), keys);
  for (const [at, snapshot] of IDS.slice(0, count).entries()) await night(maker, snapshot, at);
  return maker;
}

function night(maker: Maker, snapshot: string, at: number): Promise<unknown> {
  const items = [guideItem(1), guideItem(2, { title: `Version ${at}` }), guideItem(3)];
  return maker.add({ snapshot, items, kind: at % 2 === 0 ? "full" : "incremental", parts: at === 0 ? 2 : 0 });
}

async function newPlace(): Promise<string> {
  return join(await temporaryFolder(), "copy");
}

function copy(from: string, to: string | RepositoryStorage, dryRun = false): Promise<Copied> {
  const goal = typeof to === "string" ? new LocalFolder(to) : to;
  return copyRepository({ from: new LocalFolder(from), to: goal, dryRun, signal: NEVER });
}

/** The files of snapshots, with their bytes. */
async function bytesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(NAME));
  return new Map(
    await Promise.all(names.map(async (name) => [name, sha256Of(await readFile(join(folder, name)))] as const)),
  );
}

async function expectWhole(folder: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  try {
    const check = await verifyRepository(repository, {
      thoroughness: { kind: "bytes" },
      hasKeys: false,
      signal: NEVER,
    });
    expect([check.problems, check.hits, check.damaged]).toEqual([[], [], false]);
    return repository.snapshots().map(({ snapshot }) => snapshot);
  } finally {
    await repository.close();
  }
}

describe("a copy of a repository", () => {
  it("has every file byte for byte, and later only what is missing is copied", async () => {
    const maker = await nights(2);
    const goal = await newPlace();
    expect((await copy(maker.folder, goal)).copied.map(({ snapshot }) => snapshot)).toEqual(IDS.slice(0, 2));
    expect(await bytesIn(goal)).toEqual(await bytesIn(maker.folder));
    expect(await expectWhole(goal)).toEqual(IDS.slice(0, 2));
    const before = await stat(join(goal, `${NAME}-${IDS[0]}.full.zip`));
    for (const at of [2, 3]) await night(maker, IDS[at] ?? "", at);
    const planned = await copy(maker.folder, goal, true);
    expect(await readdir(goal)).not.toContain(`${NAME}-${IDS[2]}.full.zip`);
    const done = await copy(maker.folder, goal);
    expect([planned.bytes, planned.copied]).toEqual([done.bytes, done.copied]);
    expect(done.copied.map(({ snapshot }) => snapshot)).toEqual(IDS.slice(2));
    expect(await bytesIn(goal)).toEqual(await bytesIn(maker.folder));
    expect((await stat(join(goal, `${NAME}-${IDS[0]}.full.zip`))).ino).toBe(before.ino);
    expect(await copy(maker.folder, goal)).toMatchObject({ copied: [], bytes: 0, damaged: [], snapshots: 4 });
  });

  it("of encrypted archives needs no key", async () => {
    const maker = await nights(2, { passphrase: "correct horse" });
    const goal = await newPlace();
    expect((await copy(maker.folder, goal)).copied).toHaveLength(2);
    expect(await bytesIn(goal)).toEqual(await bytesIn(maker.folder));
  }, 60_000);

  it("keeps what was pruned in the source, and can be copied back", async () => {
    const maker = await nights();
    const goal = await newPlace();
    await copy(maker.folder, goal);
    await writeFile(join(maker.folder, "head.json"), JSON.stringify({ format: 1, snapshot: IDS[3] }));
    const retention = { last: 2, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
    const storage = new LocalFolder(maker.folder);
    await prune({ storage, retention, dryRun: false, compact: null, madeBy: "test", signal: NEVER });
    const done = await copy(maker.folder, goal);
    expect(done.onlyThere.map(({ snapshot }) => snapshot)).toEqual(IDS.slice(0, 2));
    expect(await expectWhole(goal)).toEqual(IDS);
    expect((await copy(goal, maker.folder)).copied.map(({ snapshot }) => snapshot)).toEqual(IDS.slice(0, 2));
    expect(await bytesIn(maker.folder)).toEqual(await bytesIn(goal));
  });

  it("is refused where the target is of another site, has other snapshots, or later ones", async () => {
    const maker = await nights(2);
    const other = await newPlace();
    await mkdir(other);
    await writeFile(join(other, "repository.json"), (await stampOf(maker.folder)).replace(NAME, "other.example"));
    await expect(copy(maker.folder, other)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/of other\.example .*not those/),
    });
    const same = await nights(0);
    await same.add({ snapshot: IDS[0], items: [guideItem(7)], kind: "full" });
    await expect(copy(maker.folder, same.folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/with different archives/),
    });
    const strange = await nights(0);
    await strange.add({ snapshot: "20261001T030000Z", items: [guideItem(7)], kind: "full" });
    await expect(copy(maker.folder, strange.folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/no snapshot in common/),
    });
    const ahead = await newPlace();
    await copy(maker.folder, ahead);
    const both = await nights(3);
    await rm(ahead, { recursive: true });
    await cp(both.folder, ahead, { recursive: true });
    await expect(copy(maker.folder, ahead)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(IDS[2]),
    });
    for (const folder of [other, same.folder, strange.folder, ahead])
      expect((await readdir(folder)).some((name) => name.includes(IDS[1]))).toBe(folder === ahead);
  });

  it("takes nothing from a damaged archive, and no snapshot that needs it, but all others", async () => {
    const maker = await nights();
    await flipMiddle(join(maker.folder, `${NAME}-${IDS[0]}.full.part1.zip`));
    const goal = await newPlace();
    const done = await copy(maker.folder, goal);
    expect(done.damaged.map(({ index: { snapshot }, reason }) => [snapshot, reason])).toEqual([
      [IDS[0], `the bytes of ${NAME}-${IDS[0]}.full.part1.zip are damaged`],
      [IDS[1], expect.stringMatching(/^it needs .*, which was not copied$/)],
    ]);
    expect(await expectWhole(goal)).toEqual(IDS.slice(2));
    await rm(join(maker.folder, `${NAME}-${IDS[2]}.full.zip`));
    const again = await copy(maker.folder, await newPlace());
    expect(again.damaged.map(({ index }) => index.snapshot)).toEqual(IDS);
  });

  it("leaves whole snapshots wherever it is killed, and the next one continues", async () => {
    const maker = await nights();
    const expected = await bytesIn(maker.folder);
    let kept = 0;
    for (let steps = 0; ; steps += 1) {
      const goal = await newPlace();
      const killed = await copy(maker.folder, killedAfter(steps, new LocalFolder(goal))).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Killed) return true;
          throw error;
        },
      );
      if ((await readdir(goal)).includes("repository.json")) await expectWhole(goal);
      const left = await archivesWithoutIndex(goal);
      const { continued } = await copy(maker.folder, goal);
      expect(continued.archives).toBe(left.length);
      kept += left.length;
      expect(await bytesIn(goal)).toEqual(expected);
      expect((await readdir(goal)).filter((name) => /^\.|\.new$/.test(name))).toEqual([]);
      if (killed) continue;
      expect(steps).toBeGreaterThan(40);
      break;
    }
    expect(kept).toBeGreaterThan(10);
  }, 120_000);

  it("copies an archive again whose bytes changed after a kill", async () => {
    const maker = await nights(1);
    const [goal, part] = [await newPlace(), `${NAME}-${IDS[0]}.full.part1.zip`];
    let steps = 0;
    while ((await archivesWithoutIndex(goal)).length === 0) {
      steps += 1;
      await expect(copy(maker.folder, killedAfter(steps, new LocalFolder(goal)))).rejects.toThrow(Killed);
    }
    await flipMiddle(join(goal, part));
    expect((await copy(maker.folder, goal)).continued).toEqual({ archives: 0, bytes: 0 });
    expect(await bytesIn(goal)).toEqual(await bytesIn(maker.folder));
  });

  it("leaves no archive of a snapshot that turns out to be damaged", async () => {
    const maker = await nights();
    await flipMiddle(join(maker.folder, `${NAME}-${IDS[0]}.full.part2.zip`));
    const goal = await newPlace();
    expect((await copy(maker.folder, goal)).copied.map(({ snapshot }) => snapshot)).toEqual(IDS.slice(2));
    expect((await readdir(goal)).filter((name) => name.includes(IDS[0]))).toEqual([]);
  });
});

/** Archives that a killed copy left. */
async function archivesWithoutIndex(goal: string): Promise<readonly string[]> {
  const names = await readdir(goal).catch((): string[] => []);
  const prepared = names.filter((name) => name.endsWith(".index.json.new")).map((name) => name.replace(/\.new$/, ""));
  // With a main archive and a prepared index, the snapshot exists.
  const isWhole = (id: string): boolean =>
    names.includes(`${NAME}-${id}.index.json`) ||
    (prepared.includes(`${NAME}-${id}.index.json`) &&
      names.some((name) => /\.(full|incremental)\.zip$/.test(name) && name.includes(id)));
  return names.filter(
    (name) => name.endsWith(".zip") && name.startsWith(NAME) && !isWhole(name.slice(NAME.length + 1, NAME.length + 17)),
  );
}

async function flipMiddle(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(path, bytes);
}

function stampOf(folder: string): Promise<string> {
  return readFile(join(folder, "repository.json"), "utf8");
}
