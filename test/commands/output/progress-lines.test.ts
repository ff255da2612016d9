import { expect, it } from "vitest";
import { EVENT, printed } from "./helpers/printed.js";

it("tells the end of stages whose total nobody knew, when another one begins and at the very end", () => {
  const { error } = printed({}, (output) => {
    for (const done of [1, 2, 9]) output.progress({ stage: "list", done, total: null, failed: 0 });
    for (const done of [1, 2]) {
      output.progress({ ...EVENT, done, total: 2 });
      output.progress({ stage: "media", done, total: null, estimate: 8, bytes: done * 1500, failed: done - 1 });
    }
    output.progress({ stage: "load", done: 0, total: 5, failed: 0 });
    output.progress({ stage: "load", done: 3, total: 5, failed: 0 });
  });
  expect(error.split("\n")).toEqual([
    "list: 1 so far",
    "list: 9 in total",
    "extract: 1 of 2",
    "media: 1 of about 8, 1.5 kB",
    "extract: 2 of 2",
    "media: 2 in total, 3.0 kB, 1 failed",
    "load: 0 of 5",
    "load: 3 of 5",
    "",
  ]);
});
