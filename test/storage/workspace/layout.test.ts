import { basename } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { layoutOf } from "../../../src/storage/workspace/layout.js";

const layout = layoutOf("/w");

test("an item's file shows its key in a name that every system takes", () => {
  expect(layout.item("guide/123@de")).toMatch(/^\/w\/items\/guide\/[0-9a-f]{2}\/123%40de-[0-9a-f]{16}\.json$/);
  expect(layout.item("wiki/ITEM/Ø Reed/2")).toMatch(/^\/w\/items\/wiki\/[0-9a-f]{2}\/ITEM%2F%C3%98%20Reed%2F2-/);
  expect(basename(layout.item("category/..\\..\\CON."))).toMatch(/^%2E%2E%5C%2E%2E%5CCON%2E-/);
});

test("a long title is shortened to whole characters", () => {
  const name = basename(layout.item(`category/${"織".repeat(200)}`));
  expect(name).toMatch(/^(%[0-9A-F]{2})+-[0-9a-f]{16}\.json$/);
  expect(name.length).toBeLessThan(110);
});

test("two keys never share a file, also where neither case nor normal form of a letter is told apart", () => {
  const alike: readonly (readonly [Key, Key])[] = [
    ["category/Looms", "category/LOOMS"],
    ["category/K\u00f6per", "category/Ko\u0308per"],
    [`category/${"x".repeat(300)}1`, `category/${"x".repeat(300)}2`],
  ];
  for (const [one, other] of alike) {
    expect(layout.item(one).normalize("NFC").toLowerCase()).not.toBe(layout.item(other).normalize("NFC").toLowerCase());
  }
});

test("whatever the title, the file stays in its folder and has a plain ASCII name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (title) => {
      const path = layout.item(`category/${title}`);
      expect(path).toMatch(/^\/w\/items\/category\/[0-9a-f]{2}\/[A-Za-z0-9_%-]+\.json$/);
      expect(basename(path).length).toBeLessThan(110);
    }),
  );
});

test.each(["", "../../etc/passwd", "AB".repeat(32), "a".repeat(63)])("%j is no name of a content", (sha256) => {
  expect(() => layout.content(sha256)).toThrow(RangeError);
});
