import fc from "fast-check";
import { expect, test } from "vitest";
import { wikiSchema } from "../../../src/core/model/item.js";
import { readLightWiki, readWiki } from "../../../src/service/wire/wiki.js";
import { collecting, readWithIssues } from "./read-with-issues.js";

const CATEGORY = {
  wikiid: 8,
  langid: "en",
  namespace: "CATEGORY",
  title: "Looms",
  display_title: "Looms & frames",
  revisionid: null,
  source_revisionid: null,
  contents_raw: "== Kinds ==",
  contents_json: { type: "doc", content: [] },
  contents_rendered: "<h2>Kinds</h2>",
  description: "",
  image: null,
  flags: [],
  tags: false,
  documents: [{ documentid: 4, text: "a.pdf", url: "/Document/ddd/a.pdf" }],
  info: [
    { name: "Weight", value: "9 kg" },
    { name: "Maker", value: "Ada", inheritedFrom: "Tools" },
  ],
  category_info: [],
  parts: { url: "x", categories: [] },
  author: { userid: 2, username: "Ada", unique_username: "ada" },
  unknown: 1,
};

test("a category reads whole, its empty maps without an issue, its place from the hierarchy", () => {
  const { reading, issues } = collecting("category/Looms");
  const { wiki, media } = readWiki(CATEGORY, reading, { parent: "Tools", position: 2 });
  expect(issues).toEqual([]);
  expect(wikiSchema.parse(wiki)).toMatchObject({
    id: 8,
    namespace: "CATEGORY",
    title: "Looms",
    displayTitle: "Looms & frames",
    contents: "== Kinds ==",
    tree: { type: "doc", content: [] },
    flags: [],
    tags: [],
    info: [{ name: "Weight", value: "9 kg" }],
    parent: "Tools",
    position: 2,
    author: { id: 2, uniqueName: "ada" },
  });
  expect(media).toEqual([
    {
      key: "document/4",
      url: "https://site.example/Document/ddd/a.pdf",
      guid: null,
      fileName: "a.pdf",
      path: "documents[0]",
    },
  ]);
});

test("flags keyed by id read as ids", () => {
  const { reading, issues } = collecting("wiki/ITEM/Shuttle");
  const { wiki } = readWiki({ namespace: "ITEM", title: "Shuttle", flags: { WIKI_STUB: { title: "Stub" } } }, reading);
  expect(wiki.flags).toEqual(["WIKI_STUB"]);
  expect(issues).toEqual([]);
});

test("a row of a list needs only a title", () => {
  const { value, issues } = readWithIssues({ title: "Shuttle", image: null, author: 2 }, (row) =>
    readLightWiki(row, "ITEM"),
  );
  expect(value).toMatchObject({ key: "wiki/ITEM/Shuttle", modified: null, revision: null });
  expect(issues).toEqual([]);
});

test("whatever the answer, a wiki comes out", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.record({ title: fc.jsonValue(), flags: fc.jsonValue(), info: fc.jsonValue() })),
      (json) => {
        const { reading } = collecting("category/Looms");
        return wikiSchema.safeParse(readWiki(json, reading).wiki).success;
      },
    ),
  );
});
