import { expect, it } from "vitest";
import { references } from "../../../transforms/references/references.js";
import type { Resolution } from "../../../transforms/references/rewrite-options.js";
import { longestRewrite, rewriteToFit } from "../../../transforms/references/rewrite-references.js";
import { optionsFor } from "./sites.js";

const LATER: Resolution = { later: true };
const found = (text: string) => references(text, waiting.source, "page");
const waiting = optionsFor({}, { resolve: () => LATER });

it("gives the longest text that ids of so many digits can make", () => {
  const digits = (kind: string) => (kind === "step" ? 8 : 6);
  const text =
    "[guide|1|a|stepid=2] [image|3] [[Item:Shuttle]] [[Topic:Looms]] https://old.example/Document/ab12/x.pdf";
  expect(longestRewrite(text, found(text), waiting, digits)).toBe(
    "[guide|999999|a|stepid=99999999] [image|999999] [[Item:Shuttle]] [[Topic:Looms]] https://new.example/Document/ab12/x.pdf",
  );
});

it("counts what is known, and what never moves, as it will stand", () => {
  const options = optionsFor({ "guide/1": { id: "55" }, "guide/2": LATER });
  const text = "[guide|1] [guide|2] [guide|3|c]";
  expect(longestRewrite(text, found(text), options, () => 4)).toBe(
    "[guide|55] [guide|9999] [https://old.example/Guide/-/3|c]",
  );
});

it("takes the absolute link while it fits, and the label where it does not", () => {
  const text = "See [guide|12|the loom].";
  const linked = rewriteToFit(text, found(text), waiting, (result) => result.length <= 60);
  expect(linked).toEqual({
    text: "See [https://old.example/Guide/-/12|the loom].",
    missing: ["guide/12"],
    dangling: [],
  });
  const labelled = rewriteToFit(text, found(text), waiting, (result) => result.length <= 30);
  expect(labelled).toEqual({ text: "See the loom.", missing: ["guide/12"], dangling: [] });
});
