import { createHash } from "node:crypto";
import { copyFile, cp, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { correctNames, planRenamings } from "../../src/backup/repair/repair.js";
import type { RepositoryCheck } from "../../src/backup/verify/repository-check.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { indexSchema } from "../../src/storage/repository/format.js";
import { indexName } from "../../src/storage/repository/names.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { filesOf } from "../helpers/damaged-snapshots.js";
import { NAME } from "../helpers/repository.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { chain, run as prune, snapshotOn } from "./helpers/prune-chain.js";
import { looms, rowsOf } from "./helpers/read-backups.js";

/** A full snapshot, and three with a new text of one guide each. */
async function fourNights(): Promise<string> {
  const { folder } = await chain([[], [1], [1], [1]]);
  return folder;
}

const mainOf = (nth: number): string => `${NAME}-${snapshotOn(nth - 1)}.${nth === 1 ? "full" : "incremental"}.zip`;

async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), "copy");
  await cp(folder, copy, { recursive: true });
  return copy;
}

/** Each file gets the name of the next one, the last one that of the first. */
async function turn(folder: string, names: readonly string[]): Promise<void> {
  await rename(join(folder, names.at(-1) ?? ""), join(folder, "tmp"));
  for (const [at, name] of [...names.entries()].slice(0, -1).toReversed())
    await rename(join(folder, name), join(folder, names[at + 1] ?? ""));
  await rename(join(folder, "tmp"), join(folder, names[0] ?? ""));
}

async function check(folder: string): Promise<RepositoryCheck> {
  const repository = await openRepository(folder);
  try {
    const signal = new AbortController().signal;
    return await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
  } finally {
    await repository.close();
  }
}

/** Every byte of every snapshot is read, and compared with its sha256. */
async function expectReadable(folder: string): Promise<void> {
  const found = await check(folder);
  expect([found.hits, found.snapshots.every(({ whole }) => whole)]).toEqual([[], true]);
  const repository = await openRepository(folder);
  for (const { snapshot } of repository.snapshots())
    for (const rows of [repository.items(snapshot), repository.media(snapshot)])
      for await (const row of rows) if ("archive" in row) for await (const _piece of await repository.open(row));
  await repository.close();
}

type Exchange = readonly [what: string, change: (folder: string) => Promise<unknown>];
const EXCHANGES: readonly Exchange[] = [
  ["two", (folder) => turn(folder, [mainOf(2), mainOf(3)])],
  ["the full one and another", (folder) => turn(folder, [mainOf(1), mainOf(4)])],
  ["a cycle of three", (folder) => turn(folder, [mainOf(2), mainOf(3), mainOf(4)])],
  ["a name that no archive has", (folder) => rename(join(folder, mainOf(2)), join(folder, "old.zip"))],
  [
    "a name that holds a copy of another archive",
    async (folder) => {
      await rename(join(folder, mainOf(2)), join(folder, "old.zip"));
      await copyFile(join(folder, mainOf(3)), join(folder, mainOf(2)));
    },
  ],
];

describe.each(EXCHANGES)("exchanged names: %s", (_what, change) => {
  const changed = async (): Promise<string> => {
    const folder = await fourNights();
    await change(folder);
    return folder;
  };

  it("are reported with the command that corrects them, and all contents are readable", async () => {
    const folder = await changed();
    await expectReadable(folder);
    const { damaged, problems } = await check(folder);
    expect(damaged).toBe(true);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.detail).toContain(`\`guideferry repair ${folder}\``);
    expect(problems[0]?.detail).toContain("Nothing is lost");
  });

  it("stop prune from removing any archive", async () => {
    const folder = await changed();
    const before = await filesOf(folder);
    await expect(prune(folder, { last: 1 })).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining(`guideferry repair ${folder}`),
    });
    expect(await filesOf(folder)).toEqual(before);
  });

  it("are corrected, also after a kill between any two renames", async () => {
    const start = await fourNights();
    const before = await filesOf(start);
    await change(start);
    const opened = await openRepository(start);
    const steps = planRenamings(opened.locations.displaced(), new Set((await filesOf(start)).keys()));
    await opened.close();
    expect(steps.length).toBeGreaterThan(0);
    for (let done = 0; done <= steps.length; done += 1) {
      const folder = await copyOf(start);
      for (const { from, to } of steps.slice(0, done)) await rename(join(folder, from), join(folder, to));
      const hashes = [...(await filesOf(folder)).values()].toSorted();
      await expectReadable(folder);
      await correctNames(new LocalFolder(folder));
      const after = await filesOf(folder);
      expect([...after.values()].toSorted()).toEqual(hashes);
      for (const [name, hash] of before) expect([name, after.get(name)]).toEqual([name, hash]);
      expect([...after.keys()].filter((name) => name.endsWith(".renamed"))).toEqual([]);
      expect((await check(folder)).problems).toEqual([]);
    }
  });
});

it("an archive replaced by a copy of another one is damage, and no file is renamed", async () => {
  const folder = await fourNights();
  await copyFile(join(folder, mainOf(2)), join(folder, mainOf(3)));
  const before = await filesOf(folder);
  const { problems, snapshots } = await check(folder);
  expect(snapshots.map(({ whole }) => whole)).toEqual([true, true, false, true]);
  expect(problems[0]?.detail).toContain(`a copy of ${mainOf(2)}, and its own bytes are in no file`);
  expect(await correctNames(new LocalFolder(folder))).toEqual([]);
  expect(await filesOf(folder)).toEqual(before);
});

it("the only good copy under the name of another archive is read, and gets its own name", async () => {
  const folder = await fourNights();
  const good = (await filesOf(folder)).get(mainOf(2));
  await copyFile(join(folder, mainOf(2)), join(folder, mainOf(3)));
  await writeFile(join(folder, mainOf(2)), "not an archive");
  const { snapshots } = await check(folder);
  expect(snapshots.map(({ whole }) => whole)).toEqual([true, true, false, true]);
  await correctNames(new LocalFolder(folder));
  expect((await filesOf(folder)).get(mainOf(2))).toBe(good);
});

/** Makes the second and the third archive the same size, by a comment after the end record. */
async function withEqualSizes(): Promise<string> {
  const { folder } = await chain([[], [1], [1]]);
  const [second, third] = [await readFile(join(folder, mainOf(2))), await readFile(join(folder, mainOf(3)))];
  const isSecond = second.length < third.length;
  const small = isSecond ? second : third;
  const padding = Buffer.alloc(Math.abs(second.length - third.length), "x");
  small.writeUInt16LE(padding.length, small.length - 2);
  const bytes = Buffer.concat([small, padding]);
  const nth = isSecond ? 2 : 3;
  await writeFile(join(folder, mainOf(nth)), bytes);
  const file = join(folder, indexName(NAME, snapshotOn(nth - 1)));
  const parsed = indexSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const archives = parsed.archives.map((archive) => ({ ...archive, bytes: bytes.length, sha256 }));
  await writeFile(file, JSON.stringify({ ...parsed, archives }));
  return folder;
}

it("exchanged archives of the same size are distinguished by their bytes, and prune does not remove the wrong one", async () => {
  const folder = await withEqualSizes();
  expect((await check(folder)).problems).toEqual([]);
  await turn(folder, [mainOf(2), mainOf(3)]);
  await expectReadable(folder);
  expect((await check(folder)).problems).toHaveLength(1);
  const before = await filesOf(folder);
  for (const proving of ["due", "everything"] as const)
    await expect(prune(folder, { last: 1 }, { proving })).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining("guideferry repair"),
    });
  expect(await filesOf(folder)).toEqual(before);
  expect(await correctNames(new LocalFolder(folder))).toHaveLength(2);
  await expectReadable(folder);
  expect((await check(folder)).problems).toEqual([]);
});

it("a backup continues despite exchanged names, and reads no item from the site again", async () => {
  const site = await looms();
  await site.backUp();
  site.sandbox.edit.guide(4, { introduction: "Of the second backup." });
  await site.backUp();
  site.sandbox.edit.guide(5, { introduction: "Of the third backup." });
  const { index: third } = await site.backUp();
  const repository = await openRepository(site.folder);
  const names = repository.snapshots().map(({ archives }) => archives.at(-1)?.name ?? "");
  await repository.close();
  await turn(site.folder, [names[0] ?? "", names[1] ?? "", names[2] ?? ""]);
  const { index } = await site.backUp();
  expect([index.complete, index.counts.changed, index.counts.newMedia]).toEqual([true, 0, 0]);
  await expectReadable(site.folder);
  await correctNames(new LocalFolder(site.folder));
  expect((await rowsOf(site)).size).toBe((await rowsOf(site, third.snapshot)).size);
});

it("verify, restore, cat and diff read exchanged archives, and repair without a site corrects the names", async () => {
  const folder = await fourNights();
  await turn(folder, [mainOf(2), mainOf(3)]);
  const home = await temporaryFolder();
  const cli = { directory: home, environment: { XDG_STATE_HOME: home } };
  const verified = await runHere(["verify", folder], cli);
  expect([verified.code, verified.stdout]).toEqual([6, expect.stringContaining(`Run \`guideferry repair ${folder}\``)]);
  expect(verified.stdout).toContain("Undamaged: 4 of 4 snapshots");
  expect(verified.stdout).not.toMatch(/^lost:|LOST/m);
  const [second, third] = [snapshotOn(1), snapshotOn(2)];
  const shown = await runHere(["cat", folder, "guide/2", "--at", second], cli);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("Version 2 of 1")]);
  const difference = await runHere(["diff", folder, second, third, "--text"], cli);
  expect(difference.stdout).toContain("Version 3 of 1");
  const restored = await runHere(["restore", folder, join(home, "restored"), "--at", second], cli);
  expect(restored.code).toBe(0);
  const repaired = await runHere(["repair", folder], cli);
  expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining(`to ${mainOf(2)}, its own name`)]);
  expect((await runHere(["verify", folder], cli)).code).toBe(0);
});
