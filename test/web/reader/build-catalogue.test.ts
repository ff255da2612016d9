import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import type { Item } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { BuiltCatalogue, type CatalogueParts } from "../../../src/web/reader/build-catalogue.js";
import type { Entry } from "../../../src/web/reader/catalogue.js";
import { guideItem, mediaItem, recordItem, wikiItem } from "../../helpers/items.js";
import { snapshotOf, type TestSnapshotParts } from "../../helpers/snapshot-view.js";
import { withResolvers } from "../../helpers/with-resolvers.js";

describe("a catalogue", () => {
  it("has what rows tell before any item is read, and the rest when all are", async () => {
    const gate = withResolvers();
    const { catalogue } = await build({ items: SITE, hold: () => gate.promise });
    await catalogue.listed;
    expect(catalogue.progress).toEqual({ done: 1, total: SITE.length });
    expect(titles(catalogue.guidesIn("Looms"))).toEqual(["guide/2 Heddle", "guide/10 Loom 2", "guide/1 Loom 10"]);
    expect(catalogue.entry("guide/1")).toMatchObject({ path: "guide/1.html", category: "Looms", more: undefined });
    expect(catalogue.tags()).toEqual([]);
    gate.resolve();
    await catalogue.read;
    expect(catalogue.progress).toEqual({ done: SITE.length, total: SITE.length });
    expect(catalogue.entry("guide/1")?.more).toMatchObject({
      language: "en",
      tags: ["wool", "warp"],
      image: CONTENT.sha256,
      summary: "Turn it.",
      isPrivate: true,
    });
    expect(catalogue.entry("image/5")?.more?.medium).toMatchObject({ sha256: CONTENT.sha256, fileName: "shed.png" });
    expect(catalogue.damaged).toEqual([]);
  });

  it("has lists in their order", async () => {
    const { catalogue } = await build({ items: SITE });
    await catalogue.read;
    expect(titles(catalogue.categoriesIn(null))).toEqual(["category/Yarn Yarn", "category/Looms The looms"]);
    expect(titles(catalogue.categoriesIn("Looms"))).toEqual(["category/Hand Hand"]);
    expect(titles(catalogue.guidesIn(null))).toEqual(["guide/3@de Ohne Vorlage"]);
    expect(titles(catalogue.pages())).toEqual(["wiki/ITEM/Shuttle Shuttle", "wiki/WIKI/About Über uns"]);
    expect(catalogue.tags()).toEqual([
      { tag: "warp", count: 1 },
      { tag: "wool", count: 2 },
    ]);
    expect(titles(catalogue.tagged("wool"))).toEqual(["guide/2 Heddle", "guide/1 Loom 10"]);
    expect(titles(catalogue.languagesOf("guide/1"))).toEqual(["guide/1@de Webstuhl", "guide/1 Loom 10"]);
    expect(titles(catalogue.languagesOf("guide/1@de"))).toHaveLength(2);
    expect(catalogue.languagesOf("guide/2")).toEqual([]);
    expect(titles(catalogue.media("image"))).toEqual(["image/5 shed.png", "image/40 image 40"]);
    expect(catalogue.counts).toMatchObject({ guide: 5, category: 3, wiki: 2, image: 2, record: 1 });
    expect(catalogue.byPath("guide/1-de.html")?.key).toBe("guide/1@de");
    expect(catalogue.byPath("")).toBeUndefined();
  });

  it("is given as soon as a first page can be made", async () => {
    const rows = withResolvers();
    const whole = snapshotOf({ items: SITE });
    const snapshot = {
      ...whole,
      async *rowBatches() {
        for await (const batch of whole.rowBatches()) {
          if (batch[0]?.kind === "record") await rows.promise;
          yield batch;
        }
      },
    };
    const catalogue = await BuiltCatalogue.build({ snapshot, signal: new AbortController().signal });
    expect(titles(catalogue.guidesIn("Looms"))).toHaveLength(3);
    expect(catalogue.pages()).toEqual([]);
    rows.resolve();
    await catalogue.listed;
    expect(titles(catalogue.pages())).toHaveLength(2);
  });

  it("reads what is asked for before its turn, once", async () => {
    const gate = withResolvers();
    const { catalogue, snapshot } = await build({ items: SITE }, { giveWay: () => gate.promise });
    const found = await Promise.all([
      catalogue.known("image/40"),
      catalogue.known("image/40"),
      catalogue.known("guide/2"),
    ]);
    expect(found.map((entry) => entry?.more?.language)).toEqual(["en", "en", "en"]);
    expect(snapshot.read).toEqual(["image/40", "guide/2"]);
    expect(await catalogue.known("guide/404")).toBeUndefined();
    gate.resolve();
    await catalogue.read;
    expect(snapshot.read.toSorted()).toEqual(READ.toSorted());
  });

  it("gives each item that can be read to who listens, once, and tells of those that cannot", async () => {
    const given: Key[] = [];
    const snapshot = snapshotOf({ items: SITE });
    snapshot.damage("guide/2");
    const catalogue = await BuiltCatalogue.build({
      snapshot,
      signal: new AbortController().signal,
      onItem: (entry, item) => {
        expect(entry.key).toBe(item.key);
        expect(entry.more).toBeDefined();
        given.push(item.key);
      },
    });
    await catalogue.read;
    expect(given.toSorted()).toEqual(READ.filter((key) => key !== "guide/2").toSorted());
    expect(catalogue.damaged).toEqual([{ key: "guide/2", reason: "guide/2 is damaged." }]);
    expect(catalogue.progress).toEqual({ done: SITE.length, total: SITE.length });
    expect(catalogue.entry("guide/2")).toMatchObject({ title: "Heddle", more: undefined });
  });

  it("takes over what another time knows of items with the same bytes, and with the same picture", async () => {
    const { catalogue: before } = await build({ items: SITE });
    await before.read;
    const newPicture = mediaItem("image", 5, { fileName: "shed.png", content: { ...CONTENT, sha256: "b".repeat(64) } });
    const renamed = guideItem(2, { title: "Heddles", tags: ["reed"] });
    const items = SITE.map((item) => ({ "image/5": newPicture, "guide/2": renamed })[item.key as string] ?? item);
    const { catalogue, snapshot } = await build({ items }, { before });
    await catalogue.read;
    expect(snapshot.read.toSorted()).toEqual(["guide/1", "guide/2", "image/5"]);
    expect(catalogue.entry("guide/1")?.more?.image).toBe("b".repeat(64));
    expect(catalogue.tags().map(({ tag }) => tag)).toEqual(["reed", "warp", "wool"]);
    expect(titles(catalogue.categoriesIn(null))).toEqual(titles(before.categoriesIn(null)));
    expect(before.entry("guide/2")?.title).toBe("Heddle");
  });

  it("reads all of another time too, for who listens", async () => {
    const { catalogue: before } = await build({ items: SITE });
    await before.read;
    const given: Key[] = [];
    const { catalogue } = await build({ items: SITE }, { before, onItem: ({ key }) => void given.push(key) });
    await catalogue.read;
    expect(given.toSorted()).toEqual(READ.toSorted());
    expect(catalogue.tags()).toEqual(before.tags());
  });

  it("ends when it is no longer wanted, and tells those who wait", async () => {
    const abort = new AbortController();
    const { catalogue, snapshot } = await build(
      { items: SITE },
      { signal: abort.signal, giveWay: async () => abort.abort(new Error("enough")) },
    );
    await expect(catalogue.read).rejects.toThrow("enough");
    expect(snapshot.read).toEqual([]);
  });

  it("throws what the rows throw", async () => {
    const snapshot = { ...snapshotOf({ items: [] }), rowBatches: () => failing() };
    await expect(BuiltCatalogue.build({ snapshot, signal: new AbortController().signal })).rejects.toThrow(
      "rows are damaged",
    );
  });

  it("has every category once in its tree, whatever hangs below what", async () => {
    const names = ["A", "B", "C", "D", "E"];
    const parent = fc.constantFrom(...names, "nowhere", null);
    await fc.assert(
      fc.asyncProperty(fc.tuple(parent, parent, parent, parent, parent), async (parents) => {
        const items = names.map((name, at) => wikiItem("CATEGORY", name, { parent: parents[at] ?? null }));
        const { catalogue } = await build({ items });
        await catalogue.read;
        expect(below(catalogue, null).toSorted()).toEqual(names);
      }),
    );
  });
});

/** The names of all categories below one, which must not be reached twice. */
function below(catalogue: BuiltCatalogue, parent: string | null, trail: readonly string[] = []): readonly string[] {
  expect(trail.length).toBeLessThan(10);
  return catalogue.categoriesIn(parent).flatMap(({ key, category }) => {
    const name = key.slice("category/".length);
    expect(category === parent || parent === null).toBe(true);
    return [name, ...below(catalogue, name, [...trail, name])];
  });
}

async function* failing(): AsyncGenerator<never> {
  yield* [];
  throw new Error("The rows are damaged.");
}

async function build(parts: TestSnapshotParts, more: Partial<CatalogueParts> = {}) {
  const snapshot = snapshotOf(parts);
  const catalogue = await BuiltCatalogue.build({ snapshot, signal: new AbortController().signal, ...more });
  return { catalogue, snapshot };
}

function titles(entries: readonly Entry[]): readonly string[] {
  return entries.map(({ key, title }) => `${key} ${title}`);
}

const CONTENT = { sha256: "a".repeat(64), size: 10, type: "image/png" };

const SITE: readonly Item[] = [
  guideItem(1, { title: "Loom 10", tags: ["wool", "warp", "wool"], image: "image/5", summary: "Turn it." }),
  { ...guideItem(1, { title: "Webstuhl", language: "de" }), key: "guide/1@de" },
  guideItem(2, { title: "Heddle", tags: ["wool"] }),
  { ...guideItem(3, { title: "Ohne Vorlage", category: "Gone", language: "de" }), key: "guide/3@de" },
  guideItem(10, { title: "Loom 2", public: true }),
  wikiItem("CATEGORY", "Looms", { displayTitle: "The looms", position: 2 }),
  wikiItem("CATEGORY", "Hand", { parent: "Looms" }),
  wikiItem("CATEGORY", "Yarn", { position: 1, parent: "Nowhere" }),
  wikiItem("WIKI", "About", { displayTitle: "Über uns" }),
  wikiItem("ITEM", "Shuttle"),
  mediaItem("image", 5, { fileName: "shed.png", content: CONTENT }),
  mediaItem("image", 40),
  recordItem("tags"),
];
/** What is read of it: of a record lists show no more than its row says. */
const READ = SITE.map(({ key }) => key).filter((key) => !key.startsWith("record/"));
