import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import { type Key, NAMESPACES, wikiKey } from "../../../src/core/model/key.js";
import { pagePathOf, tagPath } from "../../../src/web/reader/page-path.js";

describe("the address of a page", () => {
  it.each([
    ["guide/123", "guide/123.html"],
    ["guide/123@de", "guide/123-de.html"],
    ["guide/123@zh-hans", "guide/123-zh-hans.html"],
    ["category/Hand Looms", /^category\/hand-looms-[0-9a-f]{8}\.html$/],
    ["category/Äpfel & Öl", /^category\/apfel-ol-[0-9a-f]{8}\.html$/],
    ["category/織機", /^category\/[0-9a-f]{16}\.html$/],
    ["wiki/ITEM/Shuttle", /^wiki\/item\/shuttle-[0-9a-f]{8}\.html$/],
    ["wiki/../x", /^wiki\/other\/x-[0-9a-f]{8}\.html$/],
    ["guide/../../x@y", /^guide\/x-y-[0-9a-f]{8}\.html$/],
  ])("of %s is %s", (key, expected) => {
    const path = pagePathOf(key as Key);
    if (typeof expected === "string") expect(path).toBe(expected);
    else expect(path).toMatch(expected);
  });

  it("of a medium or a record is none", () => {
    expect(["image/5", "video/7", "document/9", "record/tags"].map((key) => pagePathOf(key as Key))).toEqual(
      Array.from({ length: 4 }, () => ""),
    );
  });

  it("is a name that any file system and web server takes, whatever the title is", () => {
    const key = fc.oneof(
      fc.tuple(fc.constantFrom(...NAMESPACES), TITLE).map(([namespace, title]) => wikiKey(namespace, title)),
      TITLE.map((text): Key => `guide/${text}`),
      TITLE.map((text): Key => `wiki/${text}`),
    );
    fc.assert(
      fc.property(key, (own) => {
        expect(pagePathOf(own)).toMatch(/^(?:guide|category|wiki\/[a-z]+)\/[a-z0-9-]{1,60}\.html$/);
        expect(pagePathOf(own)).not.toMatch(/--|\/-/);
      }),
    );
    fc.assert(
      fc.property(TITLE, (tag) => {
        expect(tagPath(tag)).toMatch(/^tag\/[a-z0-9-]{1,60}\.html$/);
      }),
    );
  });

  it("is another one for each key, also where titles differ in case or in marks only", () => {
    const titles = ["Loom", "loom", "Lööm", "Loom ", "Loom!", "LOOM", "織機", "机織り"];
    const paths = titles.map((title) => pagePathOf(`category/${title}`));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(titles.length);
  });
});

const TITLE = fc.oneof(
  fc.string({ minLength: 1, unit: "binary", maxLength: 80 }),
  fc.constantFrom("../../etc/passwd", "con", "a/b\\c", "x".repeat(500), "%2e%2e", "\0", "-", " . "),
);
