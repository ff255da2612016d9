import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { ArchivedStore } from "../../../src/storage/workspace/archived.js";
import { openWorkspace, type Workspace } from "../../../src/storage/workspace/workspace.js";
import "../../helpers/seed.js";
import { temporaryFolder } from "./helpers/samples.js";

async function open(directory: string): Promise<Workspace> {
  return openWorkspace(directory, { create: true, command: "test" });
}

/** What a night does to one key. */
const EVENT = fc.record({
  key: fc.constantFrom<Key>("guide/1", "guide/2", "image/3", "wiki/ITEM/4"),
  what: fc.constantFrom("written", "gone"),
});
const NIGHT = fc.record({ events: fc.array(EVENT, { maxLength: 4 }), committed: fc.boolean(), reopened: fc.boolean() });

type Known = ReadonlyMap<Key, string>;

function waitFor(archived: ArchivedStore, snapshot: string, last: Known): void {
  archived.begin(snapshot);
  archived.adding((add) => {
    for (const [key, what] of last) {
      if (what === "gone") add.tombstone({ key, kind: "guide", revision: "1", title: key, deleted: snapshot });
      else add.item(key, { digest: what, archive: "", path: `items/${key}`, size: 1, content: null });
    }
  });
  archived.place(() => `${snapshot}.zip`);
}

test("what waits counts when its snapshot came to be, and leaves no trace when it did not, whatever else happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(NIGHT, { maxLength: 6 }), async (nights) => {
      const directory = join(temporaryFolder(), "workspace");
      let workspace = await open(directory);
      const items = new Map<Key, { digest: string; archive: string }>();
      const gone = new Map<Key, string>();
      for (const [at, { events, committed, reopened }] of nights.entries()) {
        const snapshot = `night-${at}`;
        const last = new Map(events.map(({ key, what }) => [key, what === "gone" ? "gone" : `${snapshot} ${key}`]));
        waitFor(workspace.archived, snapshot, last);
        for (const key of ["guide/1", "image/3"] as const) {
          expect(workspace.archived.item(key)?.digest).toBe(items.get(key)?.digest);
        }
        if (reopened) {
          await workspace.close();
          workspace = await open(directory);
        }
        expect(workspace.archived.waiting()).toBe(snapshot);
        if (committed) workspace.archived.settle();
        else workspace.archived.drop();
        for (const [key, what] of committed ? last : []) {
          if (what === "gone") gone.set(key, snapshot);
          else gone.delete(key);
          if (what === "gone") items.delete(key);
          else items.set(key, { digest: what, archive: `${snapshot}.zip` });
        }
        expect(workspace.archived.waiting()).toBeUndefined();
        for (const key of ["guide/1", "guide/2", "image/3", "wiki/ITEM/4"] as const) {
          const found = workspace.archived.item(key);
          expect(found && { digest: found.digest, archive: found.archive }).toEqual(items.get(key));
        }
        expect(new Map([...workspace.archived.tombstones("known")].map(({ key, deleted }) => [key, deleted]))).toEqual(
          gone,
        );
      }
      await workspace.close();
    }),
    { numRuns: 12 },
  );
});

test("places in archives that are gone are forgotten, those in others stay, over many pages", async () => {
  const workspace = await open(join(temporaryFolder(), "workspace"));
  const { archived } = workspace;
  archived.begin("one");
  archived.adding((add) => {
    for (let at = 0; at < 1200; at += 1) {
      add.medium(String(at), { archive: "", path: `media/${String(at).padStart(4, "0")}`, size: at });
    }
  });
  archived.place((path) => (path < "media/0700" ? "part1.zip" : "main.zip"));
  archived.settle();
  expect([archived.medium("699")?.archive, archived.medium("700")?.archive]).toEqual(["part1.zip", "main.zip"]);
  expect(archived.keepOnly(new Set(["main.zip"]))).toBe(700);
  expect([archived.medium("699"), archived.medium("700")?.size]).toEqual([undefined, 700]);
  expect(archived.snapshot()).toBe("one");
  archived.clear();
  expect([archived.medium("700"), archived.snapshot()]).toEqual([undefined, undefined]);
  await workspace.close();
});

test("a content that lies elsewhere counts as held, is read and checked from there, and a file that is here goes first", async () => {
  const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  const opened: string[] = [];
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, {
    create: true,
    command: "test",
    elsewhere: {
      has: (sha256) => sha256 === hello,
      open: async (sha256) => {
        opened.push(sha256);
        return Readable.from([Buffer.from("hel"), Buffer.from("lo")]);
      },
    },
  });
  const { media } = workspace;
  expect([media.has(hello), media.isHere(hello), media.has("0".repeat(64))]).toEqual([true, false, false]);
  expect([String(await buffer(media.open(hello))), await media.verify(hello)]).toEqual(["hello", true]);
  expect(opened).toEqual([hello, hello]);
  const content = { content: Readable.from([Buffer.from("hello")]), from: 0, size: 5, type: null };
  await media.receive(async () => content, new AbortController().signal);
  expect(String(await buffer(media.open(hello)))).toBe("hello");
  expect(opened).toHaveLength(2);
  const here: string[] = [];
  for await (const sha256 of media.here()) here.push(sha256);
  expect(here).toEqual([hello]);
  await media.remove(hello);
  expect([media.isHere(hello), media.has(hello)]).toEqual([false, true]);
  expect(() => media.open("0".repeat(64))).toThrow(/does not exist.*guideferry restore/);
  await workspace.close();
});

test("an item's file is taken over byte for byte, and never one with other bytes", async () => {
  const one = await open(join(temporaryFolder(), "workspace"));
  const { recordItem } = await import("../../helpers/items.js");
  const entry = await one.items.put({ ...recordItem("tags"), raw: { "2": "b", "1": ["\u2028", 1.5e300] } });
  const file = await one.items.file(entry.key);
  await one.close();
  const other = await open(join(temporaryFolder(), "workspace"));
  await other.items.adopt(entry, file);
  expect([other.items.entry(entry.key), await other.items.file(entry.key)]).toEqual([entry, file]);
  await expect(other.items.adopt(entry, Buffer.concat([file, Buffer.from(" ")]))).rejects.toThrow(
    /do not match its digest/,
  );
  await expect(other.items.adopt({ ...entry, key: "record/other" }, file)).rejects.toThrow(
    /holds record\/tags instead/,
  );
  await other.close();
});
