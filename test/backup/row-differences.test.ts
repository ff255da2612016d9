import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/storage/archive/open-archive.js";
import type { ItemRow, SnapshotIndex } from "../../src/storage/repository/format.js";
import { indexName } from "../../src/storage/repository/names.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { encryptTo } from "../../src/storage/repository/write/encryption.js";
import { NAME } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sourceOf } from "../sync/extract-site.js";
import { type BackupSite, oneBackup } from "./helpers/backups.js";
import { looms, rowsOf } from "./helpers/read-backups.js";
import { check, threeNights } from "./verify-site.js";

/** Bytes of the files of a snapshot. */
function bytesOf({ folder }: BackupSite, { snapshot }: SnapshotIndex): number {
  const files = readdirSync(folder).filter((name) => name.includes(snapshot));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function siteOf(pages: number): Promise<BackupSite> {
  const site = await looms();
  for (let at = 0; at < pages; at += 1)
    site.sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${at} on sheds`, contents: `Of ${at}.` });
  return site;
}

const baseIn = (index: SnapshotIndex): string => index.base?.snapshot ?? "whole";

describe("a backup of an unchanged site", () => {
  it("adds as little for many items as for few, far below 20 kB", { timeout: 240_000 }, async () => {
    const added: number[] = [];
    for (const pages of [0, 150]) {
      const site = await siteOf(pages);
      const { index } = await site.backUp();
      const before = await rowsOf(site);
      for (let night = 0; night < 2; night += 1) {
        const next = await site.backUp();
        expect(baseIn(next.index)).toBe(index.snapshot);
        added.push(bytesOf(site, next.index));
      }
      const rows = await rowsOf(site);
      expect([...rows.keys()]).toEqual([...before.keys()]);
      // Lists show guides, pages and categories, so these are as recent as the snapshot.
      const [first, last] = [before.get("guide/1"), rows.get("guide/1")] as readonly { readonly read: number }[];
      expect((last?.read ?? 0) - (first?.read ?? 0)).toBe(2 * 86_400);
    }
    expect(Math.max(...added)).toBeLessThan(10_000);
    expect(Math.max(...added.slice(2))).toBeLessThan(Math.max(...added.slice(0, 2)) + 1_000);
  });

  it("says in the archive where all other rows are, and how to read them", async () => {
    const site = await looms();
    const { index } = await site.backUp();
    const next = await site.backUp();
    const [copy, main] = index.archives.map(({ name }) => name);
    const archive = await openArchive(join(site.folder, next.index.archives[0]?.name ?? ""));
    const text = (await buffer(await archive.open("README.txt"))).toString("utf8");
    await archive.close();
    expect(text).toContain(`unzip -p ${main} items.ndjson | grep`);
    expect(text).toContain(`unzip -p ${next.index.archives[0]?.name} items.ndjson | grep`);
    expect(text).toContain(copy);
  });
});

describe("encrypted rows", () => {
  it("are compared without a key, by the workspace; without its rows, the snapshot has whole ones", async () => {
    const site = await looms();
    const identity = await generateX25519Identity();
    const encryption = encryptTo([await identityToRecipient(identity)]);
    const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
    const first = await site.backUp({ encryption });
    site.sandbox.edit.guide(2, { introduction: "Later." });
    const second = await site.backUp({ encryption });
    expect(baseIn(second.index)).toBe(first.index.snapshot);
    const kept = join(site.workspace, "base-rows", "items.ndjson");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    await writeFile(kept, `${readFileSync(kept, "utf8")} `);
    expect(baseIn((await site.backUp({ encryption, keys })).index)).toBe(first.index.snapshot);
    const fourth = await site.backUp({ encryption });
    expect([fourth.index.kind, baseIn(fourth.index)]).toEqual(["incremental", "whole"]);
    const fifth = await site.backUp({ encryption });
    expect(baseIn(fifth.index)).toBe(fourth.index.snapshot);
    const repository = await openRepository(site.folder, { keys });
    const lists: (readonly ItemRow[])[] = [];
    for (const { snapshot } of repository.snapshots()) {
      const rows: ItemRow[] = [];
      for await (const row of repository.items(snapshot)) rows.push(row);
      lists.push(rows);
    }
    await repository.close();
    const sums = lists.map((rows) => rows.map((row) => ("sha256" in row ? `${row.key} ${row.sha256}` : row.key)));
    expect(sums.slice(2)).toEqual([sums[1], sums[1], sums[1]]);
  });
});

describe("whole rows", () => {
  it.each(["main", "copy"] as const)("follow when the %s archive of the last ones is lost", async (which) => {
    const site = await looms();
    const { index } = await site.backUp();
    await site.backUp();
    const [copy, main] = index.archives.map(({ name }) => name);
    rmSync(join(site.folder, (which === "main" ? main : copy) ?? ""));
    const third = await site.backUp();
    expect([third.index.kind, third.index.complete, baseIn(third.index)]).toEqual(["incremental", true, "whole"]);
    const fourth = await site.backUp();
    expect(baseIn(fourth.index)).toBe(third.index.snapshot);
  });
});

describe("a repository of format 1", () => {
  it("is read as before and goes on: its first snapshot of today has whole rows, the next one differs", async () => {
    const old = await threeNights();
    const before = await Promise.all(
      [...old.rows].map(async ([snapshot]) => [snapshot, await itemsOf(old.folder, snapshot)]),
    );
    expect(before.map(([, rows]) => rows)).toEqual([...old.rows.values()].map(({ items }) => items));
    const site = await looms();
    const parts = { folder: old.folder, workspace: await temporaryFolder(), source: sourceOf(site.sandbox) };
    const options = { name: NAME, fullEvery: 30 };
    const first = await oneBackup({ ...parts, options, now: new Date("2026-11-10T03:00:00Z") });
    const second = await oneBackup({ ...parts, options, now: new Date("2026-11-11T03:00:00Z") });
    expect([first.index.kind, baseIn(first.index), baseIn(second.index)]).toEqual([
      "incremental",
      "whole",
      first.index.snapshot,
    ]);
    // An older guideferry refuses a repository whose stamp and an index have a newer format.
    const formats = ["repository.json", indexName(NAME, first.index.snapshot)].map(
      (name) => JSON.parse(readFileSync(join(old.folder, name), "utf8")).format,
    );
    expect(formats).toEqual([2, 2]);
    for (const [snapshot, rows] of before) expect(await itemsOf(old.folder, String(snapshot))).toEqual(rows);
    expect((await check(old.folder)).damaged).toBe(false);
  });
});

async function itemsOf(folder: string, snapshot: string): Promise<readonly ItemRow[]> {
  const repository = await openRepository(folder);
  const rows: ItemRow[] = [];
  for await (const row of repository.items(snapshot)) rows.push(row);
  await repository.close();
  return rows;
}

it("an index that names another base, or no copy of whole rows, is damage", async () => {
  const site = await looms();
  await site.backUp();
  const { index } = await site.backUp();
  const file = join(site.folder, indexName(index.name, index.snapshot));
  const { base } = index;
  if (base === undefined) throw new Error("it has no base");
  const others = [
    { ...base, copy: base.archive },
    { ...base, items: { ...base.items, count: base.items.count + 1 } },
    { ...base, snapshot: index.snapshot },
    undefined,
  ];
  for (const other of others) {
    await writeFile(file, JSON.stringify({ ...index, base: other }));
    expect((await check(site.folder)).damaged).toBe(true);
  }
  await writeFile(
    file,
    JSON.stringify({ ...index, needs: index.needs.filter(({ archive }) => archive !== base.copy) }),
  );
  expect((await check(site.folder)).damaged).toBe(true);
  await writeFile(file, JSON.stringify(index));
  expect((await check(site.folder)).damaged).toBe(false);
});
