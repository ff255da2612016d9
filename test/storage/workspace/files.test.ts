import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { layoutOf, writeDurably } from "../../../src/storage/workspace/layout.js";
import { filesIn } from "./helpers/files.js";
import { temporaryFolder } from "./helpers/samples.js";

const disk = vi.hoisted(() => ({
  /** In their order: folders that were synced; of a file, whether it had its name by then. */
  synced: [] as string[],
  file: "",
  /** Syncs of this folder wait for `release`. */
  held: "",
  release: (): void => undefined,
}));

vi.mock(import("../../../src/core/util/files.js"), async (original) => ({
  ...(await original()),
  syncFile: async () => void disk.synced.push(existsSync(disk.file) ? "the named file" : "the nameless file"),
  syncFolder: async (folder: string) => {
    if (folder === disk.held)
      await new Promise<void>((resolve) => {
        disk.release = resolve;
      });
    disk.synced.push(folder);
  },
}));

beforeEach(() => {
  disk.synced = [];
  disk.held = "";
  disk.file = "";
});

async function emptyLayout() {
  const layout = layoutOf(temporaryFolder());
  await mkdir(layout.temporary);
  return layout;
}

test("a file is synced before it has its name, then its folder, and every folder that was made for it", async () => {
  const layout = await emptyLayout();
  const file = layout.item("guide/1");
  const folder = dirname(file);
  disk.file = file;
  await writeDurably(layout, file, "text");
  const above = [dirname(folder), dirname(dirname(folder)), layout.directory];
  expect(disk.synced).toEqual(["the nameless file", ...above, folder]);
  disk.synced = [];
  disk.file = "";
  await writeDurably(layout, file, "later");
  expect(disk.synced).toEqual(["the nameless file", folder]);
  expect(readFileSync(file, "utf8")).toBe("later");
});

test("a file in a folder that another one makes just now lasts only when that folder does", async () => {
  const layout = await emptyLayout();
  const folder = join(layout.items, "guide", "00");
  disk.held = dirname(folder);
  const done: string[] = [];
  const write = (name: string) => writeDurably(layout, join(folder, name), name).then(() => void done.push(name));
  const first = write("first");
  await vi.waitFor(() => expect(existsSync(folder)).toBe(true));
  const second = write("second");
  await vi.waitFor(() => expect(existsSync(join(folder, "second"))).toBe(true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  disk.release();
  await Promise.all([first, second]);
  expect(done.toSorted()).toEqual(["first", "second"]);
});

test("a file that cannot be written leaves nothing in `temporary`", async () => {
  const layout = await emptyLayout();
  const inTheWay = join(layout.directory, "plain");
  await writeDurably(layout, inTheWay, "a file");
  await expect(writeDurably(layout, join(inTheWay, "below"), "text")).rejects.toThrow(/writing .*below/);
  expect(filesIn(layout.temporary)).toEqual([]);
});
