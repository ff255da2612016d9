import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROVEN } from "../../src/storage/repository/proven.js";
import { takeLock } from "../../src/storage/workspace/lock.js";
import { guideItem } from "../helpers/items.js";
import { type Maker, makeRepository } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SNAPSHOTS = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z", "20261104T030000Z"] as const;

/** Two full snapshots, each followed by an incremental one. */
async function fourSnapshots(): Promise<Maker> {
  const maker = await makeRepository(join(await temporaryFolder(), "repo"));
  for (const [at, snapshot] of SNAPSHOTS.entries()) {
    await maker.add({
      snapshot,
      items: [guideItem(1), guideItem(2, { title: `Version ${at}` })],
      kind: at % 2 === 0 ? "full" : "incremental",
    });
  }
  return maker;
}

describe("guideferry prune", () => {
  it("removes what is not kept, after it said so", async () => {
    const { folder } = await fourSnapshots();
    const planned = await runCli(["prune", folder, "--keep-last", "1", "--dry-run"]);
    expect([planned.code, (await readdir(folder)).length]).toEqual([0, 9]);
    expect(planned.stdout).toMatch(
      /^Would be deleted: 2 snapshots, .* Kept: 1\. Held back, because others need them: 1\.$/m,
    );
    expect(planned.stdout).toMatch(/^Before that, 2 archives to keep \([\d.]+ kB\) would be read and hashed\.$/m);
    const { code, stdout, stderr } = await runCli(["prune", folder, "--keep-last", "1"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\S+ Before a deletion, prune reads and hashes the 2 archives to keep \([\d.]+ kB\)\.$/m);
    const fates = stdout
      .split("\n")
      .slice(1, 5)
      .map((line) => line.split(/ {2,}/).slice(0, 4));
    expect(fates).toEqual([
      [SNAPSHOTS[0], "full", "removed"],
      [SNAPSHOTS[1], "incremental", "removed"],
      [SNAPSHOTS[2], "full", "held", `needed by ${SNAPSHOTS[3]}`],
      [SNAPSHOTS[3], "incremental", "kept", "last"],
    ]);
    expect((await runCli(["snapshots", folder])).stdout).not.toContain(SNAPSHOTS[1]);
    await rm(join(folder, PROVEN));
    expect((await runCli(["verify", folder])).code).toBe(0);
    expect(Object.keys(JSON.parse(await readFile(join(folder, PROVEN), "utf8")).archives)).toHaveLength(2);
    await rm(join(folder, PROVEN));
    expect((await runCli(["verify", folder, "--structure"])).code).toBe(0);
    expect(await readdir(folder)).not.toContain(PROVEN);
  });

  it("drops one named snapshot, after it said so, and no other", async () => {
    const { folder } = await fourSnapshots();
    const drop = (snapshot: string, ...more: readonly string[]) =>
      runCli(["prune", folder, "--drop", snapshot, ...more]);
    const before = await readdir(folder);
    const needed = await drop(SNAPSHOTS[0]);
    expect([needed.code, needed.stderr]).toEqual([
      8,
      expect.stringMatching(
        new RegExp(
          `${SNAPSHOTS[0]} cannot be dropped: these snapshots need its archives: ${SNAPSHOTS[1]}\\..*Drop those snapshots first`,
        ),
      ),
    ]);
    expect(await drop(SNAPSHOTS[0], "--dry-run")).toMatchObject({ code: 8 });
    expect(await drop(SNAPSHOTS[3])).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/is the youngest snapshot/),
    });
    expect(await drop("20261105T030000Z")).toMatchObject({ code: 10, stderr: expect.stringContaining(SNAPSHOTS[1]) });
    for (const word of ["latest", "x", "2026-11-01"])
      expect(await drop(word)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          new RegExp(`--drop is "${word}", expected the full name of a snapshot.*\`guideferry snapshots REPO\` lists`),
        ),
      });
    expect(await drop(SNAPSHOTS[1], "--compact")).toMatchObject({ code: 2 });
    const planned = await drop(SNAPSHOTS[1], "--dry-run");
    expect([planned.code, planned.stdout]).toEqual([
      0,
      expect.stringMatching(/^Would be deleted: 1 snapshot, .* Kept: 3\.$/m),
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(expect.arrayContaining(before));
    const done = await drop(SNAPSHOTS[1], "--keep-last", "1");
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^Deleted: 1 snapshot, .* Kept: 3\.$/m)]);
    const dropped = before.filter((name) => name.includes(SNAPSHOTS[1]));
    expect(dropped.length).toBeGreaterThan(0);
    expect((await readdir(folder)).filter((name) => name !== PROVEN && !name.startsWith("lock")).toSorted()).toEqual(
      before.filter((name) => !dropped.includes(name) && !name.startsWith("lock")).toSorted(),
    );
    expect((await runCli(["verify", folder])).code).toBe(0);
    expect((await drop(SNAPSHOTS[0])).code).toBe(0);
    expect((await runCli(["verify", folder])).code).toBe(0);
  });

  it("drops nothing while a kept archive is damaged, nor the last one that is complete", async () => {
    const { folder, indexes } = await fourSnapshots();
    const name = indexes.get(SNAPSHOTS[2])?.archives[0]?.name ?? "";
    await rm(join(folder, name));
    expect(await runCli(["prune", folder, "--drop", SNAPSHOTS[1]])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(name),
    });
    expect((await readdir(folder)).filter((file) => file.includes(SNAPSHOTS[1])).length).toBeGreaterThan(0);
    const maker = await makeRepository(join(await temporaryFolder(), "repo"));
    for (const [at, snapshot] of SNAPSHOTS.entries())
      await maker.add({ snapshot, items: [guideItem(at + 1)], kind: "full", complete: at === 1 });
    expect(await runCli(["prune", maker.folder, "--drop", SNAPSHOTS[1]])).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/youngest complete snapshot/),
    });
    expect((await runCli(["prune", maker.folder, "--drop", SNAPSHOTS[2]])).code).toBe(0);
  });

  it("refuses to keep nothing, to work beside another run, and on a damaged repository", async () => {
    const { folder, indexes } = await fourSnapshots();
    expect(await runCli(["prune", folder])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--keep-last/) });
    const taken = takeLock(join(folder, "lock"), "a test");
    expect(await runCli(["prune", folder, "--keep-last", "1"])).toMatchObject({
      code: 11,
      stderr: expect.stringMatching(/a test/),
    });
    if ("lock" in taken) taken.lock.release();
    await rm(join(folder, indexes.get(SNAPSHOTS[3])?.archives.at(-1)?.name ?? ""));
    expect(await runCli(["prune", folder, "--keep-last", "1"])).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/nothing was removed/),
    });
    expect((await runCli(["prune", join(folder, "nowhere"), "--keep-last", "1"])).code).toBe(10);
  });

  it("writes old chains anew with --compact", async () => {
    const maker = await makeRepository(join(await temporaryFolder(), "repo"));
    for (const [at, snapshot] of SNAPSHOTS.entries()) {
      const guide = (id: number) =>
        guideItem(id, { title: `Version ${id === 1 ? 0 : at}`, introduction: "words ".repeat(99) });
      const items = Array.from({ length: 9 }, (_, id) => guide(id + 1));
      await maker.add({ snapshot, items, kind: at === 0 || at === 3 ? "full" : "incremental" });
    }
    const { code, stdout } = await runCli(["prune", maker.folder, "--keep-last", "2", "--compact"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^20261103T030000Z was rewritten as 20261103T030001Z\.$/m),
    ]);
    const listed = await runCli(["snapshots", maker.folder]);
    expect(
      listed.stdout
        .split("\n")
        .slice(1, -2)
        .map((line) => line.slice(0, 16)),
    ).toEqual(["20261103T030001Z", SNAPSHOTS[3]]);
    expect((await runCli(["verify", maker.folder])).code).toBe(0);
  });
});
