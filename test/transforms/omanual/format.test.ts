import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Item } from "../../../src/core/model/item.js";
import { omanual, readOmanual } from "../../../transforms/omanual/format.js";
import { memoryFiles } from "./memory-files.js";

const guide = (title: string, content = "", attributes = "") =>
  `<guide${attributes}><title>${title}</title>${content}</guide>`;
const prerequisite = (path: string) =>
  `<prerequisites><prerequisite><title>P</title><path>${path}</path></prerequisite></prerequisites>`;

async function read(contents: Readonly<Record<string, string | Uint8Array>>, name?: string) {
  const issues: Issue[] = [];
  const items: Item[] = [];
  for await (const item of readOmanual(memoryFiles(contents, name), (issue) => issues.push(issue))) items.push(item);
  const titles = items.map(({ key, body }) => [key, "title" in body ? body.title : null] as const);
  const keyOf = (title: string) => titles.find(([, each]) => each === title)?.[0];
  return { items, issues, keyOf, codes: issues.map(({ code }) => code), keys: items.map(({ key }) => key) };
}

describe("the format", () => {
  it("takes packages with XML documents in them", () => {
    expect(omanual.accepts(["media/a.jpg", "Looms/category.XML"])).toBe(true);
    expect(omanual.accepts(["a.oman"])).toBe(true);
    expect(omanual.accepts(["media/a.jpg", "a.xml.txt"])).toBe(false);
  });
});

describe("a package", () => {
  it("is read by roots, whatever its documents are called, with media behind the first item that needs them", async () => {
    const { keys, codes } = await read({
      "Looms/anything.xml": "<category><category_info>Looms</category_info><image>media/a.jpg</image></category>",
      "Looms/x/y.xml": guide("Warping", "<image>../media/a.jpg</image><category>Looms</category>", ' id="7"'),
      "Looms/media/a.jpg": "JPEG",
      "Looms/notes.xml": "<notes/>",
    });
    expect(keys).toEqual(["category/Looms", expect.stringMatching(/^image\//), "guide/7"]);
    expect(codes).toEqual(["omanual-root"]);
  });

  it("gives guides the id of their root, else of an index, else of their folder's or file's name, else one of their own", async () => {
    const { keyOf } = await read({
      "category.xml":
        '<category><title>Looms</title><guides><guide id="8" subject="" type="t"><title>B</title><path>b/guide.xml</path></guide></guides></category>',
      "a-1/guide.xml": guide("A", "", ' id="7"'),
      "b/guide.xml": guide("B"),
      "Warping-a-Loom-3140/guide.xml": guide("C"),
      "d/guide-9.xml": guide("D"),
      "e/guide.xml": guide("E"),
    });
    expect(["A", "B", "C", "D"].map(keyOf)).toEqual(["guide/7", "guide/8", "guide/3140", "guide/9"]);
    expect(Number(keyOf("E")?.slice("guide/".length))).toBeGreaterThanOrEqual(2 ** 52);
  });

  it("gives a guide without an id the same key in every run, and when the top folder is gone", async () => {
    const one = await read({ "Looms/e/guide.xml": guide("E"), "Looms/f.xml": guide("F") });
    const other = await read({ "e/guide.xml": guide("E, changed"), "f.xml": guide("F") });
    expect(one.keyOf("E")).toBe(other.keyOf("E, changed"));
  });

  it("takes a second language of one id as a translation, and anything else with that id by its path", async () => {
    const { items, keyOf } = await read({
      "a-5/guide.xml": guide("A", "", ' locale="en"'),
      "b-5/guide.xml": guide("B", "", ' locale="de"'),
      "c-5/guide.xml": guide("C", "", ' locale="en"'),
    });
    expect([keyOf("A"), keyOf("B")]).toEqual(["guide/5", "guide/5@de"]);
    expect(keyOf("C")).toMatch(/^guide\/\d{16}$/);
    expect(items[0]?.translations).toEqual(["guide/5@de"]);
  });

  it("takes for the source what is no translation: by its folder's name, else by the language of most documents", async () => {
    const ours = await read({
      "Aufbaeumen-de-5/guide.xml": guide("B", "", ' locale="de"'),
      "Warping-5/guide.xml": guide("A", "", ' locale="en"'),
    });
    expect([ours.keyOf("A"), ours.keyOf("B")]).toEqual(["guide/5", "guide/5@de"]);
    const theirs = await read({
      "a-5/guide.xml": guide("B", "", ' locale="de"'),
      "b-5/guide.xml": guide("A", "", ' locale="en"'),
      "category.xml": '<category locale="en"><title>Looms</title></category>',
    });
    expect([theirs.keyOf("A"), theirs.keyOf("B")]).toEqual(["guide/5", "guide/5@de"]);
  });

  it("points prerequisites at the guides that their paths mean", async () => {
    const { items, keyOf } = await read({
      "a/guide.xml": guide("A", prerequisite("../b/guide.xml")),
      "b/guide.xml": guide("B"),
    });
    expect(items[0]).toMatchObject({ body: { prerequisites: [keyOf("B")] } });
  });

  it("makes empty categories of those that are only named, each in its place", async () => {
    const { items } = await read({
      "category.xml":
        "<category><title>Looms</title><ancestors><ancestor>Hand tools</ancestor><ancestor>Textile</ancestor><ancestor>Root</ancestor></ancestors><children><child>Reeds</child></children></category>",
      "guide.xml": guide("A", "<category>Spinning</category>"),
    });
    const categories = items.flatMap((item) => (item.kind === "category" ? [[item.body.title, item.body.parent]] : []));
    expect(categories).toEqual([
      ["Looms", "Hand tools"],
      ["Hand tools", "Textile"],
      ["Textile", null],
      ["Reeds", "Looms"],
      ["Spinning", null],
    ]);
  });

  it("does not stand above itself, whatever its documents say", async () => {
    const at = (title: string, parent: string) =>
      `<category><title>${title}</title><ancestors><ancestor>${parent}</ancestor></ancestors><children><child>${parent}</child></children></category>`;
    const { items } = await read({ "a.xml": at("A", "B") });
    const parents = items.flatMap((item) => (item.kind === "category" ? [[item.body.title, item.body.parent]] : []));
    expect(parents).toEqual([
      ["A", "B"],
      ["B", null],
    ]);
  });

  it("takes a guide's category from the page that lists it, where the guide names none", async () => {
    const { items } = await read({
      "category.xml":
        '<category><title>Looms</title><guides><guide id="8" subject="" type="t"><path>b/guide.xml</path></guide></guides></category>',
      "b/guide.xml": guide("B"),
    });
    expect(items[0]).toMatchObject({ kind: "guide", body: { category: "Looms" } });
  });

  it("tells of what is odd about a manifest, though it becomes no item", async () => {
    const { items, issues } = await read({ "manifest.xml": "<manifest><title>A</title><vendor/></manifest>" });
    expect(items).toEqual([]);
    expect(issues).toMatchObject([{ code: "unknown-element", key: "record/manifest.xml" }]);
  });

  it("goes on behind a document that cannot be read, and names it", async () => {
    const { keys, issues } = await read({ "a-1/guide.xml": "<guide><title>A</guide>", "b-2/guide.xml": guide("B") });
    expect(keys).toEqual(["guide/2"]);
    expect(issues).toMatchObject([
      {
        code: "xml-mismatch",
        level: "error",
        key: "guide/1",
        message: expect.stringContaining("test.omanual:a-1/guide.xml:1:16"),
      },
    ]);
  });

  it("of a single file that cannot be read is named once", async () => {
    const wrong = "<guide><title>A</title>";
    for (const name of ["g.xml", "/tmp/manuals/g.xml", "C:\\manuals\\g.xml"]) {
      const { issues } = await read({ "g.xml": wrong }, name);
      expect(issues.map(({ message }) => message.slice(0, name.length + 6))).toEqual([`${name}:1:24 `]);
    }
    const { issues } = await read({ "g.xml": wrong, "b.xml": guide("B") }, "g.xml");
    expect(issues[0]?.message).toMatch(/^g\.xml:g\.xml:1:24 /);
  });

  it("goes on behind a document that is too large, without opening it", async () => {
    const { keys, codes } = await read({ "a.xml": Buffer.alloc(9 * 1024 * 1024, 0x20), "b-2/guide.xml": guide("B") });
    expect(keys).toEqual(["guide/2"]);
    expect(codes).toEqual(["xml-too-large"]);
  });

  it("takes the first of two documents about one category", async () => {
    const { keys, codes } = await read({
      "a.xml": "<category><title>A</title></category>",
      "b.xml": "<topic><title>A</title></topic>",
    });
    expect(keys).toEqual(["category/A"]);
    expect(codes).toEqual(["item-twice"]);
  });

  it("of our own is taken at its word: nothing in it was escaped twice", async () => {
    const documents = { "a.xml": guide("A&amp;amp;B", "<introduction>Use &lt;b&gt;</introduction>") };
    const [foreign] = (await read(documents)).items;
    const [own] = (await read({ ...documents, "guideferry.json": "{}" })).items;
    expect(foreign).toMatchObject({ body: { title: "A&B", introduction: "Use" } });
    expect(own).toMatchObject({ body: { title: "A&amp;B", introduction: "Use <b>" } });
  });

  it("is read in UTF-16 and with its root behind a long comment, too", async () => {
    const { keys } = await read({
      "a.xml": Buffer.from(`\ufeff${guide("A", "", ' id="5"')}`, "utf16le"),
      "b.xml": `<!-- ${"long ".repeat(5000)} -->${guide("B")}`,
    });
    expect(keys).toEqual(["guide/5", expect.stringMatching(/^guide\/\d{16}$/)]);
  });
});
