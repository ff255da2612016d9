import { describe, expect, it } from "vitest";
import type { Guide, Item, Step } from "../../../../src/core/model/item.js";
import { pagePathOf } from "../../../../src/web/reader/page-path.js";
import { guideItem, line, mediaItem, step, wikiItem } from "../../../helpers/items.js";
import { pngOf } from "../../../helpers/png.js";
import { attribute, elementsOf, type MadePage, madePage, ofClass, wordsOf } from "./helpers/made-page.js";
import { sha256 } from "./helpers/memory-snapshot.js";

const PICTURES = [pngOf(40, 30, 10), pngOf(40, 30, 100), pngOf(40, 30, 200)];

/** The comparison of a guide with itself at an earlier time. */
async function compared(before: Partial<Guide>, after: Partial<Guide>): Promise<MadePage> {
  const time = (body: Partial<Guide>) => ({ items: [guideItem(1, body), ...pictures()], contents: PICTURES });
  return madePage([time(after), time(before)], "changes/old1/guide/1.html");
}

function pictures(): readonly Item[] {
  return PICTURES.map((bytes, at) =>
    mediaItem("image", at + 1, { content: { sha256: sha256(bytes), size: bytes.length, type: null } }),
  );
}

function sides(page: MadePage): readonly (readonly string[])[] {
  const words = (name: string) => ofClass(page, name).map((side) => plain(wordsOf(side)));
  return [words("old"), words("new")];
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
const headings = (page: MadePage): readonly string[] => page.all("h2").map((each) => plain(wordsOf(each)));
const [ONE, TWO, THREE]: readonly [Step, Step, Step] = [
  step(5, ["Wind it."], { title: "Wind" }),
  step(6, ["Warp it."], { title: "Warp" }),
  step(7, ["Cut it."], { title: "Cut" }),
];

describe("an item at two times, as people read it", () => {
  it("shows texts without their marks, and folded as they were typed", async () => {
    const page = await compared(
      { introduction: "== Oil ==\n\nTake '''long''' yarn.\n\n* one" },
      { introduction: "== Oil ==\n\nTake '''short''' yarn.\n\n* one\n* two" },
    );
    expect(page.all("strong").map((each) => plain(wordsOf(each)))).toEqual(
      expect.arrayContaining(["[removed: long ]", "[added: short ]"]),
    );
    const [prose = []] = [ofClass(page, "prose").map((each) => plain(wordsOf(each)))];
    expect(prose).toEqual(["Oil Take [removed: long ] yarn. one", "Oil Take [added: short ] yarn. one [added: two ]"]);
    const typed = ofClass(page, "typed").map((each) => plain(wordsOf(each)));
    expect(typed).toEqual([expect.stringContaining("Take ''' [removed: long ] ''' yarn.")]);
    const ids = page.all("h3").map((each) => attribute(each, "id"));
    expect(ids).toEqual(["old-introduction-Section_Oil", "new-introduction-Section_Oil"]);
  });

  it("says that a text reads as before where only the typing differs", async () => {
    const page = await compared({ conclusion: "Done.\n\n\n\nNow rest." }, { conclusion: "Done.\n\nNow rest. " });
    expect(page.words).toContain("The rendered text is unchanged.");
  });

  it("shows a step as a whole, with the bullet and the indentation that a line had", async () => {
    const page = await compared(
      { steps: [step(5, [line({ text: "Wind", bullet: "light_blue" }), line({ text: "Cut", level: 0 })])] },
      { steps: [step(5, [line({ text: "Wind", bullet: "icon_caution" }), line({ text: "Cut", level: 1 })])] },
    );
    expect(headings(page)).toEqual(["Step 1"]);
    expect(sides(page)).toEqual([
      ["Old: L Light blue: Wind [removed: bullet: light blue ] Cut [removed: indentation level 0 ]"],
      ["New: Caution: Wind [added: bullet: caution ] Cut [added: indentation level 1 ]"],
    ]);
  });

  it("shows which pictures went and came, by their bytes, and not their numbers", async () => {
    const images = (...ids: readonly number[]) => ({
      media: { type: "images" as const, images: ids.map((id) => `image/${id}` as const) },
    });
    const page = await compared({ steps: [step(5, ["x"], images(1, 2))] }, { steps: [step(5, ["x"], images(1, 3))] });
    const marked = ofClass(page, "gallery")
      .flatMap(elementsOf)
      .filter(({ tagName }) => tagName === "li");
    expect(
      marked.map((each) => [attribute(each, "class") ?? attribute(each, "className"), plain(wordsOf(each))]),
    ).toEqual([
      [undefined, "image 1"],
      ["went", "image 2 Removed"],
      [undefined, "image 1"],
      ["came", "image 3 New"],
    ]);
  });

  it("tells steps that moved, came and went apart, in the order of now", async () => {
    const page = await compared(
      { steps: [ONE, TWO, THREE] },
      { steps: [TWO, { ...ONE, title: "Wind up" }, step(8, ["New."])] },
    );
    expect(headings(page)).toEqual(["Order of the steps", "Step 2 was step 1", "Step 3 Removed", "Step 3 New"]);
    expect(ofClass(page, "moved").map((each) => plain(wordsOf(each)))).toHaveLength(2);
    expect(page.words).toContain("moved, was step");
  });

  it("marks tags, flags and parts that are at one side only", async () => {
    const part = { type: "", notes: "", url: null, optional: null, featured: null };
    const page = await compared(
      { tags: ["wool", "loom"], flags: ["GUIDE_NEW"], parts: [{ ...part, name: "Peg", quantity: 1 }] },
      { tags: ["loom", "silk"], flags: [], parts: [{ ...part, name: "Peg", quantity: 3 }] },
    );
    expect(Object.fromEntries(headings(page).map((name, at) => [name, sides(page).map((side) => side[at])]))).toEqual({
      Flags: ["Old: [removed: New ]", "New: none"],
      Parts: ["Old: Peg", "New: [added: 3 × ] Peg"],
      Tags: ["Old: [removed: wool ] loom", "New: loom [added: silk ]"],
    });
  });

  it("compares a page by what it shows, and links and pictures lead to their own times", async () => {
    const uses = [{ key: "image/1" as const, url: null, guid: null, fileName: null, path: "" }];
    const page = await madePage(
      [
        { items: [wiki("See [guide|2].\n\n[image|1]\n\nNow."), guideItem(2), ...pictures()], contents: PICTURES },
        { items: [wiki("See [guide|2].\n\n[image|1]\n\nThen."), guideItem(2), ...pictures()], contents: PICTURES },
      ],
      `changes/old1/${PAGE}`,
    );
    const marks = ofClass(page, "prose")
      .flatMap(elementsOf)
      .filter(({ tagName }) => tagName === "del" || tagName === "ins");
    expect(marks.map((each) => plain(wordsOf(each)))).toEqual(["[removed: Then ]", "[added: Now ]"]);
    expect(
      ofClass(page, "prose").flatMap((each) => elementsOf(each).flatMap((one) => attribute(one, "href") ?? [])),
    ).toEqual([
      `../../../../../old1/guide/2.html`,
      `../../../../../old1/media/${sha256(PICTURES[0] ?? Buffer.alloc(0))}.png`,
      `../../../../../now/guide/2.html`,
      `../../../../../now/media/${sha256(PICTURES[0] ?? Buffer.alloc(0))}.png`,
    ]);
    function wiki(contents: string): Item {
      return { ...wikiItem("WIKI", "Care", { contents }), media: uses };
    }
  });
});

const PAGE = pagePathOf("wiki/WIKI/Care");
