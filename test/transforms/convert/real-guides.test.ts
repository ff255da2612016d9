import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerReader } from "../../../src/commands/tools/convert.js";
import { convertDocument } from "../../../transforms/convert/convert-document.js";
import type { DocumentSource, DocumentTarget } from "../../../transforms/convert/formats.js";
import { SPINNING_WHEEL } from "../../helpers/documents.js";

const readAnswer = await answerReader();

const GUIDES = new URL("../../../../shared/data/ose/guides/", import.meta.url);
const EXAMPLES = new URL("../../../../shared/data/omanual/examples/", import.meta.url);

const names = existsSync(GUIDES) ? readdirSync(GUIDES) : [];

interface Converted {
  readonly text: string;
  /** `loss text-markup introduction`. */
  readonly told: readonly string[];
}

function converted(source: string, from: DocumentSource, to: DocumentTarget, name: string): Converted {
  const { text, issues } = convertDocument(source, { from, to, name, readAnswer });
  return { text, told: issues.map(({ level, code, path = "" }) => `${level} ${code} ${path.replace(/\d+/g, "0")}`) };
}

/** What pages have no place for, and what is so in every one of these. */
const EXPECTED = new Set([
  ...["author.uniqueName", "comments", "publishedDate", "steps[0].comments", "url", "workLogEnabled"].map(
    (path) => `loss not-on-page ${path}`,
  ),
]);

/** Where a site's HTML of a film says less of its address than the text. */
const FILM = ["loss video-address ", "loss text-markup introduction"];

describe("64 real guides", { tags: ["shared"] }, () => {
  it("come back from a page in Markdown or HTML as the same document, byte for byte", () => {
    expect(names).toHaveLength(64);
    const others = { markdown: 0, html: 0 };
    for (const name of names) {
      const source = readFileSync(new URL(name, GUIDES), "utf8");
      const direct = converted(source, "json", "omanual", name).text;
      for (const format of ["markdown", "html"] as const) {
        const page = converted(source, "json", format, name);
        const lost = page.told.filter((told) => !EXPECTED.has(told));
        if (lost.length > 0) {
          expect([name, lost]).toEqual([name, FILM]);
          others[format] += 1;
        } else expect([name, converted(page.text, format, "omanual", `guide-${name}`).text]).toEqual([name, direct]);
      }
    }
    expect(others).toEqual({ markdown: 0, html: 1 });
  });

  it("come back from wiki text but for bullets and levels, which it has no form for", () => {
    const told = names.flatMap((name) => {
      const source = readFileSync(new URL(name, GUIDES), "utf8");
      return converted(source, "json", "wiki", name).told.filter((each) => !EXPECTED.has(each));
    });
    expect([...new Set(told)].sort()).toEqual([
      "loss image-address ",
      "loss page-differs parts[0].notes",
      "loss page-differs steps[0].lines[0].bullet",
      "loss page-differs steps[0].lines[0].level",
      "note top-heading ",
    ]);
  });

  it("are equal JSON from the second time on, by way of XML", () => {
    for (const name of names.slice(0, 10)) {
      const source = readFileSync(new URL(name, GUIDES), "utf8");
      const around = (json: string): string => {
        const { text } = converted(json, "json", "omanual", name);
        return converted(text, "omanual", "json", "guide.xml").text;
      };
      const first = around(source);
      expect(around(first)).toBe(first);
    }
  });
});

const MANUALS = [
  `${SPINNING_WHEEL}/Oil-the-Wheel/guide.xml`,
  `${SPINNING_WHEEL}/Change-the-Drive-Band-13/guide.xml`,
  `${SPINNING_WHEEL}/category.xml`,
  ...(existsSync(EXAMPLES)
    ? readdirSync(EXAMPLES)
        .filter((name) => !name.includes("manifest"))
        .map((name) => new URL(name, EXAMPLES).pathname)
    : []),
];

const xmlOf = (source: string, from: DocumentSource, file: string): string =>
  converted(source, from, "omanual", file).text;

/** Of a category's document what no page and no site has a place for; that it is lost is told. */
const withoutLists = (xml: string): string =>
  xml.replace(/(<category [\s\S]*)<solutions[\s\S]*(?=<contents)/, "$1").replace(/[ ]*(?=<contents)/, "  ");

const cases = MANUALS.map((file) => [file.split("/").slice(-2).join("/"), file] as const);

describe("a manual's document", () => {
  it.each(cases)("%s is the same XML by way of JSON and Markdown as it is without", (_, file) => {
    const source = readFileSync(file, "utf8");
    for (const format of ["json", "markdown"] as const) {
      const { text, told } = converted(source, "omanual", format, file);
      const lost = told.filter((each) => /^loss (?:page|text)-/.test(each));
      const direct = xmlOf(source, "omanual", file);
      const back = xmlOf(text, format, file);
      const kept = format === "json" ? (xml: string) => xml : withoutLists;
      expect([format, lost, kept(back)]).toEqual([format, [], kept(direct)]);
    }
  });

  it.each(cases)("%s that we wrote is the same XML by way of every form that keeps marks", (_, file) => {
    // Twice, since links of servers are written in another way when they are read from simplified
    // HTML.
    const xml = xmlOf(xmlOf(readFileSync(file, "utf8"), "omanual", file), "omanual", file);
    for (const format of ["json", "markdown", "html"] as const) {
      const { text, told } = converted(xml, "omanual", format, file);
      const lost = told.filter((each) => each.startsWith("loss") && !each.startsWith("loss category-"));
      const kept = format === "json" ? (each: string) => each : withoutLists;
      expect([format, lost, kept(xmlOf(text, format, file))]).toEqual([format, [], kept(xml)]);
    }
  });
});
