import { describe, expect, it } from "vitest";
import type { ManualGuide, ManualMedia } from "../../../../transforms/omanual/manual.js";
import { readManual } from "../../../../transforms/omanual/read-manual.js";
import type { Finding } from "../../../../transforms/omanual/write/print-element.js";
import { writeManual } from "../../../../transforms/omanual/write/write-manual.js";

/** A guide as it is read from a document that says next to nothing, and more. */
function manual(more: Partial<ManualGuide> = {}): ManualGuide {
  const result = readManual('<guide locale="en"><title>Loom</title></guide>', { file: "guide.xml" });
  if (!result.ok || result.manual.kind !== "guide") throw new Error("It is no guide.");
  return { ...result.manual, createdDate: "2026-01-02T03:04:05Z", ...more };
}

function written(more: Partial<ManualGuide>): { readonly xml: string; readonly found: readonly Finding[] } {
  const found: Finding[] = [];
  return { xml: writeManual(manual(more), (finding) => void found.push(finding)), found };
}

function stepOf(media: ManualMedia | null, lines = 0): ManualGuide["steps"][number] {
  const line = { bullet: "black", level: 0, text: { html: "x", raw: null } };
  return { id: null, guideId: null, number: 0, title: "", lines: Array.from({ length: lines }, () => line), media };
}

const IMAGE = { path: "media/a.jpg", sizes: { mini: "m", large: "l" }, order: null, id: "5", guid: null };

describe("a written guide", () => {
  it("has every element in the order of the schema, also those that may be missing", () => {
    const { xml } = written({});
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<guide xmlns="http://omanual.com/" locale="en">
  <title>Loom</title>
  <summary/>
  <image/>
  <author/>
  <time_required/>
  <difficulty/>
  <category/>
  <introduction/>
  <tools/>
  <parts/>
  <flags/>
  <documents/>
  <prerequisites/>
  <steps/>
  <conclusion/>
  <modified_date>2026-01-02T03:04:05Z</modified_date>
  <created_date>2026-01-02T03:04:05Z</created_date>
</guide>
`);
  });

  it("escapes what XML would read as something else, so that every text reads back", () => {
    const text = `a & b < c > d ]]> "e" 'f' \u{1F9F5}`;
    const name = `${text}\n\t\r end`;
    const part = {
      name,
      quantity: "1",
      sku: null,
      thumbnail: null,
      notes: null,
      type: null,
      url: null,
      externalSources: [],
    };
    const { xml, found } = written({ title: text, subject: name, tools: [part] });
    const result = readManual(xml, { file: "guide.xml", undouble: false });
    expect(result).toMatchObject({ ok: true, manual: { title: text, subject: name, tools: [{ name }] } });
    expect(found.filter(({ path }) => path !== "modifiedDate")).toEqual([]);
  });

  it("has no blanks around words, which readers would take away", () => {
    const { xml } = written({
      title: " Loom\n",
      image: { ...IMAGE, path: "\u00a0media/a.jpg\t" },
      categories: [" A "],
    });
    expect(xml).toContain("<title>Loom</title>");
    expect(xml).toContain(">media/a.jpg</image>");
    expect(xml).toContain("<category>A</category>");
  });

  it("puts U+FFFD for what XML cannot hold and says where", () => {
    const { xml, found } = written({
      title: "a\u0000b\uD800c\uFFFEd",
      introduction: { html: "<p>\u0001&#2;</p>", raw: null },
    });
    expect(xml).toContain("<title>a\uFFFDb\uFFFDc\uFFFDd</title>");
    expect(xml).toContain("<introduction><p>\uFFFD\uFFFD</p></introduction>");
    expect(found.map(({ code, path }) => `${code} ${path}`)).toContain("character-replaced title");
    expect(found.map(({ code, path }) => `${code} ${path}`)).toContain("character-replaced introduction");
  });

  it("numbers steps from 1 and images from 1, and puts eight lines into a container", () => {
    const { xml } = written({ steps: [stepOf({ type: "image", images: [IMAGE, IMAGE] }, 10), stepOf(null)] });
    expect(xml.match(/<step number="\d"/g)).toEqual(['<step number="1"', '<step number="2"']);
    expect(xml.match(/orderby="\d"/g)).toEqual(['orderby="1"', 'orderby="1"', 'orderby="2"']);
    expect(xml.split("<lines>").map((part) => part.split("<line ").length - 1)).toEqual([0, 8, 2]);
    expect(xml).toContain("<lines/>");
    expect(xml).toContain('<image orderby="1" large="l" mini="m">media/a.jpg</image>');
  });

  it("tells of lines, images and categories that are too many", () => {
    const images = { type: "image" as const, images: [IMAGE, IMAGE, IMAGE, IMAGE] };
    const { found } = written({ categories: ["A", "B"], steps: [stepOf(images, 65)], modifiedDate: "1700000000" });
    expect(found.map(({ code, level, path }) => `${level} ${code} ${path}`)).toEqual([
      "loss categories category",
      "note main-image-repeated image",
      "loss too-many-lines steps[0].lines",
      "loss too-many-images steps[0].media.images",
    ]);
  });

  it("writes embeds and videos in the only form that both schemas take", () => {
    const facts = {
      url: "https://e.org/v",
      type: "video",
      title: "A film",
      version: "1.0",
      width: "560",
      height: "",
      html: "<b/>",
    };
    const embed = stepOf({ type: "embed", embed: { facts, text: "" } });
    const encodings = [
      { path: "small.mp4", facts: { width: "10", height: "10" } },
      { path: "large.mp4", facts: { width: "20", height: "20" } },
    ];
    const video = stepOf({ type: "video", video: { id: "7", encodings, source: {}, poster: null } });
    const { xml, found } = written({ steps: [embed, video] });
    expect(xml).toContain('<embed version="1.0" width="560">https://e.org/v</embed>');
    expect(xml).toContain('<embed version="1.0">large.mp4</embed>');
    expect(found.map(({ code }) => code)).toEqual(["date-unknown", "embed-facts", "video-as-embed"]);
  });

  it("takes dates in all forms, and says when one is none", () => {
    const dates = [
      "2013-08-21T16:46:31-07:00",
      "2013-08-21 16:46",
      "2013-08-21",
      "1377128791",
      "2013-02-30T00:00:00Z",
      "2013-02-30",
      "soon",
    ];
    const shown = dates.map((date) => /<modified_date>(.*)</.exec(written({ modifiedDate: date }).xml)?.[1]);
    expect(shown).toEqual([
      "2013-08-21T16:46:31-07:00",
      "2013-08-21T16:46:00Z",
      "2013-08-21T00:00:00Z",
      "2013-08-21T23:46:31Z",
      "2026-01-02T03:04:05Z",
      "2026-01-02T03:04:05Z",
      "2026-01-02T03:04:05Z",
    ]);
    expect(written({ modifiedDate: "soon" }).found).toMatchObject([{ code: "date-unknown", level: "loss" }]);
  });

  it("writes 0 for the id of another guide that is none, and says so", () => {
    const other = { locale: "en", subject: "", type: "", title: "Other", url: null, path: null, image: null };
    const { xml, found } = written({
      modifiedDate: "2026-01-02",
      prerequisites: [
        { ...other, id: "x-7" },
        { ...other, id: "7" },
      ],
    });
    expect(xml).toContain(
      '<prerequisite id="0" locale="en" subject="" type="">\n      <title>Other</title>\n      <url/>',
    );
    expect(xml).toContain('<prerequisite id="7" ');
    expect(found).toMatchObject([{ code: "not-a-number", level: "loss", path: "prerequisites[0]" }]);
  });
});
