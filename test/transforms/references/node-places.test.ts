import { expect, it } from "vitest";
import { placesOf } from "../../../transforms/references/node-places.js";
import { page, paragraph } from "../../../transforms/wiki/build.js";
import { link } from "../../../transforms/wiki/build-inlines.js";

it("gives no place to a node that was built and never stood in a text", () => {
  expect(placesOf(page([paragraph([link("guide", "12")])]))).toEqual([]);
});
