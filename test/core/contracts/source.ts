import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Listed, ListOptions, Source } from "../../../src/core/contracts.js";
import type { MediaUse } from "../../../src/core/model/item.js";
import { type Item, itemSchema } from "../../../src/core/model/item.js";
import { type ItemKind, kindOf } from "../../../src/core/model/key.js";

/** A source under test: it has guides, pages, categories and media. */
export interface SourceUnderTest {
  readonly source: Source;
  /** How many times something was written to what the source reads from. */
  writes(): number;
}

const KINDS: ReadonlySet<ItemKind> = new Set(["record", "category", "wiki", "guide"]);
const never = new AbortController().signal;

/**
 * What every source promises (contracts.ts); to be called inside a test file with a way to make one
 * that stands still.
 */
export function testSource(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(name, () => {
    let source: Source;
    let writes: () => number;
    beforeEach(async () => {
      ({ source, writes } = await make());
    });

    test("says who it is, the same each time", async () => {
      const site = await source.identify(never);
      expect(site.hosts).toContain(new URL(site.root).hostname);
      expect(site.languages).toContain(site.language);
      expect(await source.identify(never)).toEqual(site);
    });

    test("lists every key once, and only of the kinds that were asked for", async () => {
      const all = await listAll(source);
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
      expect(new Set(all.map(({ key }) => kindOf(key)))).toEqual(KINDS);
      const guides = await listAll(source, { kinds: new Set(["guide"]) });
      expect(guides).toEqual(all.filter(({ key }) => kindOf(key) === "guide"));
    });

    test("lists the same tokens again when nothing changed", async () => {
      expect(await listAll(source)).toEqual(await listAll(source));
    });

    test("reads all that it lists, in the form of the model, under the key and token of the list", async () => {
      for (const { key, revision } of await listAll(source)) {
        const item = await source.read(key, never);
        expect(itemSchema.parse(item)).toEqual({ ...item });
        expect(item?.key).toBe(key);
        if (revision !== "") expect(item?.revision).toBe(revision);
      }
    });

    test("lists and reads the same if it keeps its rows elsewhere", async () => {
      const kept = new Map<string, string>();
      const rows = {
        set: (name: string, text: string) => kept.set(name, text),
        get: (name: string) => kept.get(name),
        // In any order.
        values: () => [...kept.values()].reverse(),
      };
      expect(await inOrder(source, { families: true, rows })).toEqual(await inOrder(source, { families: true }));
    });

    test("reads the same again", async () => {
      for (const { key } of (await listAll(source)).filter((row) => kindOf(row.key) !== "record")) {
        expect(await source.read(key, never)).toEqual(await source.read(key, never));
      }
    });

    test("knows nothing of what isn't there", async () => {
      expect(await source.read("guide/987654", never)).toBeUndefined();
      expect(await source.read("guide/987654@de", never)).toBeUndefined();
      expect(await source.read("category/No Such Category", never)).toBeUndefined();
      expect(await source.read("wiki/ITEM/No Such Item", never)).toBeUndefined();
      expect(await source.readMedia(unknown("image/987654"), never)).toBeUndefined();
      expect(await source.readMedia(unknown("document/987654"), never)).toBeUndefined();
      expect(await source.readMedia(unknown("video/987654"), never)).toBeUndefined();
    });

    test("opens the media that items use, from the start and from the middle", async () => {
      const uses = await mediaUses(source);
      expect(uses.length).toBeGreaterThan(0);
      for (const use of uses.slice(0, 5)) {
        const item = await source.readMedia(use, never);
        expect(itemSchema.parse(item)).toMatchObject({ key: use.key, kind: kindOf(use.key) });
        const url = bodyUrl(item);
        const whole = await source.open(url, 0, never);
        const bytes = await buffer(whole.content);
        expect(bytes.length).toBeGreaterThan(1);
        if (whole.size !== null) expect(bytes.length).toBe(whole.size);
        const middle = Math.floor(bytes.length / 2);
        const rest = await source.open(url, middle, never);
        expect([0, middle]).toContain(rest.from);
        expect(await buffer(rest.content)).toEqual(bytes.subarray(rest.from));
      }
    });

    test("stops when it is told to", async () => {
      const aborted = AbortSignal.abort(new Error("told to"));
      await expect(source.read("guide/1", aborted)).rejects.toThrow("told to");
    });

    test("writes nothing", async () => {
      for (const { key } of await listAll(source)) await source.read(key, never);
      expect(writes()).toBe(0);
    });
  });
}

async function listAll(source: Source, options: Partial<ListOptions> = {}): Promise<readonly Listed[]> {
  const rows: Listed[] = [];
  for await (const row of source.list({ kinds: KINDS, includePrivate: true, since: null, ...options }, never))
    rows.push(row);
  return rows;
}

/** All rows, and all items but records, by their keys. */
async function inOrder(source: Source, options: Partial<ListOptions>): Promise<unknown> {
  const rows = (await listAll(source, options)).toSorted((row, other) => (row.key < other.key ? -1 : 1));
  const items: unknown[] = [];
  for (const { key } of rows) if (kindOf(key) !== "record") items.push(await source.read(key, never));
  return { rows, items };
}

async function mediaUses(source: Source): Promise<readonly MediaUse[]> {
  const uses = new Map<string, MediaUse>();
  for (const { key } of await listAll(source, { kinds: new Set(["guide"]) })) {
    for (const use of (await source.read(key, never))?.media ?? []) if (use.url !== null) uses.set(use.key, use);
  }
  return [...uses.values()];
}

function bodyUrl(item: Item | undefined): string {
  if (item?.kind === "image" || item?.kind === "video" || item?.kind === "document") return item.body.url;
  throw new Error("not a medium");
}

function unknown(key: MediaUse["key"]): MediaUse {
  return { key, url: null, guid: null, fileName: null, path: "" };
}
