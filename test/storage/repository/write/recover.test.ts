import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import { recover } from "../../../../src/storage/repository/index-files.js";
import { writeSnapshot } from "../../../../src/storage/repository/write/write-snapshot.js";
import { NAME, planOf } from "./helpers/plans.js";

const CONTENTS = { "items/wiki/aa/A-1.json": "{}\n", "media/bb/b.jpg": "picture", "media/cc/c.jpg": "other" };
const [FIRST, SECOND] = ["20261120T030000Z", "20261121T030000Z"];
const [MAIN, PART, COPY] = ["zip", "part1.zip", "rows.zip"].map((end) => `${NAME}-${SECOND}.full.${end}`) as [
  string,
  string,
  string,
];
const INDEX = `${NAME}-${SECOND}.index.json`;

/**
 * A repository of two snapshots, each of two parts and a main archive, whose second one is brought
 * to how a killed run leaves it.
 */
async function leftBy(kill: (folder: string) => void): Promise<string> {
  const first = await planOf(CONTENTS, { partEntries: 1 });
  await writeSnapshot(first);
  await writeSnapshot(
    await planOf(CONTENTS, { folder: first.folder, snapshot: SECOND, previous: FIRST, partEntries: 1 }),
  );
  kill(first.folder);
  return first.folder;
}

const isOfSecond = (name: string): boolean => name.includes(SECOND);

it.each<[string, (folder: string) => void, readonly string[]]>([
  [
    "is ended when its main archive has its name",
    (folder) => renameSync(join(folder, INDEX), join(folder, `${INDEX}.new`)),
    [SECOND],
  ],
  ["is whole, and stays", () => undefined, []],
])("a snapshot %s", async (_what, kill, ended) => {
  const folder = await leftBy(kill);
  expect(await recover(new LocalFolder(folder))).toEqual({ ended, removed: [] });
  expect(readdirSync(folder).filter(isOfSecond)).toEqual(
    [MAIN, PART, COPY, `${NAME}-${SECOND}.full.part2.zip`, INDEX].sort(),
  );
  expect(await recover(new LocalFolder(folder))).toEqual({ ended: [], removed: [] });
});

it.each<[string, (folder: string) => void]>([
  [
    "before its main archive had its name",
    (folder) => {
      renameSync(join(folder, INDEX), join(folder, `${INDEX}.new`));
      rmSync(join(folder, MAIN));
    },
  ],
  [
    "among its parts",
    (folder) => {
      for (const name of [INDEX, MAIN, COPY, `${NAME}-${SECOND}.full.part2.zip`]) rmSync(join(folder, name));
    },
  ],
])("a snapshot that was broken off %s is taken back, and nothing else", async (_what, kill) => {
  const folder = await leftBy(kill);
  writeFileSync(join(folder, ".guideferry-0123-4567-1-89"), "half an archive");
  mkdirSync(join(folder, "workspace"));
  writeFileSync(join(folder, "notes.txt"), "somebody's");
  const before = readdirSync(folder);
  const { ended, removed } = await recover(new LocalFolder(folder));
  expect(ended).toEqual([]);
  const left = readdirSync(folder);
  expect(left.filter(isOfSecond)).toEqual([]);
  expect(before.filter((name) => !left.includes(name)).sort()).toEqual([...removed].sort());
  const others = ["notes.txt", "workspace", "head.json", "head.copy.json"];
  expect(left).toEqual([...before.filter((name) => name.includes(FIRST)), ...others].sort());
});

it("a part whose main archive and index are lost stays when a later snapshot may need it", async () => {
  const folder = await leftBy((place) => {
    for (const name of readdirSync(place))
      if (name.includes(FIRST) && !name.includes("part")) rmSync(join(place, name));
  });
  const before = readdirSync(folder);
  expect(before).toContain(`${NAME}-${FIRST}.full.part1.zip`);
  expect((await recover(new LocalFolder(folder))).removed).toEqual([]);
  expect(readdirSync(folder)).toEqual(before);
});

it("an index whose main archive is gone is damage, and stays with its parts", async () => {
  const folder = await leftBy((place) => rmSync(join(place, MAIN)));
  expect((await recover(new LocalFolder(folder))).removed).toEqual([]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([INDEX, PART]));
});

it("notes that a killed run left half written are taken away, those of a run at work are not", async () => {
  const folder = await leftBy(() => undefined);
  const ended = spawnSync(process.execPath, ["-e", ""]).pid;
  const [left, own, old] = [ended, process.pid, process.ppid].map((pid) => `proven.json.${pid}.new`) as [
    string,
    string,
    string,
  ];
  for (const name of [left, own, old]) writeFileSync(join(folder, name), "{");
  utimesSync(join(folder, old), new Date(0), new Date(0));
  expect((await recover(new LocalFolder(folder))).removed.toSorted()).toEqual([left, old].sort());
  expect(readdirSync(folder).filter((name) => name.startsWith("proven"))).toEqual([own]);
});
