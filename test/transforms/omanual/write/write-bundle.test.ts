import { describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import { checkPath } from "../../../../src/storage/archive/entry-names.js";
import { DEFAULT_LIMITS } from "../../../../src/storage/archive/limits.js";
import { writeBundle } from "../../../../transforms/omanual/write/write-bundle.js";
import { guideItem } from "../../../helpers/items.js";
import { bundle, iterable } from "./bundled.js";
import { faultsOf } from "./schemas.js";
import { smallSite } from "./small-site.js";

describe("a bundle", () => {
  it("has the one top category in its base, and a folder for every other category and every guide", async () => {
    const { files } = await bundle(smallSite(), { sidecar: false });
    expect(Object.keys(files).sort()).toEqual([
      "Floor--Wall-Looms/category.xml",
      "Hand-Looms/category.xml",
      "Hand-Looms/media/image-1.jpg",
      "Oil--Clean-the-Loom-12/guide.xml",
      "Oil--Clean-the-Loom-12/media/Manual.pdf",
      "Oil--Clean-the-Loom-12/media/The-loom.png",
      "Oil--Clean-the-Loom-12/media/image-1.jpg",
      "Oil--Clean-the-Loom-12/media/video-3.mp4",
      "Oil--Clean-the-Loom-7/guide.xml",
      "Ole-den-Webstuhl-de-7/guide.xml",
      "category.xml",
    ]);
  });

  it("says in each category what is above, below and in it", async () => {
    const { files } = await bundle(smallSite());
    expect(files["category.xml"]).toContain("<ancestors>\n    <ancestor>Root</ancestor>\n  </ancestors>");
    expect(files["category.xml"]).toContain("<child>Floor &amp; Wall Looms</child>\n    <child>Hand Looms</child>");
    expect(files["category.xml"]).toContain("<path>Oil--Clean-the-Loom-7/guide.xml</path>");
    const hand = files["Hand-Looms/category.xml"];
    expect(hand).toContain("<ancestor>Looms</ancestor>\n    <ancestor>Root</ancestor>");
    expect(hand).toContain('<guide id="12" subject="" type="how-to">');
    expect(hand).toContain("<path>../Oil--Clean-the-Loom-12/guide.xml</path>");
    expect(hand).toContain("<image>../Oil--Clean-the-Loom-12/media/image-1.jpg</image>");
    expect(hand).toContain("<image>media/image-1.jpg</image>");
  });

  it("leads from a guide to the ones that must be done before it", async () => {
    const { files } = await bundle(smallSite());
    const guide = files["Oil--Clean-the-Loom-12/guide.xml"];
    expect(guide).toContain('<prerequisite id="7" locale="en" subject="" type="how-to">');
    expect(guide).toContain("<path>../Oil--Clean-the-Loom-7/guide.xml</path>");
  });

  it("gives each of several top categories a folder", async () => {
    const items = smallSite().filter(({ key }) => key !== "category/Looms");
    const { files } = await bundle(items, { sidecar: false });
    expect(Object.keys(files).filter((path) => path.endsWith("category.xml"))).toEqual([
      "Hand-Looms/category.xml",
      "Floor--Wall-Looms/category.xml",
    ]);
  });

  it("holds valid documents only", { tags: ["shared", "xmllint"] }, async () => {
    const { files } = await bundle(smallSite());
    const documents = Object.entries(files).flatMap(([path, text]) => (path.endsWith(".xml") ? [text] : []));
    expect(documents).toHaveLength(6);
    expect(await faultsOf(documents)).toEqual([]);
  });

  it("has names that are safe and different on every file system", async () => {
    const titles = [
      "../../etc/passwd",
      "CON",
      "",
      "???",
      "织机",
      "a".repeat(300),
      "Oil",
      "oil",
      "Tab\tand\u0000nul",
      "x.",
    ];
    const { files } = await bundle(
      titles.flatMap((title, index): Item[] => [
        guideItem(index + 1, { title }),
        { ...guideItem(2 ** 52 + index, { title }) },
      ]),
    );
    const paths = Object.keys(files);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(titles.length * 2 * 2);
    expect(paths.flatMap((path) => checkPath(path, DEFAULT_LIMITS).faults)).toEqual([]);
    expect(paths.every((path) => /^[A-Za-z0-9_./-]{1,143}$/.test(path))).toBe(true);
  });

  it("tells of every item that is no manual", async () => {
    const { issues } = await bundle(smallSite());
    const keys = issues.filter(({ code }) => code === "no-manual").map(({ key, level }) => `${level} ${key}`);
    expect(keys).toEqual(["loss wiki/ITEM/Shuttle", "loss record/tags", "loss image/77"]);
  });

  it("is the same bytes each time", async () => {
    expect(await bundle(smallSite())).toEqual(await bundle(smallSite()));
  });

  it("refuses items that come only once", async () => {
    const once = iterable(smallSite())[Symbol.asyncIterator]();
    const items: AsyncIterable<Item> = { [Symbol.asyncIterator]: () => once };
    const files = writeBundle(
      items,
      async () => undefined,
      () => undefined,
    );
    await expect(async () => {
      for await (const _ of files);
    }).rejects.toThrow("first 13 items came, then 0");
  });
});
