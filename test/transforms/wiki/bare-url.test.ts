import { expect, it } from "vitest";
import { bareUrl } from "../../../transforms/references/references.js";
import { growthOf, MOST_GROWTH } from "../references/growth.js";

it.each([
  ["https://e.org/x y", "https://e.org/x"],
  ["https://e.org/x|y", "https://e.org/x"],
  ["https://e.org/x''y", "https://e.org/x"],
  ["https://e.org/x,,y", "https://e.org/x"],
  ["https://e.org/x,y", "https://e.org/x,y"],
  ["https://e.org/x).", "https://e.org/x"],
  ["https://e.org/x_(y).", "https://e.org/x_(y)"],
  ["https:// x", "https://"],
])("an address ends where the sentence goes on: %s", (text, address) => {
  expect(bareUrl(`a ${text}`, 2)).toEqual({ start: 2, end: 2 + address.length, address });
});

it.each(["http://''", "http://a", "http://.,"])("addresses in very many %j are read in time in proportion", (piece) => {
  const readAll = (text: string): void => {
    for (let at = text.indexOf("http"); at >= 0; at = text.indexOf("http", Math.max(bareUrl(text, at).end, at + 1)));
  };
  expect(growthOf(readAll, piece, "")).toBeLessThan(MOST_GROWTH);
});
