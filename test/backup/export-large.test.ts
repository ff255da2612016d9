import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { exportSnapshot } from "../../src/backup/restore/export-snapshot.js";
import { DEFAULT_LIMITS } from "../../src/storage/archive/limits.js";
import type { ItemRow, Manifest, SnapshotIndex } from "../../src/storage/repository/format.js";
import { openSingleArchive } from "../../src/storage/repository/read/open-single-archive.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { draftOf, NAME, planOf, SNAPSHOT, sha256 } from "../storage/repository/write/helpers/plans.js";

const CONTENTS = DEFAULT_LIMITS.entries + 500;

/** As in a workspace: `items/<kind>/<hh>/<name>-<hash>.json`. */
function pathOf(number: number): string {
  const hash = sha256(`${number}`).slice(0, 16);
  return `items/wiki/${hash.slice(0, 2)}/ITEM%2FPage-${number}-${hash}.json`;
}

/** What an export reads of a repository with so many tiny items; nothing of it lies on a disk. */
async function largeRepository(): Promise<Repository> {
  const byPath = new Map(Array.from({ length: CONTENTS }, (_, at) => [pathOf(at), Buffer.from(`${at}`)]));
  const { site, privateIncluded, personalData } = await planOf({});
  const counts = { present: CONTENTS, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 };
  const time = "2026-11-20T03:00:00.000Z";
  const facts = { format: 1, madeBy: "test", name: NAME, snapshot: SNAPSHOT, kind: "full", previous: null } as const;
  const times = { started: time, finished: time, complete: true, counts };
  const index: SnapshotIndex = { ...facts, ...times, encrypted: false, archives: [], needs: [] };
  const rows = { count: 0, sha256: sha256("") };
  const manifest: Manifest = {
    ...facts,
    ...times,
    site: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
    failures: [],
    privateIncluded,
    personalData: [...personalData],
    archives: [],
    items: rows,
    media: rows,
  };
  async function* items(): AsyncGenerator<ItemRow> {
    for (const [path, bytes] of byPath) {
      const draft = draftOf(path, bytes);
      if ("item" in draft && draft.item.state === "present") yield { ...draft.item, archive: "in-memory.zip" };
    }
  }
  return {
    address: "in memory",
    name: NAME,
    warnings: [],
    snapshots: () => [index],
    find: () => index,
    manifest: async () => manifest,
    items,
    media: async function* () {
      // It has none.
    },
    item: async () => undefined,
    medium: async () => undefined,
    open: async ({ path }) => Readable.from([byPath.get(path) ?? Buffer.alloc(0)]),
    close: async () => undefined,
  };
}

it("the export of a site with more entries than foreign archives may have is read by the guard without a word", async () => {
  const repository = await largeRepository();
  const path = join(await temporaryFolder(), "one.zip");
  await exportSnapshot({
    repository,
    snapshot: repository.find(),
    path,
    encryption: null,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const archive = await openSingleArchive(path);
  expect(archive.findings).toEqual([]);
  let count = 0;
  for await (const row of archive.items(SNAPSHOT)) {
    if (row.state !== "present") throw new Error(`${row.key} is ${row.state}`);
    if (count % 1000 === 0) {
      const number = /Page-(\d+)-/.exec(row.path)?.[1];
      expect((await buffer(await archive.open(row))).toString()).toBe(number);
    }
    count += 1;
  }
  expect(count).toBe(CONTENTS);
  await archive.close();
  // One that somebody put together in another way has the usual limit.
  await writeFile(path, Buffer.concat([Buffer.from("#!/bin/sh\n"), await readFile(path)]));
  await expect(openSingleArchive(path)).rejects.toMatchObject({
    exitCode: 6,
    message: expect.stringMatching(
      /E_ZIP_ENTRY_COUNT: it has 2\d{4} entries, but only an archive as guideferry writes it/,
    ),
  });
}, 300_000);
