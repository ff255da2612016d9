import type * as FileSystem from "node:fs/promises";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyRepository } from "../../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { SnapshotIndex } from "../../../src/storage/repository/format.js";
import { finishRemovals, recover, removeSnapshots } from "../../../src/storage/repository/index-files.js";
import { openRepository } from "../../../src/storage/repository/read/open-repository.js";
import { guideItem } from "../../helpers/items.js";
import { makeRepository, NAME } from "../../helpers/repository.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/**
 * Every rename and removal counts; the one that is named, and all behind it, never happen: as in a
 * process that was killed.
 */
const steps = vi.hoisted(() => ({ done: 0, killedAt: Number.POSITIVE_INFINITY }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof FileSystem>();
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (steps.done >= steps.killedAt) throw new Error("killed");
    steps.done += 1;
    return work();
  };
  return {
    ...real,
    rename: (from: string, to: string) => counted(() => real.rename(from, to)),
    rm: (path: string, options?: object) => counted(() => real.rm(path, options)),
  };
});

afterEach(() => {
  steps.killedAt = Number.POSITIVE_INFINITY;
});

async function expectWhole(folder: string): Promise<readonly SnapshotIndex[]> {
  const repository = await openRepository(folder);
  const signal = new AbortController().signal;
  const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
  await repository.close();
  expect([check.damaged, check.notes, check.snapshots.every(({ whole }) => whole)]).toEqual([false, [], true]);
  return repository.snapshots();
}

describe("removing snapshots", () => {
  it("leaves no damage wherever it is killed, and is ended by the next run", { timeout: 60_000 }, async () => {
    const maker = await makeRepository(join(await temporaryFolder(), "repo"));
    const ids = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z", "20261104T030000Z"];
    for (const [at, snapshot] of ids.entries()) {
      const items = [guideItem(1), guideItem(2, { title: `Version ${at}` }), guideItem(3)];
      await maker.add({ snapshot, items, kind: at % 3 === 0 ? "full" : "incremental", parts: at === 0 ? 2 : 0 });
    }
    const going = ids.slice(0, 3).flatMap((id) => maker.indexes.get(id) ?? []);
    for (let killedAt = 0; ; killedAt += 1) {
      const folder = join(await temporaryFolder(), "copy");
      await cp(maker.folder, folder, { recursive: true });
      Object.assign(steps, { done: 0, killedAt });
      const killed = await removeSnapshots(new LocalFolder(folder), going).then(
        () => false,
        () => true,
      );
      steps.killedAt = Number.POSITIVE_INFINITY;
      const left = await expectWhole(folder);
      expect(left.map(({ snapshot }) => snapshot)).toEqual(
        ids.slice(0, Math.max(0, 3 - killedAt)).concat(ids.slice(3)),
      );
      await finishRemovals(new LocalFolder(folder));
      const files = await readdir(folder);
      expect(files.filter((name) => name.endsWith(".removed"))).toEqual([]);
      expect((await expectWhole(folder)).length).toBe(left.length);
      if (killed) continue;
      expect(files.toSorted()).toEqual([
        "repository.json",
        `${NAME}-${ids[3]}.full.zip`,
        `${NAME}-${ids[3]}.index.json`,
      ]);
      expect(killedAt).toBeGreaterThan(8);
      break;
    }
  });

  it("is done for readers once the mark is there, also while the index is: storage without renames", async () => {
    const maker = await makeRepository(join(await temporaryFolder(), "repo"));
    const ids = ["20261101T030000Z", "20261102T030000Z"] as const;
    for (const snapshot of ids) await maker.add({ snapshot, items: [guideItem(1)], kind: "full" });
    const [first, second] = ids.map((id) => join(maker.folder, `${NAME}-${id}.index.json`));
    await cp(first ?? "", `${first}.removed`);
    await cp(second ?? "", `${second}.new`);
    expect((await expectWhole(maker.folder)).map(({ snapshot }) => snapshot)).toEqual([ids[1]]);
    const storage = new LocalFolder(maker.folder);
    await recover(storage);
    await finishRemovals(storage);
    expect((await readdir(maker.folder)).toSorted()).toEqual([
      "repository.json",
      `${NAME}-${ids[1]}.full.zip`,
      `${NAME}-${ids[1]}.index.json`,
    ]);
    expect(await expectWhole(maker.folder)).toHaveLength(1);
  });
});
