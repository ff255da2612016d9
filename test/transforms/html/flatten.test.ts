import { expect, it } from "vitest";
import { BREAK, flatten } from "../../../transforms/html/from/words.js";
import { pageMacro, paragraph, text } from "../../../transforms/wiki/build.js";

it("says nothing of data about a page where blocks become words, and tells that they are lost", () => {
  const told: string[] = [];
  const blocks = [paragraph([text("x")]), pageMacro("title", "A title")];
  const words = flatten(blocks, BREAK, (code) => told.push(code));
  expect(words[0]).toEqual(text("x"));
  expect(told).toEqual(["blocks-joined", "block-flattened"]);
});
