import { expect, test } from "vitest";
import { ownId } from "../../src/core/model/key.js";

test.each([
  ["guide/12", "12"],
  ["guide/12@de", "12"],
  ["step/456+2", "456"],
  ["image/5", "5"],
  ["document/LmWxvLoYVtK2gqdV", "LmWxvLoYVtK2gqdV"],
  ["document/2gqdVLmWxvLoYVtK", "2gqdVLmWxvLoYVtK"],
  ["category/12 Looms", "12 Looms"],
  ["wiki/ITEM/Shuttle", "ITEM/Shuttle"],
] as const)("%s is %s at home", (key, id) => {
  expect(ownId(key)).toBe(id);
});
