import { describe, expect, it } from "vitest";
import type { Guide, Item } from "../../../../src/core/model/item.js";
import { guideItem, mediaItem, step, wikiItem } from "../../../helpers/items.js";
import { pngOf } from "../../../helpers/png.js";
import { attribute, elementsOf, madePage, ofClass, wordsOf } from "./helpers/made-page.js";
import { sha256 } from "./helpers/memory-snapshot.js";

const PICTURE = pngOf(40, 30);
const MOVING = Buffer.concat([Buffer.from("\0\0\0\x18ftypisom", "latin1"), Buffer.alloc(40)]);
const SVG = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>harm()</script></svg>");

function medium(
  kind: "image" | "video" | "document",
  id: number,
  bytes: Buffer | null,
  fileName: string | null = null,
) {
  const content = bytes && { sha256: sha256(bytes), size: bytes.length, type: "image/jpeg" };
  return mediaItem(kind, id, { fileName, content, width: 40, height: 30 });
}

function pageOf(body: Partial<Guide>, others: readonly Item[] = [], contents: readonly Buffer[] = []) {
  return madePage(
    [{ items: [guideItem(1, body), wikiItem("CATEGORY", "Looms"), ...others], contents }],
    "guide/1.html",
  );
}

describe("the page of a guide", () => {
  it("tells what one has to know before one begins", async () => {
    const { words, status } = await pageOf({
      title: "Warp the loom",
      summary: "In an afternoon.",
      difficulty: "Moderate",
      timeRequired: { min: 3600, max: 7200 },
      author: { id: 4, name: "Mina", uniqueName: null },
      flags: ["GUIDE_IN_PROGRESS", "GUIDE_OF_ITS_OWN"],
      steps: [step(1), step(2)],
      modifiedDate: 1_700_000_000,
    });
    expect(status).toBe(200);
    for (const told of [
      "Warp the loom",
      "In an afternoon.",
      "Moderate",
      "1 – 2 hours",
      "Mina",
      "In progress",
      "Of its own",
      "Private",
      "14 November 2023",
    ])
      expect(words).toContain(told);
  });

  it("runs the way that its language is written", async () => {
    const page = await pageOf({ language: "he", introduction: "שלום", steps: [step(1, ["One"])] });
    const [title] = page.all("h1");
    expect(title && attribute(title, "dir")).toBe("rtl");
    expect(ofClass(page, "steps").map((each) => attribute(each, "dir"))).toEqual(["rtl"]);
    expect(ofClass(page, "prose").map((each) => attribute(each, "dir"))).toEqual(["auto"]);
    const [words] = ofClass(page, "line").flatMap((each) => elementsOf(each).slice(-2));
    expect(words && attribute(words, "dir")).toBe("auto");
    const english = await pageOf({ steps: [step(1)] });
    expect(english.all("h1").map((each) => attribute(each, "dir"))).toEqual([undefined]);
  });

  it("shows pictures with words for who cannot see them, and links them large", async () => {
    const images = { type: "images", images: ["image/1", "image/2"] } as const;
    const page = await pageOf(
      { steps: [step(1, ["x"], { media: images, title: "Warp" })] },
      [medium("image", 1, PICTURE), medium("image", 2, PICTURE)],
      [PICTURE],
    );
    const address = `../media/${sha256(PICTURE)}.png`;
    const pictures = page.all("img");
    expect(pictures.map((each) => attribute(each, "alt"))).toEqual([
      "Step 1: Warp (picture 1)",
      "Step 1: Warp (picture 2)",
    ]);
    expect(pictures.map((each) => attribute(each, "src"))).toEqual([address, address]);
    expect(ofClass(page, "zoom").map((each) => attribute(each, "href"))).toEqual([address, address]);
  });

  it("says of media without bytes that they are not there, and runs nothing that only says it is a picture", async () => {
    const media = [medium("image", 1, null), medium("image", 2, SVG, "plan.svg"), medium("image", 3, PICTURE)];
    const images = { type: "images", images: ["image/1", "image/2", "image/3", "image/4"] } as const;
    const page = await pageOf({ steps: [step(1, ["x"], { media: images })] }, media, [SVG]);
    expect(page.all("img")).toEqual([]);
    for (const id of [1, 3, 4]) expect(page.words).toContain(`Picture ${id} is not in this archive.`);
    const [file] = ofClass(page, "file");
    expect(file && attribute(file, "href")).toBe(`../media/${sha256(SVG)}.bin`);
    expect(file && attribute(file, "download")).toBe("plan.svg");
  });

  it("plays what is a film, and only leads to what another site has", async () => {
    const film = step(1, ["x"], { media: { type: "video", video: "video/5" } });
    const embed = step(2, ["x"], { media: { type: "embed", url: "https://films.example/1?a=b", title: "How" } });
    const page = await pageOf({ steps: [film, embed] }, [medium("video", 5, MOVING)], [MOVING]);
    const [video] = page.all("video");
    expect(video && attribute(video, "src")).toBe(`../media/${sha256(MOVING)}.mp4`);
    expect(video && attribute(video, "preload")).toBe("none");
    const [link] = ofClass(page, "embed");
    expect(link && attribute(link, "href")).toBe("https://films.example/1?a=b");
    expect(link && String(link.properties["rel"])).toContain("noreferrer");
    expect(page.all("iframe", "object", "embed")).toEqual([]);
  });

  it("makes no link of an embed that is no address of the web", async () => {
    const embed = step(2, ["x"], { media: { type: "embed", url: "javascript:harm()", title: "Run" } });
    const page = await pageOf({ steps: [embed] });
    expect(page.words).toContain("Run");
    expect(page.html).not.toContain("javascript:");
  });

  it("lists what one needs, with the columns that have something in them", async () => {
    const part = {
      name: "Heddle",
      type: "",
      quantity: 2,
      notes: "linen",
      url: "/Item/Heddle",
      optional: true,
      featured: null,
    };
    const tool = {
      name: "Key",
      type: "",
      quantity: 1,
      notes: "",
      url: "https://shop.example/key",
      optional: null,
      featured: null,
    };
    const page = await pageOf({ parts: [part], tools: [tool] }, [wikiItem("ITEM", "Heddle")]);
    expect(page.all("th").map(wordsOf).slice(0, 3)).toEqual(["Name", "Quantity", "Notes"]);
    expect(page.words).toContain("Heddle Optional 2 linen");
    expect(ofClass(page, "names").map((list) => wordsOf(list).trim())).toEqual(["Key"]);
    const links = page.all("a").map((link) => attribute(link, "href"));
    expect(links.filter((href) => href?.startsWith("../wiki/item/heddle-"))).toHaveLength(1);
    expect(links).toContain("https://shop.example/key");
  });

  it("shows notes as they are to be read, and says of what it leads to that it is not here", async () => {
    const part = {
      ...{ name: "Reed", type: "", quantity: 2, url: "/Item/Reed", optional: null, featured: null },
      notes: "See [https://shop.example/reed|the ''shop'']",
    };
    const page = await pageOf({ parts: [part] });
    expect(page.words).toContain("Reed (not in this archive) 2 See the shop");
    const [, shop] = ofClass(page, "outside");
    expect(shop && attribute(shop, "href")).toBe("https://shop.example/reed");
  });

  it("leads to the guides that come before it, in its own language, and names those that are not there", async () => {
    const german = { ...guideItem(2, { title: "Zettel", language: "de" }), key: "guide/2@de" as const };
    const page = await pageOf({ language: "de", prerequisites: ["guide/2", "guide/3"] }, [
      guideItem(2, { title: "Warp" }),
      german,
    ]);
    expect(page.words).toContain("Zettel");
    expect(page.words).not.toContain("Warp");
    expect(page.words).toContain("Guide 3 is a prerequisite. It is not in this archive.");
  });

  it("says so of a guide without steps, and makes one of two hundred", async () => {
    expect((await pageOf({})).words).toContain("This guide has no steps.");
    const many = await pageOf({ steps: Array.from({ length: 200 }, (_, at) => step(at + 1)) });
    expect(ofClass(many, "step")).toHaveLength(200);
    expect(many.words).toContain("Line of step 200");
  });

  it("folds what people said, with their answers", async () => {
    const remark = { id: 1, author: null, date: 1_700_000_000, text: "It **creaks**.", status: "resolved", replies: 1 };
    const comments = [{ ...remark, answers: [{ ...remark, id: 2, text: "Oil it." }] }];
    const page = await pageOf({ comments });
    const [folded] = page.all("details").filter((each) => String(each.properties["className"]) === "remarks");
    expect(folded && attribute(folded, "open")).toBeUndefined();
    expect(folded && wordsOf(folded)).toMatch(/1 comment.*creaks.*resolved|1 comment.*resolved.*creaks/s);
    expect(folded && elementsOf(folded).filter(({ tagName }) => tagName === "article")).toHaveLength(2);
  });

  it("says why it cannot be read where it is damaged", async () => {
    const page = await madePage([{ items: [guideItem(1, { title: "Warp" })], damaged: ["guide/1"] }], "guide/1.html");
    expect(page.status).toBe(200);
    expect(page.words).toContain("This item cannot be read: guide/1 is damaged");
  });

  it("names its language, and the others that it is written in", async () => {
    const german = { ...guideItem(1, { title: "Zettel", language: "de" }), key: "guide/1@de" as const };
    const page = await madePage([{ items: [guideItem(1, { language: "en" }), german] }], "guide/1-de.html");
    const [title] = page.all("h1");
    expect(title && attribute(title, "lang")).toBe("de");
    expect(page.words).toContain("English Deutsch".split(" ").reverse().join(" "));
  });
});
