import { describe, expect, it } from "vitest";
import type { Item } from "../../../src/model/item.js";
import { hostileItems } from "../../helpers/hostile-items.js";
import { guideItem, mediaItem, step, wikiItem } from "../../helpers/items.js";
import { browserSearch, indexOf } from "./helpers/browser-search.js";

const ITEMS: readonly Item[] = [
  wikiItem("CATEGORY", "Looms", { description: "Machines that hold the warp." }),
  wikiItem("WIKI", "Yarn", {
    contents: "'''Wool''' and [https://example.org|linen], see [guide|1].\n\n* cotton\n** merino",
  }),
  wikiItem("INFO", "Table", { contents: "", html: "<table><tr><td>Worsted<td>200</table><script>hidden()</script>" }),
  guideItem(1, {
    title: "How to warp",
    tags: ["beginners"],
    steps: [step(1, ["Use a ''shuttle''"], { title: "Throw" })],
  }),
  guideItem(2, {
    title: "Mend a heddle",
    category: "Floor looms",
    introduction: "The warp is cut.",
    summary: "Crème brûlée",
  }),
  guideItem(3, { title: "织布机维修", introduction: "手工织布机" }),
  guideItem(4, {
    title: "Wind",
    tools: [{ name: "Niddy noddy", type: "", quantity: 1, notes: "of oak", url: null, optional: null, featured: null }],
  }),
  mediaItem("document", 9, { fileName: "warp-plan.pdf" }),
  mediaItem("image", 5, { fileName: "warp.png" }),
];

describe("search", () => {
  const browser = browserSearch();

  it.each([
    ["warp", ["How to warp", "warp-plan.pdf", "Looms", "Mend a heddle"]],
    ["heddle warp", ["Mend a heddle"]],
    ["floor mend", ["Mend a heddle"]],
    ["beginn", ["How to warp"]],
    ["shut", ["How to warp"]],
    ["creme brulee", ["Mend a heddle"]],
    ["throw", ["How to warp"]],
    ["merino", ["Yarn"]],
    ["linen", ["Yarn"]],
    ["worsted", ["Table"]],
    ["hidden", []],
    ["noddy oak", ["Wind"]],
    ["织布", ["织布机维修"]],
    ["布机", ["织布机维修"]],
    ["warp q", ["How to warp", "warp-plan.pdf", "Looms", "Mend a heddle"]],
    ["warp q ", []],
  ])("finds %s", async (typed, expected) => {
    const finder = await browser.over(await indexOf(ITEMS));
    const found = await finder.titles(typed);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(found[0]).toBe(expected[0]);
  });

  it("shows titles before texts", async () => {
    const finder = await browser.over(await indexOf(ITEMS));
    const hits = (await finder.lists("warp")).at(-1)?.hits ?? [];
    expect(hits.map(({ tier }) => tier)).toEqual([0, 0, 2, 2]);
  });

  it("looks for words like those that nothing has, and says so", async () => {
    const finder = await browser.over(await indexOf(ITEMS));
    expect((await finder.lists("heddel")).at(-1)).toMatchObject({ isNear: true, isDone: true, count: 1 });
    expect(await finder.titles("heddel")).toEqual(["Mend a heddle"]);
    expect(await finder.titles("shutle")).toEqual(["How to warp"]);
    expect((await finder.lists("heddle")).at(-1)).toMatchObject({ isNear: false });
    expect(await finder.titles("xyzzyx")).toEqual([]);
  });

  it("gives a search up when a newer one begins", async () => {
    const finder = await browser.over(await indexOf(many(4100)));
    const older = finder.lists("loom");
    const newer = await finder.lists("guide 7");
    expect((await older).filter(({ isDone }) => isDone)).toEqual([]);
    expect(newer.at(-1)?.isDone).toBe(true);
  });

  it("searches all shards, and counts what it doesn't show", async () => {
    const files = await indexOf(many(4100));
    expect([...files.keys()].filter((name) => name.endsWith("-words.js"))).toEqual([
      "0-words.js",
      "1-words.js",
      "2-words.js",
    ]);
    const finder = await browser.over(files);
    const last = (await finder.lists("loom")).at(-1);
    expect(last?.count).toBe(4100);
    expect(last?.hits).toHaveLength(30);
    expect(await finder.titles("4099")).toEqual(["Guide 4099"]);
  });

  it("keeps hostile texts as they are, in files of ASCII alone", async () => {
    const files = await indexOf(hostileItems());
    for (const [name, script] of files) {
      expect(script).toMatch(/^[\x20-\x7E]*\n$/);
      const received = browser.receive(script);
      expect(`${received.name}.js`).toBe(name);
      expect(JSON.parse(received.json)).toBeTypeOf("object");
    }
    const texts = files.get("0-text-0.js") ?? "";
    expect(JSON.parse(browser.receive(texts).json)[0]).toContain("<script>harm()</script>");
  });
});

function many(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, id) => guideItem(id, { title: `Guide ${id}`, summary: "A loom" }));
}
