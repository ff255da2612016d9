import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { snapshotContents } from "../../../../src/backup/restore/snapshot-contents.js";
import type { PresentRow } from "../../../../src/storage/repository/format.js";
import { itemBytes, MOST_ITEM_BYTES } from "../../../../src/storage/repository/read/contents.js";
import type { Repository } from "../../../../src/storage/repository/repository.js";

const ROW: PresentRow = {
  key: "guide/12",
  kind: "guide",
  state: "present",
  revision: "1",
  title: "Guide 12",
  category: null,
  modified: null,
  read: 0,
  sha256: "0".repeat(64),
  size: 2,
  archive: "site-20261120T030000Z.full.zip",
  path: "items/guide/00/guide.json",
};

function opening(opened: string[]): Pick<Repository, "open" | "manifest"> {
  return {
    manifest: async () => ({}) as Awaited<ReturnType<Repository["manifest"]>>,
    open: async ({ path }) => {
      opened.push(path);
      return Readable.from([Buffer.from("{}")]);
    },
  };
}

it("gives the bytes of an item, up to 256 MiB", async () => {
  expect((await itemBytes(opening([]), { ...ROW, size: MOST_ITEM_BYTES })).toString()).toBe("{}");
});

it("a larger one is damage, and nothing of it is read", async () => {
  const opened: string[] = [];
  const large = { ...ROW, size: MOST_ITEM_BYTES + 1 };
  const refused = {
    exitCode: 6,
    message: expect.stringMatching(
      /guide\.json in site-.*the file of guide\/12, has 268435457 bytes.*268435456 bytes at most/,
    ),
  };
  await expect(itemBytes(opening(opened), large)).rejects.toMatchObject(refused);
  const contents = await snapshotContents(opening(opened) as Repository, "20261120T030000Z");
  await expect(contents.item(large)).rejects.toMatchObject(refused);
  expect(opened).toEqual([]);
});
