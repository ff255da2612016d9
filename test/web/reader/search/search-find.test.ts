import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import type { GuideItem, Item } from "../../../../src/core/model/item.js";
import { termsOf } from "../../../../transforms/search.js";
import { hostileItems } from "../../../helpers/hostile-items.js";
import { guideItem, mediaItem, step, wikiItem } from "../../../helpers/items.js";
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
    const near = (await finder.lists("heddel")).at(-1);
    expect(near).toMatchObject({ isDone: true, count: 1 });
    expect(near?.near?.has("heddle")).toBe(true);
    expect(await finder.titles("heddel")).toEqual(["Mend a heddle"]);
    expect(await finder.titles("shutle")).toEqual(["How to warp"]);
    expect((await finder.lists("heddle")).at(-1)?.near).toBeUndefined();
    expect(await finder.titles("xyzzyx")).toEqual([]);
  });

  it("gives a search up when a newer one begins", async () => {
    const finder = await browser.over(await indexOf(many(4100)));
    const older = finder.lists("loom");
    const newer = await finder.lists("guide 7");
    expect((await older).filter(({ isDone }) => isDone)).toEqual([]);
    expect(newer.at(-1)?.isDone).toBe(true);
  });

  it("counts what it doesn't show", async () => {
    const files = await indexOf(many(16_100));
    expect([...files.keys()].filter((name) => name.endsWith("-titles.js"))).toEqual(["0-titles.js", "1-titles.js"]);
    const finder = await browser.over(files);
    const last = (await finder.lists("loom")).at(-1);
    expect(last?.count).toBe(16_100);
    expect(last?.hits).toHaveLength(30);
    expect(await finder.titles("16099")).toEqual(["Guide 16099"]);
  });

  it("loads of the terms only those parts that a word may stand in, and each once", async () => {
    const files = await indexOf(various(1500));
    const parts = [...files].filter(([name]) => name.includes("-words-"));
    expect(parts.length).toBeGreaterThan(8);
    for (const [, script] of parts) expect(script.length).toBeLessThan(120_000);
    const finder = await browser.over(files);
    const words = (): readonly string[] => finder.loaded.filter((name) => name.includes("-words-"));
    expect(await finder.titles("w1499x")).toEqual(["Guide 1499"]);
    expect(words().length).toBeLessThanOrEqual(2);
    const [{ hits = [] } = {}] = (await finder.lists("w77")).slice(-1);
    // 77, and those from 770 to 779.
    expect(hits).toHaveLength(11);
    const most = words().length;
    expect(most).toBeLessThanOrEqual(4);
    await finder.lists("w77");
    expect(words()).toHaveLength(most);
    expect((await finder.lists("w")).at(-1)?.count).toBe(0);
    expect((await finder.lists("guide w1")).at(-1)?.count).toBe(1500);
    // All of them begin so: there are many parts.
    expect((await finder.lists("guide w1 ")).at(-1)?.count).toBe(0);
  });

  it("finds just the items that have all words, whatever they hold", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(TEXTS, { minLength: 1, maxLength: 12 }), TEXT, async (texts, typed) => {
        const items = texts.map(({ title, text, tag }, id) =>
          guideItem(id, { title, introduction: text, tags: [tag], category: "" }),
        );
        const finder = await browser.over(await indexOf(items));
        const words = browser.terms.typed(`${typed} `).slice(0, 12);
        const last = (await finder.lists(`${typed} `)).at(-1);
        const hits = last?.near === undefined ? (last?.hits ?? []) : [];
        const expected = items.filter((item) => words.length > 0 && words.every((word) => isIn(item, word)));
        expect(hits.map(({ item }) => item).toSorted((one, other) => one - other)).toEqual(
          expected.map(({ body }) => body.id),
        );
      }),
    );
  });

  it("finds what people wrote below a guide, a step and a page, behind all else", async () => {
    const items = [
      guideItem(1, {
        comments: [{ ...REMARK, text: "A heron!", answers: [{ ...REMARK, text: "No, an ''egret''." }] }],
      }),
      guideItem(2, { steps: [step(1, ["x"], { comments: [{ ...REMARK, text: "heron heron heron" }] })] }),
      wikiItem("WIKI", "Birds", { comments: [{ ...REMARK, text: "heron" }] }),
      guideItem(3, { introduction: "One heron among so many other words that it hardly counts." }),
    ];
    const finder = await browser.over(await indexOf(items));
    const found = await finder.titles("heron");
    expect(found[0]).toBe("Guide 3");
    expect(found.slice(1).toSorted()).toEqual(["Birds", "Guide 1", "Guide 2"]);
    expect(await finder.titles("egret")).toEqual(["Guide 1"]);
    expect(await finder.titles("weaver ann")).toHaveLength(3);
  });

  it("leads to a file's row on the page of files", async () => {
    const finder = await browser.over(await indexOf(ITEMS));
    const hits = (await finder.lists("warp-plan")).at(-1)?.hits ?? [];
    expect(hits.map(({ entry }) => entry[3])).toEqual(["documents.html#document-9"]);
  });

  it("ends a search whose files are gone, and finds again when they are back", async () => {
    const files = new Map(await indexOf(ITEMS));
    const finder = await browser.over(files);
    const words = files.get("0-words-0.js") ?? "";
    files.delete("0-words-0.js");
    expect((await finder.lists("warp")).at(-1)).toMatchObject({ count: 0, isDone: true });
    files.set("0-words-0.js", words);
    await finder.update();
    expect(await finder.titles("warp")).toHaveLength(4);
  });

  it("begins anew where a server was started again and has other segments", async () => {
    let files = await indexOf(ITEMS);
    const finder = await browser.over(async (name, version) => {
      const { json } = browser.receive(files.get("index.js") ?? "");
      return name === "index.js" || json.includes(`"${version}"`) ? files.get(name) : undefined;
    });
    files = await indexOf([guideItem(1, { title: "Warp the other way" })]);
    expect((await finder.lists("warp")).at(-1)?.count).toBe(0);
    await finder.update();
    expect(await finder.titles("warp")).toEqual(["Warp the other way"]);
  });

  it("keeps hostile texts as they are, in files of ASCII alone", async () => {
    const files = await indexOf(hostileItems());
    for (const [name, script] of files) {
      expect(script).toMatch(/^[\x20-\x7E]*\n$/);
      const received = browser.receive(script);
      expect(`${received.name}.js`).toBe(name);
      expect(() => JSON.parse(received.json)).not.toThrow();
    }
    const texts = files.get("0-text-0.js") ?? "";
    expect(JSON.parse(browser.receive(texts).json)[0]).toContain("<script>harm()</script>");
  });
});

const REMARK = {
  id: 1,
  author: { id: 7, name: "Ann Weaver", uniqueName: null },
  date: 1_700_000_000,
  text: "",
  status: "open",
  replies: 0,
} as const;

const WORD = fc.constantFrom(
  ...["warp", "warps", "weft", "we", "w", "a", "3", "30 mm", "Käse", "kasten", "𐐀x"],
  ...["织布机", "布", "ガーゼ", "か\u3099", "한국", "하"],
);
const TEXT = fc.array(WORD, { maxLength: 3 }).map((words) => words.join(" "));
const TEXTS = fc.record({ title: TEXT, text: TEXT, tag: TEXT });

/**
 * By the rule itself: a term begins like the word; one letter or two count so in titles and tags,
 * and in texts as a whole word.
 */
function isIn({ body: { title, introduction, tags } }: GuideItem, word: string): boolean {
  const titled = termsOf(`${title} ${tags.join(" ")}`);
  const all = [...titled, ...termsOf(introduction)];
  const isShort = word.length < 3 && !/^[织布机ガーゼが]/.test(word);
  return (isShort ? titled : all).some((term) => term.startsWith(word)) || all.includes(word);
}

/** Guides whose words fill several parts. */
function various(count: number): readonly Item[] {
  const words = (id: number): readonly string[] =>
    Array.from({ length: 40 }, (_, at) => `w${id}${"xyzvu".charAt(at % 5)}${at > 4 ? at : ""}`);
  return Array.from({ length: count }, (_, id) => guideItem(id, { summary: words(id).join(" ") }));
}

function many(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, id) => guideItem(id, { title: `Guide ${id}`, summary: "A loom" }));
}
