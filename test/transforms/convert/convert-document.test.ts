import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { convertDocument } from "../../../transforms/convert/convert-document.js";
import { DOCUMENT_TARGETS, type DocumentTarget } from "../../../transforms/convert/formats.js";
import { SPINNING_WHEEL } from "../../helpers/documents.js";

const EXAMPLES = fileURLToPath(new URL("../../../../shared/data/omanual/examples", import.meta.url));

const sample = (path: string): string => readFileSync(join(SPINNING_WHEEL, path), "utf8");
const pageOf = (source: string, to: DocumentTarget) =>
  convertDocument(source, { from: "omanual", to, name: "guide.xml" });

function guideWith(steps: string, more = ""): string {
  return `<guide id="5" locale="en"><title>Card &amp; *Comb*</title>${more}<steps>${steps}</steps></guide>`;
}

function stepOf(lines: readonly (readonly [level: number, text: string])[]): string {
  const written = lines.map(([level, text]) => `<line bullet="black" level="${level}">${text}</line>`);
  return `<step number="1" title=""><lines>${written.join("")}</lines></step>`;
}

describe("a manual's document", () => {
  it("becomes one page of Markdown, from the title to the conclusion, with its media where they lie", () => {
    const { text, issues } = pageOf(sample("Oil-the-Wheel/guide.xml"), "markdown");
    expect(issues).toEqual([]);
    const order = [
      "# Oil the Wheel\n\nThree drops where metal turns in wood.",
      "![main.png](media/main.png)",
      "- Difficulty: Easy\n- Time: 10 minutes\n- Author: ",
      "Do this before each long day at the wheel",
      "## Tools\n\n- Oil can\n  - Notes: with a thin spout",
      "## Parts\n\n- 2 × Rag\n  - Type: cotton",
      "## Step 1: Find the places\n\n![step-0-image-0.png](media/step-0-image-0.png)",
      "- Take the **bobbin** off.\n  - Both ends of the spindle. <!-- bullet=red -->\n  - The axle of the wheel. <!-- bullet=orange -->",
      '## Step 2\n\n[treadling.mp4](media/treadling.mp4 "video")',
      "- **Caution:** Keep oil away",
      "## Conclusion\n\nWipe off what drips.",
    ].map((piece) => text.indexOf(piece));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it("becomes HTML whose lists nest as its lines do, whatever levels they jump over", () => {
    const lines = [
      [0, "a"],
      [2, "b"],
      [1, "c"],
      [0, "d"],
    ] as const;
    const { text } = pageOf(guideWith(stepOf(lines)), "html");
    expect(text).toContain("<ul><li>a<ul><li><ul><li>b</li></ul></li><li>c</li></ul></li><li>d</li></ul>");
  });

  it("has no markup where the document has words", () => {
    const source = guideWith(stepOf([[0, "1 &lt; 2"]]), "<summary># no *heading*</summary>");
    expect(pageOf(source, "markdown").text).toMatch(/^# Card & \\\*Comb\\\*\n\n\\# no \\\*heading\\\*\n/);
    expect(pageOf(source, "plain-html").text).toMatch(/^<h1>Card (?:&amp;|&#x26;) \*Comb\*<\/h1>/);
    expect(pageOf(source, "plain-html").text).toMatch(/<li>1 &(?:lt|#x3C); 2<\/li>/);
  });

  it("that is a category becomes a page of its texts and documents", () => {
    const { text } = pageOf(sample("category.xml"), "markdown");
    expect(text).toMatch(/^# Spinning Wheels\n\nUpright and slanting wheels/);
    expect(text).toContain('[Drive band lengths.pdf](media/Drive%20band%20lengths.pdf "document');
  });

  it("becomes the JSON of the item that a workspace would hold", () => {
    const item = itemSchema.parse(JSON.parse(pageOf(sample("Change-the-Drive-Band-13/guide.xml"), "json").text));
    expect(item).toMatchObject({ key: "guide/13", kind: "guide", body: { title: "Change the Drive Band" } });
  });

  it("tells what is lost on the way, and where", () => {
    const { issues } = pageOf(guideWith("", "<difficulty>Cruel</difficulty>"), "markdown");
    expect(issues).toContainEqual(
      expect.objectContaining({ code: "unknown-difficulty", level: "loss", path: "difficulty" }),
    );
    expect(pageOf(sample("Oil-the-Wheel/guide.xml"), "wiki").issues.map(({ code }) => code)).toContain("image-address");
  });

  it("that is none, or only an index, is refused with file, line and column", () => {
    expect(() => pageOf("<guide><title>Card", "markdown")).toThrow(/guide\.xml:1:\d+/);
    expect(() => pageOf("<recipe/>", "markdown")).toThrow(/guide\.xml/);
    expect(() => pageOf("<manifest><title>All</title><procedures/></manifest>", "json")).toThrow(/only an index/);
  });

  it("leads nowhere but to the web and to what lies beside it", () => {
    const embed = '<media type="embed"><embed url="javascript:alert(1)" title="Look"/></media>';
    const source = guideWith(`<step number="1"><lines><line level="0" bullet="black">a</line></lines>${embed}</step>`);
    for (const to of ["html", "plain-html", "markdown"] as const) {
      expect(pageOf(source, to).text).not.toMatch(/javascript:/);
    }
  });
});

describe("the published examples", { tags: ["shared"] }, () => {
  const names = existsSync(EXAMPLES) ? readdirSync(EXAMPLES).filter((name) => !name.includes("manifest")) : [];
  const cases = names.flatMap((name) => DOCUMENT_TARGETS.map((to) => [name, to] as const));

  it("are here", () => expect(names.length).toBeGreaterThan(0));

  it.each(cases)("%s becomes %s", (name, to) => {
    const { text } = convertDocument(readFileSync(join(EXAMPLES, name), "utf8"), { from: "omanual", to, name });
    expect(text.length).toBeGreaterThan(500);
  });
});
