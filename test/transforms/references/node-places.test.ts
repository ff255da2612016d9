import { expect, it } from "vitest";
import { placesOf } from "../../../transforms/references/references.js";
import { link, page, paragraph } from "../../../transforms/wiki/build.js";

it("gives no place to a node that was built and never stood in a text", () => {
  expect(placesOf(page([paragraph([link("guide", "12")])]))).toEqual([]);
});
