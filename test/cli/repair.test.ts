import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backedUpSite } from "../helpers/backed-up-site.js";
import { flipBit } from "../helpers/damage-archive.js";

async function hashes(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".zip"));
  const entries = names.map(async (name) => {
    return [
      name,
      createHash("sha256")
        .update(await readFile(join(folder, name)))
        .digest("hex"),
    ] as const;
  });
  return new Map(await Promise.all(entries));
}

test("repairs what the site still has, changes no other archive, and then all is whole", async () => {
  const site = await backedUpSite();
  expect((await site.run("repair", "repo", site.sandbox.url)).stdout).toContain("there is nothing to repair");
  await flipBit(site.repository, "guide/4");
  const before = await hashes(site.repository);
  const done = await site.run("repair", "repo", site.sandbox.url);
  expect([done.code, done.stdout]).toEqual([
    0,
    expect.stringMatching(/Read from the site again:\n {2}guide\/4 "Guide 4"/),
  ]);
  const after = await hashes(site.repository);
  expect([...after].filter(([name]) => before.has(name))).toEqual([...before]);
  expect([...after.keys()].filter((name) => !before.has(name))).toEqual([expect.stringMatching(/\.repair\.zip$/)]);
  expect((await site.run("drill", "repo")).code).toBe(0);
  expect((await site.run("restore", "repo", "./out")).code).toBe(0);
  expect(site.writes()).toEqual([]);
});

test("ends with 6 and names what is lost permanently", async () => {
  const site = await backedUpSite();
  await flipBit(site.repository, "guide/4");
  site.sandbox.edit.guide(4, { title: "Edited since" });
  const done = await site.run("repair", "repo", site.sandbox.url);
  expect([done.code, done.stdout]).toEqual([
    6,
    expect.stringMatching(/LOST PERMANENTLY .*:\n {2}guide\/4 "Guide 4", in the snapshots \d{8}T/),
  ]);
});
