import { describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import { pagePathOf, tagPath } from "../../../../src/web/reader/page-path.js";
import { guideItem, wikiItem } from "../../../helpers/items.js";
import { attribute, madePage, ofClass, wordsOf } from "./helpers/made-page.js";

function hrefsOf(page: Awaited<ReturnType<typeof madePage>>): readonly (string | undefined)[] {
  return page.all("a").map((link) => attribute(link, "href"));
}

function wordsIn(page: Awaited<ReturnType<typeof madePage>>, name: string): readonly string[] {
  return ofClass(page, name).map((each) => wordsOf(each).replace(/\s+/g, " ").trim());
}

const SITE: readonly Item[] = [
  wikiItem("CATEGORY", "Looms"),
  wikiItem("CATEGORY", "Hand Looms", { parent: "Looms", description: "By hand." }),
  guideItem(1, { title: "Warp", category: "Hand Looms", modifiedDate: 300, tags: ["wool"], summary: "In short." }),
  guideItem(2, { title: "Weave", category: "Looms", modifiedDate: 500, tags: ["wool"] }),
  guideItem(3, { title: "Alone", category: "", modifiedDate: 400 }),
  wikiItem("INFO", "Rules"),
];

describe("the first page", () => {
  it("counts, and lists what changed last, the latest first", async () => {
    const page = await madePage([{ items: SITE }], "index.html");
    expect(page.words).toContain("3 guides, 2 categories, 1 page");
    const latest = wordsIn(page, "card-title");
    expect(latest.slice(-3)).toEqual(["Weave", "Alone", "Warp"]);
    expect(page.words).toContain("1 guide without a category");
    expect(hrefsOf(page)).toContain("guides.html");
  });

  it("has the whole tree, with the guides below each category", async () => {
    const page = await madePage([{ items: SITE }], "index.html");
    const [tree] = ofClass(page, "tree");
    expect(tree && wordsOf(tree).replace(/\s+/g, " ").trim()).toBe(
      "Looms 2 guides Categories in Looms Hand Looms 1 guide",
    );
  });

  it("says that something of it cannot be read", async () => {
    const page = await madePage([{ items: SITE, damaged: ["guide/1"] }], "index.html");
    expect(page.words).toContain("1 item cannot be read and may be missing from lists.");
    expect(hrefsOf(page)).toContain("about.html#damage");
    expect((await madePage([{ items: SITE }], "index.html")).words).not.toContain("cannot be read");
  });

  it("ends where categories go round in a circle", async () => {
    const items = [
      wikiItem("CATEGORY", "Top"),
      wikiItem("CATEGORY", "A", { parent: "B" }),
      wikiItem("CATEGORY", "B", { parent: "A" }),
      wikiItem("CATEGORY", "C", { parent: "C" }),
      guideItem(1, { title: "Lost", category: "A" }),
    ];
    expect((await madePage([{ items }], "index.html")).words).toContain("Lost");
    const page = await madePage([{ items }], pagePathOf("category/B"));
    expect(wordsIn(page, "crumbs")).toEqual(["Home A"]);
  });

  it("is made of an empty site too", async () => {
    const page = await madePage([{ items: [] }], "index.html");
    expect(page.status).toBe(200);
    expect(page.words).toContain("There are no categories.");
  });

  it("shows many guides as cards, sixty on a page, each once and in one order", async () => {
    const items = Array.from({ length: 150 }, (_, at) => guideItem(at + 1, { category: "", title: `Guide ${at + 1}` }));
    const pages = await Promise.all(
      ["guides.html", "guides-guides-2.html", "guides-guides-3.html"].map((path) => madePage([{ items }], path)),
    );
    expect(pages.map((page) => ofClass(page, "card").length)).toEqual([60, 60, 30]);
    const titles = pages.flatMap((page) => wordsIn(page, "card-title"));
    expect(titles).toEqual(items.map(({ body }) => body.title));
    expect(pages.flatMap(hrefsOf)).toContain("guides-guides-3.html#guides");
    for (const path of ["guides-guides-1.html", "guides-guides-4.html", "guides-tags-2.html", "index-guides-2.html"])
      expect((await madePage([{ items }], path)).status, path).toBe(404);
  });
});

describe("the page of a category", () => {
  it("shows facts as they are to be read", async () => {
    const info = [{ name: "Maker", value: "See [https://maker.example/|the maker]" }];
    const page = await madePage([{ items: [wikiItem("CATEGORY", "Looms", { info })] }], pagePathOf("category/Looms"));
    expect(page.words).toContain("Maker See the maker");
    expect(hrefsOf(page)).toContain("https://maker.example/");
  });

  it("has the way to it, what lies below it, and its guides", async () => {
    const page = await madePage([{ items: SITE }], pagePathOf("category/Looms"));
    expect(wordsIn(page, "card-title")).toEqual(["Hand Looms", "Weave"]);
    const below = await madePage([{ items: SITE }], pagePathOf("category/Hand Looms"));
    expect(wordsIn(below, "crumbs")).toEqual(["Home Looms"]);
    expect(below.words).toContain("By hand.");
    expect(below.words).toContain("In short.");
  });
});

describe("lists", () => {
  it("lead from tags to what has them", async () => {
    const tags = await madePage([{ items: SITE }], "tags.html");
    expect(hrefsOf(tags)).toContain(tagPath("wool"));
    const tag = await madePage([{ items: SITE }], tagPath("wool"));
    expect(wordsIn(tag, "card-title")).toEqual(["Warp", "Weave"]);
    expect((await madePage([{ items: SITE }], tagPath("silk"))).status).toBe(404);
  });

  it("have the pages that are no categories, by namespace", async () => {
    const page = await madePage([{ items: SITE }], "pages.html");
    expect(page.all("h2").map((each) => wordsOf(each).trim())).toEqual([expect.stringMatching(/^Information\s+1$/)]);
    expect(wordsIn(page, "card-title")).toEqual(["Rules"]);
  });

  it("name what is damaged", async () => {
    const page = await madePage([{ items: SITE, damaged: ["guide/1"] }], "about.html");
    expect(page.words).toContain("1 item cannot be read");
    expect(page.words).toContain("guide/1");
  });

  it("know the other times of a server, and none in files", async () => {
    const times = [{ items: SITE }, { items: [] }] as const;
    expect(hrefsOf(await madePage(times, "index.html"))).toEqual(
      expect.arrayContaining(["../old1/index.html", "changes/old1.html"]),
    );
    const files = await madePage(times, "index.html", "files");
    expect(files.html).not.toContain("old1");
    const about = "about.html";
    expect((await madePage(times, about)).words).toContain("/somewhere/archive");
    expect((await madePage(times, about, "files")).html).not.toContain("/somewhere/archive");
  });
});
