import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Listed } from "../../../src/core/contracts.js";
import { EXIT } from "../../../src/core/errors.js";
import type { Item } from "../../../src/core/model/item.js";
import { ITEM_KINDS, type Key } from "../../../src/core/model/key.js";
import { Database } from "../../../src/storage/sqlite.js";
import { layoutOf } from "../../../src/storage/workspace/layout.js";
import { mediaItem } from "../../helpers/items.js";
import { filesIn } from "./helpers/files.js";
import { category, guide, openedWorkspace, record } from "./helpers/samples.js";

function listed(key: Key, revision = "1"): Listed {
  return { key, revision, title: "", category: null, modified: null };
}

test("an item comes back as it was put, and its entry tells what is known of it", async () => {
  const { items, directory } = await openedWorkspace();
  const item = { ...guide(12, { title: "Warping", category: "Looms" }, "77"), raw: { odd: [null, "\0", "\ud800"] } };
  const entry = await items.put(item);
  expect(await items.get("guide/12")).toEqual(item);
  expect(items.entry("guide/12")).toEqual(entry);
  const bytes = readFileSync(layoutOf(directory).item("guide/12"));
  expect(entry).toMatchObject({
    key: "guide/12",
    kind: "guide",
    revision: "77",
    digest: createHash("sha256").update(bytes).digest("hex"),
    title: "Warping",
    category: "Looms",
    modified: 1_700_000_000,
    state: "present",
  });
});

test("the bytes of an item come in memory of the caller where they fit, from a file and from the index", async () => {
  const { items } = await openedWorkspace();
  const texts = ["Warping", "Zettel: “größer” 🧵", "\ud800", "x".repeat(3000)];
  for (const [at, name] of texts.entries()) {
    await items.put(guide(at + 1, { title: name }));
    await items.put({ ...mediaItem("image", at + 1), raw: { name } });
    for (const key of [`guide/${at + 1}`, `image/${at + 1}`] as const) {
      const whole = await items.file(key);
      for (const size of [10, whole.length - 1, whole.length, 3 * whole.length, 20_000]) {
        const memory = Buffer.alloc(size);
        const bytes = await items.file(key, memory);
        expect(bytes).toEqual(whole);
        if (size === 20_000) expect(bytes.buffer).toBe(memory.buffer);
      }
    }
  }
});

test("a loop over items or media lets timers and signals run, although no read waits for anything", async () => {
  const { items } = await openedWorkspace();
  await items.put(guide(1));
  const images = [1, 2, 3, 4].map((id) => ({ ...mediaItem("image", id), revision: "1", raw: null }));
  for (const image of images) await items.put(image);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  onTestFinished(() => clearInterval(timer));
  const until = performance.now() + 200;
  while (performance.now() < until) await items.get("guide/1");
  expect(turns).toBeGreaterThan(0);
  turns = 0;
  for await (const { key } of items.media("image")) {
    const ended = performance.now() + 60;
    while (performance.now() < ended) expect(key).toMatch(/^image/);
  }
  expect(turns).toBeGreaterThan(1);
});

test("pages that are left out exist at the source, under any key, until the next listing of their kind", async () => {
  const { items } = await openedWorkspace();
  const broken: readonly Key[] = ["wiki/WIKI/a\0b", "wiki/WIKI/\ud800", 'wiki/WIKI/"é" \\ \u{1f9f5}'];
  const many = Array.from({ length: 3000 }, (_, number): Key => `guide/${number}`);
  items.beginListing(ITEM_KINDS);
  items.endListing();
  items.leaveOut([...many, ...broken, "guide/1"]);
  for (const key of [...broken, "guide/0", "guide/2999"] as const) expect(items.isAtSource(key)).toBe(true);
  expect(items.isAtSource("guide/3000")).toBe(false);
  items.beginListing(["guide"]);
  items.endListing();
  expect(items.isAtSource("guide/0")).toBe(false);
  expect(items.isAtSource("wiki/WIKI/a\0b")).toBe(true);
});

test("media of a kind come by key, whether their texts are in the index or in files, by one query", async () => {
  const { items } = await openedWorkspace();
  const images = [3, 1, 2].map((id) => ({ ...mediaItem("image", id), revision: "1", raw: null }));
  for (const image of images) await items.put(image);
  const [inFile] = images;
  if (inFile !== undefined) await items.putInFile(inFile, {});
  await items.put({ ...mediaItem("video", 1), revision: "1", raw: null });
  items.beginListing(["image"]);
  items.listed(listed("image/1"));
  items.listed(listed("image/3"));
  items.endListing();
  const stored = images.toSorted((one, other) => one.body.id - other.body.id);
  const lists = vi.spyOn(Database.prototype, "all");
  const single = vi.spyOn(Database.prototype, "get");
  onTestFinished(() => void vi.restoreAllMocks());
  const found: Item[] = [];
  for await (const item of items.media("image")) found.push(item);
  expect(found).toEqual(stored);
  expect(lists).toHaveBeenCalledTimes(1);
  // Those of the file alone: is its text in the index, and does it exist?
  expect(single).toHaveBeenCalledTimes(2);
});

test("what was never put is undefined", async () => {
  const { items } = await openedWorkspace();
  expect(await items.get("guide/1")).toBeUndefined();
  expect(items.entry("guide/1")).toBeUndefined();
  expect([...items.entries()]).toEqual([]);
});

test("what an item does not tell of itself is taken from the list", async () => {
  const { items } = await openedWorkspace();
  const entry = await items.put(category("Looms"), { ...listed("category/Looms", "r5"), modified: 1_600_000_000 });
  expect(entry).toMatchObject({ revision: "r5", title: "Looms", modified: 1_600_000_000 });
});

test("an item without a raw answer can be stored, one that the model cannot hold is refused at once", async () => {
  const { items, directory } = await openedWorkspace();
  await items.put({ ...guide(1), raw: undefined });
  expect((await items.get("guide/1"))?.raw).toBeNull();
  const broken = guide(2, { timeRequired: { min: Number.NaN, max: 0 } });
  await expect(items.put(broken)).rejects.toThrow(/guide\/2.*not an item of the model/s);
  expect(items.entry("guide/2")).toBeUndefined();
  expect(filesIn(join(directory, "items"))).toHaveLength(1);
});

test("entries come by key, of one kind or of all, while others are written", async () => {
  const { items } = await openedWorkspace();
  for (const id of [10, 9, 2, 1]) await items.put(guide(id));
  await items.put(category("Looms"));
  await items.put(record("guides"));
  expect([...items.entries("guide")].map(({ key }) => key)).toEqual(["guide/1", "guide/10", "guide/2", "guide/9"]);
  const seen: Key[] = [];
  for (const { key } of items.entries()) {
    seen.push(key);
    if (key === "guide/1") await items.put(guide(3));
  }
  expect(seen).toEqual(["category/Looms", "guide/1", "guide/10", "guide/2", "guide/9", "record/guides"]);
});

test("all kinds are counted", async () => {
  const { items } = await openedWorkspace();
  await items.put(guide(1));
  await items.put(record("tags"));
  const none = Object.fromEntries(ITEM_KINDS.map((kind) => [kind, { present: 0, gone: 0 }]));
  const one = { present: 1, gone: 0 };
  expect(items.counts()).toEqual({ ...none, guide: one, record: one });
});

test("what a complete listing no longer shows is gone, and other kinds stay as they are", async () => {
  const { items } = await openedWorkspace();
  for (const id of [1, 2, 3]) await items.put(guide(id));
  await items.put(category("Looms"));
  items.beginListing(["guide"]);
  items.listed(listed("guide/2"));
  items.listed(listed("guide/2"));
  items.listed(listed("guide/7"));
  expect(items.endListing()).toEqual(["guide/1", "guide/3"]);
  expect(items.counts()).toMatchObject({ guide: { present: 1, gone: 2 }, category: { present: 1, gone: 0 } });
  expect(await items.get("guide/1")).toEqual(guide(1));
  items.beginListing(["guide"]);
  items.listed(listed("guide/2"));
  expect(items.endListing()).toEqual([]);
});

test("an item that comes back is present again: at once when its token is the stored one, else when it is read", async () => {
  const { items } = await openedWorkspace();
  await items.put(guide(1));
  await items.put(guide(2));
  await items.put(category("Looms"));
  items.beginListing(["guide", "category"]);
  items.endListing();
  items.beginListing(["guide", "category"]);
  items.listed(listed("guide/1", "1"));
  items.listed(listed("guide/2", "2"));
  items.listed(listed("category/Looms", ""));
  expect(items.endListing()).toEqual([]);
  expect([...items.entries()].map(({ key, state }) => `${key} ${state}`)).toEqual([
    "category/Looms gone",
    "guide/1 present",
    "guide/2 gone",
  ]);
  await items.put(guide(2, {}, "2"));
  expect(items.entry("guide/2")?.state).toBe("present");
});

test("an item that was compared is younger and has another token, and its file is as it was", async () => {
  const { items, directory } = await openedWorkspace();
  const before = await items.put(guide(1, {}, "1"));
  const bytes = readFileSync(layoutOf(directory).item("guide/1"));
  items.compared("guide/1", { revision: "2", readAt: 1000 });
  expect(items.entry("guide/1")).toEqual({ ...before, revision: "2", readAt: 1000 });
  expect(readFileSync(layoutOf(directory).item("guide/1"))).toEqual(bytes);
  items.beginListing(["guide"]);
  expect(items.endListing()).toEqual(["guide/1"]);
  items.compared("guide/1", { revision: "2", readAt: 1001 });
  expect(items.entry("guide/1")).toEqual({ ...before, revision: "2", readAt: 1001 });
});

test("a listing that a killed run left has no part in the next one", async () => {
  const { items } = await openedWorkspace();
  await items.put(guide(1));
  items.beginListing(["guide"]);
  items.listed(listed("guide/1"));
  items.beginListing(["guide"]);
  expect(items.endListing()).toEqual(["guide/1"]);
});

test.each([
  ["cut", (text: string) => text.slice(0, 100)],
  ["empty", () => ""],
  ["of another item", (text: string) => text.replace('"key":"guide/1"', '"key":"guide/2"')],
  ["without a title", (text: string) => text.replace('"title":', '"heading":')],
])("a damaged file (%s) is named, and the item is read anew by the next extract", async (_, damage) => {
  const { items, directory } = await openedWorkspace();
  await items.put(guide(1));
  const file = layoutOf(directory).item("guide/1");
  writeFileSync(file, damage(readFileSync(file, "utf8")));
  await expect(items.get("guide/1")).rejects.toMatchObject({
    name: "WorkspaceError",
    exitCode: EXIT.someFailed,
    message: expect.stringContaining(file),
    cause: expect.any(Error),
  });
  expect(items.entry("guide/1")?.revision).toBe("");
  await items.put(guide(1));
  expect(await items.get("guide/1")).toEqual(guide(1));
});

test("a missing file is an error, not an absent item", async () => {
  const { items, directory } = await openedWorkspace();
  await items.put(guide(1));
  rmSync(layoutOf(directory).item("guide/1"));
  await expect(items.get("guide/1")).rejects.toThrow(/Run the extract again/);
});

test("keys with characters that neither file names nor SQLite can hold are kept apart and found again", async () => {
  const { items, directory } = await openedWorkspace();
  const keys: readonly Key[] = ["category/a\0b", "category/a", "category/\ud800", "category/A", "category/%41"];
  for (const key of keys) await items.put({ ...category("x"), key });
  for (const key of keys) expect((await items.get(key))?.key).toBe(key);
  const entries = [...items.entries("category")];
  expect(entries).toHaveLength(keys.length);
  for (const { key } of entries) expect(await items.get(key)).toBeDefined();
  expect(await readdir(join(directory, "temporary"))).toEqual([]);
});

test("what is put while its kind is being listed counts as listed", async () => {
  const { items } = await openedWorkspace();
  await items.put(guide(1));
  await items.put(category("Looms"));
  items.beginListing(["guide", "category"]);
  await items.put(guide(2));
  await items.put(guide(1));
  expect([...items.unlisted()]).toEqual(["category/Looms"]);
  expect(items.endListing()).toEqual(["category/Looms"]);
});

test("what is written beside an entry is written with it or not at all", async () => {
  const { items, failures } = await openedWorkspace();
  await items.put(guide(1), {}, () => failures.add("media", "guide/1", "It lacks a picture.", "Wait."));
  expect(failures.list()).toMatchObject([{ stage: "media", key: "guide/1" }]);
  const broken = items.put(guide(2), {}, () => {
    failures.clear("media", "guide/1");
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");
  expect(items.entry("guide/2")).toBeUndefined();
  expect(failures.list()).toHaveLength(1);
});
