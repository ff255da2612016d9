import { describe, expect, it } from "vitest";
import { guideItem, mediaItem, wikiItem } from "../../helpers/items.js";
import { runTransform, specOf } from "./run-transform.js";

describe("rename-type", () => {
  it("gives guides of one type another one, and says so", () => {
    const { items, issues } = runTransform(
      "rename-type",
      { from: "repair", to: "how-to" },
      guideItem(1, { type: "repair" }),
    );
    expect(items).toMatchObject([{ key: "guide/1", body: { type: "how-to" } }]);
    expect(issues).toMatchObject([
      { code: "type-renamed", level: "note", path: "type", message: expect.stringMatching(/how-to.*repair/) },
    ]);
  });

  it("takes each type as it is at the source: what one becomes is not renamed again", () => {
    const types = { repair: "how-to", "how-to": "technique" };
    const typed = (type: string) => runTransform("rename-type", { types }, guideItem(1, { type })).items;
    expect(typed("repair")).toMatchObject([{ body: { type: "how-to" } }]);
    expect(typed("how-to")).toMatchObject([{ body: { type: "technique" } }]);
  });

  it("leaves everything else the very same", () => {
    for (const item of [guideItem(1, { type: "teardown" }), wikiItem("WIKI", "repair"), mediaItem("image", 1)])
      expect(runTransform("rename-type", { types: { repair: "how-to", teardown: "teardown" } }, item).items[0]).toBe(
        item,
      );
  });

  it.each([[{}], [{ from: "repair" }], [{ types: { repair: " " } }], [{ from: "a", to: "b", more: "c" }]])(
    "refuses the options %j",
    (options) => expect(specOf("rename-type").options.safeParse(options).success).toBe(false),
  );
});
