import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import type { Guide, GuideItem, Step, Wiki, WikiItem } from "../../../src/core/model/item.js";
import { DOCUMENT_READERS } from "../../../transforms/convert/convert-document.js";
import type { PageFormat, PageKind } from "../../../transforms/convert/formats.js";

const SAMPLE = new URL("../../../samples/texts/clean-the-reed.md", import.meta.url);

interface Read {
  readonly item: GuideItem | WikiItem;
  /** `loss image-text`. */
  readonly told: readonly string[];
}

function read(text: string, from: PageFormat = "markdown", as?: PageKind): Read {
  const { item, issues } = DOCUMENT_READERS[from](text, { from, to: "json", name: "page", as });
  return { item, told: issues.map(({ level, code }) => `${level} ${code}`) };
}

function guide(text: string, from: PageFormat = "markdown"): Guide & { readonly told: readonly string[] } {
  const { item, told } = read(text, from);
  if (item.kind !== "guide") throw new Error(`It is a ${item.kind}.`);
  return { ...item.body, told };
}

const said = ({ title, lines }: Step): string => [title, ...lines.map(said1)].join("\n");
const said1 = ({ text, bullet, level }: Step["lines"][number]): string =>
  `${"  ".repeat(level)}${bullet === "black" ? "" : `(${bullet}) `}${text}`;

describe("a page of Markdown from elsewhere", () => {
  it("becomes a guide: title, introduction, tools, steps, images, conclusion", () => {
    const { item, told } = read(readFileSync(SAMPLE, "utf8"));
    expect(item.body).toMatchObject({
      title: "Clean the reed",
      summary: "",
      introduction: "A rusty reed cuts the warp. Do this when the loom is '''empty'''.",
      conclusion: "Weave a hand's breadth of scrap yarn before the next warp.",
      tools: [
        { name: "Soft brush", quantity: 2, url: null },
        { name: "Camellia oil", quantity: 1, url: "https://shop.example/oil", notes: "a few drops" },
      ],
      steps: [
        { title: "Take the reed out", media: { type: "images" } },
        { title: "Brush and oil it", media: { type: "none" } },
      ],
    });
    expect((item.body as Guide).steps.map(said)).toEqual([
      "Take the reed out\nLift the top of the beater.\nPull the reed out ''upwards''.\n  It is heavier than it looks.\n(icon_caution) the ends are sharp.",
      "Brush and oil it\nBrush along the dents, never across.\nOne drop of oil on a cloth is enough.",
    ]);
    expect(item.media.map(({ url }) => url)).toEqual(["bundle:/media/reed.png", "bundle:/media/hands.png"]);
    expect([...told].sort()).toEqual(["loss image-text", "loss image-text", "note numbered-lines"]);
  });

  it("takes each heading as a step, with its number only where it is its own", () => {
    const { steps, told } = guide("# A\n\n## Step 1: One\n\n### Inner\n\n- x\n\n## Step 9: Nine\n\n## Step 4");
    expect(steps.map(said)).toEqual(["One", "Inner\nx", "Step 9: Nine", ""]);
    expect(told).toEqual(["note heading-level"]);
  });

  it("makes lines of paragraphs, quotations, code and tables in a step", () => {
    const text = "# A\n\n## B\n\nWords\nand more\n\n> said\n\n```\na\nb\n```\n\n| x | y |\n|---|---|\n| 1 | 2 |\n";
    expect(guide(text).steps.map(said)).toEqual(["B\nWords and more\nsaid\n``a``\n``b``\n'''x''' | '''y'''\n1 | 2"]);
  });

  it("takes images from wherever they stand in a step, three of them, and names the others in lines", () => {
    const { steps, told } = guide(
      "# A\n\n## B\n\n- one ![](1.png) here\n\n![](2.png) ![](3.png)\n\n![more](4.png)\n\n![web](https://e.org/5.png)\n",
    );
    expect(steps.map(said)).toEqual(["B\none  here\nmore (4.png)\n[https://e.org/5.png|web]"]);
    expect(steps[0]?.media).toMatchObject({ type: "images", images: [{}, {}, {}].map(() => expect.any(String)) });
    expect(told.filter((each) => each === "loss step-images")).toHaveLength(2);
  });

  it("tells what has no place: levels, links to paths, titles with markup, words for images", () => {
    const text =
      "# *A*\n\nSee [it](docs/a.pdf).\n\n## B\n\n- a\n  - b\n    - c\n      - d [x](b.txt)\n\n![Front view](a.png 'T')\n";
    const { steps, introduction, told } = guide(text);
    expect(introduction).toBe("See it (docs/a.pdf).");
    expect(steps.map(said)).toEqual(["B\na\n  b\n    c\n    d x (b.txt)"]);
    expect([...told].sort()).toEqual([
      ...["loss image-text", "loss image-title", "loss level-clamped", "loss link-address", "loss link-address"],
      "loss plain-words",
    ]);
  });

  it("keeps what fits in no list of tools, guides or documents, with its heading", () => {
    const { introduction, conclusion, tools, prerequisites, documents } = guide(
      "# A\n\n## Before you begin\n\n- Guide 5\n- Wash your hands\n\n## Required tools\n\nNone but these:\n\n- Comb\n\n## Documents\n\n- [a.pdf](a.pdf)\n- [b](https://e.org/b.pdf)\n\nAsk for others.\n",
    );
    expect(introduction).toBe(
      "== Before you begin ==\n\n* Guide 5\n* Wash your hands\n\n== Required tools ==\n\nNone but these:",
    );
    expect([tools.length, prerequisites, documents.length]).toEqual([1, [], 2]);
    expect(conclusion).toBe("== Documents ==\n\nAsk for others.");
  });

  it("leaves deeper headings in the introduction and conclusion", () => {
    const { introduction, conclusion, steps } = guide(
      "# A\n\n## Introduction\n\n### Why\n\nWords\n\n## B\n\n## Conclusion\n\n### Later\n\nMore\n\n## C\n",
    );
    expect([introduction, conclusion]).toEqual(["=== Why ===\n\nWords", "=== Later ===\n\nMore"]);
    expect(steps.map(said)).toEqual(["B", "C"]);
  });

  it("has its title from what stands before it, where it has no heading at the top", () => {
    expect(guide('---\ntitle: "Warp it"\ndate: 2020\n---\n\nWords\n\n## B\n')).toMatchObject({
      title: "Warp it",
      introduction: "Words",
      steps: [{ title: "B" }],
      told: ["loss front-matter"],
    });
    expect(guide("---\ntitle: A\n---\n\n# A\n\nWords").told).toEqual([]);
    expect(guide("---\n\n# A\n\n---\n").title).toBe("A");
  });

  it("becomes a category where somebody says so, all of it its contents", () => {
    const { item } = read("# Looms\n\n![](a.png)\n\n## Kinds\n\n- Table loom\n", "markdown", "category");
    expect([item.key, item.kind]).toEqual(["category/Looms", "category"]);
    expect(item.body).toMatchObject({ title: "Looms", image: expect.stringMatching(/^image\//) });
    expect((item.body as Wiki).contents).toBe("== Kinds ==\n\n* Table loom");
  });

  it("keeps a second namespace as information of the page, since only the first can be its own", () => {
    const { item } = read("# Looms\n\n- Namespace: CATEGORY\n- Namespace: WIKI\nwords\n");
    expect(item.body).toMatchObject({ namespace: "CATEGORY", info: [{ name: "Namespace", value: "WIKI words" }] });
  });

  it("without a heading, or without any text, is refused with a message", () => {
    expect(() => read("just words")).toThrow(/page has no heading, and the first heading is the title of the guide/);
    expect(() => read(" \n")).toThrow(/page is empty/);
    expect(() => read("just words", "markdown", "category")).toThrow(/no heading/);
    expect(() => read(`# A\n\n${"> ".repeat(40)}deep`)).toThrow(/The Markdown is nested too deep/);
  });
});

describe("a page of HTML from elsewhere", () => {
  it("becomes a guide, whatever stands around its parts", () => {
    const text = `<!DOCTYPE html><html><head><title>Site</title></head><body><header><h1>Fix <em>it</em></h1></header>
      <main><p>Words.</p><section><h2>Step 1: Begin</h2><ol><li class="red">One <img src="a/b.png" alt=""></li>
      <li><p>Two</p><ul><li>Below</ul></ol><iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe></section></main>`;
    const { title, introduction, steps } = guide(text, "html");
    expect([title, introduction]).toEqual(["Fix it", "Words."]);
    expect(steps.map(said)).toEqual(["Begin\n(red) One\nTwo\n  Below\nhttps://www.youtube.com/watch?v=abcdefghijk"]);
    expect(steps[0]?.media.type).toBe("images");
  });

  it("shows a film where a step has no images", () => {
    const { steps } = guide(
      '<h1>A</h1><h2>B</h2><iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>',
      "html",
    );
    expect(steps[0]?.media).toEqual({ type: "embed", url: "https://www.youtube.com/watch?v=abcdefghijk", title: null });
  });
});

describe("a page of wiki text from elsewhere", () => {
  it("becomes a guide, links to pictures that stand alone being pictures", () => {
    const { title, steps } = guide(
      "= A =\n\n== B ==\n[https://e.org/a.png]\n* one\n** [https://e.org/b.png|two]\n",
      "wiki",
    );
    expect([title, steps.map(said)]).toEqual(["A", ["B\none\n  [https://e.org/b.png|two]"]]);
    expect(steps[0]?.media.type).toBe("images");
  });
});

describe("a page of any text", () => {
  const piece = fc.constantFrom(
    ...[
      "# A\n",
      "## B\n\n",
      "- x\n",
      "  - y\n",
      "1. z\n",
      "![i](a.png)",
      "[l](b.md)",
      "\n\n",
      "**Note:** ",
      "> q\n",
      "---\n",
    ],
    ...[
      "<!-- introduction -->\n\n",
      "<!-- /introduction -->\n\n",
      "<!-- bullet=red -->",
      "<!-- level=9 -->",
      "\uE000red;1\uE001",
    ],
    ...[
      "<h2>C</h2>",
      "<li class=red>",
      "<ul>",
      "<div class=contents>",
      "<img src=c.png>",
      "== D ==\n",
      "* e\n",
      "[image|5]\n",
    ],
    ...["| a |\n|---|\n| b |\n", "```\ncode\n```\n", "- Time: 5 minutes\n", "- Namespace: CATEGORY\n", "words", " "],
  );
  const text = fc
    .array(piece, { maxLength: 12 })
    .map((pieces) => `# Title\n= Title =\n<h1>Title</h1>\n\n${pieces.join("")}`);

  it.each(["markdown", "html", "wiki"] as const)(
    "of %s is read without a failure, and no word of it is lost",
    (from) => {
      fc.assert(
        fc.property(text, (source) => {
          const { item } = read(source, from);
          if (source.includes("words")) expect(JSON.stringify({ ...item, raw: null })).toContain("words");
        }),
        { numRuns: 150 },
      );
    },
  );
});
