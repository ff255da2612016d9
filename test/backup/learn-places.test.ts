import { join } from "node:path";
import { expect, it } from "vitest";
import { learnPlaces } from "../../src/backup/learn-places.js";
import type { ItemRow } from "../../src/storage/repository/format.js";
import { MOST_ITEM_BYTES } from "../../src/storage/repository/read/contents.js";
import { type OpenRepository, openRepository } from "../../src/storage/repository/read/open-repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { looms } from "./helpers/read-backups.js";

const TOO_LARGE = MOST_ITEM_BYTES + 1;

/** The repository, one item of which is larger than an item may be; its bytes would be believed. */
function withLarge(repository: OpenRepository, key: string): OpenRepository {
  let size = 0;
  async function* items(snapshot: string): AsyncGenerator<ItemRow> {
    for await (const row of repository.items(snapshot)) {
      const isLarge = row.key === key && row.state === "present";
      if (isLarge) size = row.size;
      yield isLarge ? { ...row, size: TOO_LARGE } : row;
    }
  }
  const open: OpenRepository["open"] = (place) =>
    repository.open(place.size === TOO_LARGE ? { ...place, size } : place);
  return { ...repository, items, open };
}

/**
 * The repository, whose rows break off as if the process were killed there, once they were looked
 * through.
 */
function breakingOff(repository: OpenRepository, after: number): OpenRepository {
  let walks = 0;
  async function* items(snapshot: string): AsyncGenerator<ItemRow> {
    walks += 1;
    if (walks === 1) return yield* repository.items(snapshot);
    let given = 0;
    for await (const row of repository.items(snapshot)) {
      given += 1;
      if (given > after) throw new Error("killed");
      yield row;
    }
  }
  return { ...repository, items };
}

it("a workspace that is made again from a manifest knows nothing until it knows all, wherever that broke off", async () => {
  const site = await looms();
  await site.backUp();
  site.sandbox.edit.deleteGuide(3);
  const { index } = await site.backUp();
  const repository = await openRepository(site.folder);
  const directory = join(await temporaryFolder(), "workspace");
  for (const after of [4, 20, 0]) {
    const workspace = await openWorkspace(directory, { create: true, command: "test" });
    await expect(learnPlaces(workspace, breakingOff(repository, after))).rejects.toThrow("killed");
    expect(workspace.archived.snapshot()).toBeUndefined();
    await workspace.close();
  }
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  const { rebuilt, forgotten, unreadable } = await learnPlaces(workspace, repository);
  expect([rebuilt < index.counts.present, forgotten, unreadable]).toEqual([true, 0, 0]);
  expect(workspace.archived.snapshot()).toBe(index.snapshot);
  for await (const row of repository.items(index.snapshot)) {
    if (row.state === "present")
      expect(workspace.archived.item(row.key)).toMatchObject({ digest: row.sha256, archive: row.archive });
    else expect([...workspace.archived.tombstones("known")].map(({ key }) => key)).toContain(row.key);
  }
  for await (const { sha256, path } of repository.media(index.snapshot))
    expect(workspace.archived.medium(sha256)).toMatchObject({ path });
  expect((await learnPlaces(workspace, repository)).rebuilt).toBe(0);
  await workspace.close();
  await repository.close();
});

it("an item that is too large to be held is read from the site", async () => {
  const site = await looms();
  await site.backUp();
  const repository = await openRepository(site.folder);
  const directory = join(await temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  expect(await learnPlaces(workspace, withLarge(repository, "guide/4"))).toMatchObject({ unreadable: 1, damaged: [] });
  expect([workspace.items.entry("guide/4"), workspace.items.entry("guide/5")?.state]).toEqual([undefined, "present"]);
  await workspace.close();
  await repository.close();
});
