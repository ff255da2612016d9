import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { pngOf } from "../helpers/png.js";
import { startService } from "./service.js";

// What the sandbox answers, compared with the tables of the specification. They are read from the
// page, so that nobody's reading of it is between the two.

const SPECIFICATION = fileURLToPath(new URL("../../../shared/spec/service-api.md", import.meta.url));
const isMissing = !existsSync(SPECIFICATION);
const page = isMissing ? "" : readFileSync(SPECIFICATION, "utf8");

/** The part of the page under a heading, up to the next of the same or a higher level. */
function section(heading: string): string {
  const start = page.indexOf(`\n${heading}`);
  if (start < 0) throw new Error(`the specification has no "${heading}"`);
  const level = heading.match(/^#+/)?.[0].length ?? 1;
  const rest = page.slice(start + heading.length + 1);
  const end = rest.search(new RegExp(`\\n#{1,${level}} `));
  return end < 0 ? rest : rest.slice(0, end);
}

/**
 * The rows of the first table after a place: what the first cell names, one entry a name, with the
 * second cell.
 */
function tableAfter(text: string, place = ""): ReadonlyMap<string, string> {
  const lines = text.slice(text.indexOf(place)).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"));
  const rows = lines
    .slice(first + 2, end < 0 ? undefined : end)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(rows.flatMap(([, names = "", type = ""]) => names.split(", ").map((name) => [name, type] as const)));
}

/**
 * The names of a list in prose, `a, b (type), c`, behind a colon. What stands in brackets says of
 * what type the name before is.
 */
function namesAfter(text: string, place: string): readonly string[] {
  const line = text.slice(text.indexOf(place) + place.length).split(/\.\n|\n\n|\. (?=[A-Z])/)[0] ?? "";
  const flat = line.replace(/^[^:]*: /, "").replace(/\.$/, "");
  return withoutBrackets(flat)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function withoutBrackets(text: string): string {
  const inner = text.replace(/\([^()]*\)/g, "").replace(/\{[^{}]*\}/g, "");
  return inner === text ? text : withoutBrackets(inner);
}

/**
 * Does a value have the type that a cell of the page names? What the page says of enums and urls is
 * not looked at here.
 */
function isOf(type: string, value: unknown): boolean {
  if (/\bor null\b|image object|string \(url\)/i.test(type) && value === null) return true;
  const first = type.split(/[\s,;(:]/)[0]?.toLowerCase();
  if (first === "integer") return Number.isInteger(value);
  if (first === "number") return typeof value === "number";
  if (first === "boolean") return typeof value === "boolean";
  if (first === "string" || first === "enum") return typeof value === "string";
  if (first === "array") return Array.isArray(value);
  if (first === "object" || first === "image")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  throw new Error(`the page names a type that this test does not know: ${type}`);
}

/** Fields that the answer lacks or has of another type. */
function misfits(table: ReadonlyMap<string, string>, answer: Readonly<Record<string, unknown>>): readonly string[] {
  return [...table].flatMap(([name, type]) => (isOf(type, answer[name]) ? [] : [`${name}: ${type}`]));
}

const names = (answer: unknown): readonly string[] => Object.keys(answer as object).toSorted();

/**
 * What a small site answers: a guide with all that the page shows the fields of, and the lists that
 * it is in.
 */
async function answers() {
  const { send, get, upload, makeGuide, makeStep, makeWiki } = await startService();
  const picture = (await upload("/user/media/images?file=a.png", pngOf(800, 600))).body.image.id;
  await makeGuide({ title: "Before", public: true });
  await makeGuide({ public: true, image: picture, prerequisites: [1], parts: [{ name: "Nail", featured: true }] });
  await makeStep(2, { media: { type: "image", data: [picture] } });
  await send("POST", "/comments/step/1", { text: "A comment of some length." });
  await makeWiki("WIKI", "Glue", { contents: "Sticks.", image: picture, flags: ["WIKI_STUB"] });
  return {
    guide: (await get("/guides/2?excludePrerequisiteSteps")).body,
    rows: (await get("/guides")).body,
    wikiRows: (await get("/wikis/WIKI")).body,
    wiki: (await get("/wikis/WIKI/Glue")).body,
    image: (await get(`/media/images/${picture}`)).body,
  };
}

describe("answers of the specification's dialect", { tags: ["shared"] }, () => {
  it("a row of the list of guides has the fields of the guide summary, no more and no less", async () => {
    const { rows } = await answers();
    const table = tableAfter(section("### Guide summary"));
    expect(table.size).toBe(16);
    expect(rows.map(names)).toEqual([[...table.keys()].toSorted(), [...table.keys()].toSorted()]);
    expect(misfits(table, rows[1] ?? {})).toEqual([]);
  });

  it("a full guide has every field of its table, two tokens that differ, and no token of the list", async () => {
    const { guide, rows } = await answers();
    const table = tableAfter(section("### Guide (GET"));
    expect(misfits(table, guide)).toEqual([]);
    expect(new Set([guide.guide_revisionid, guide.revisionid, rows[1]?.revisionid]).size).toBe(3);
    expect(guide.flags.every((flag: unknown) => typeof flag === "string")).toBe(true);
  });

  it("a prerequisite, a step, a line, a comment and its author have the fields that the page lists", async () => {
    const { guide } = await answers();
    const text = section("### Guide (GET");
    const [step] = guide.steps;
    const [comment] = step.comments;
    expect(names(guide.prerequisites[0])).toEqual(namesAfter(text, "Prerequisite object").toSorted());
    expect(names(step)).toEqual([...tableAfter(text, "Step object:").keys()].toSorted());
    expect(misfits(tableAfter(text, "Step object:"), step)).toEqual([]);
    expect(names(step.lines[0])).toEqual(namesAfter(text, "Line object").toSorted());
    expect(names(comment)).toEqual(namesAfter(text, "Comment object").toSorted());
    expect(names(comment.author)).toEqual(namesAfter(text, "Comment author").toSorted());
  });

  it("a row of a list of wikis has the fields of the light wiki, a full wiki those that are shown", async () => {
    const { wiki, wikiRows } = await answers();
    const light = section("### Light wiki").split("\n\n")[1] ?? "";
    expect(names(wikiRows[0])).toEqual(namesAfter(`: ${light}`, "").toSorted());
    const shown = namesAfter(section("### Wiki (GET"), "Full wiki fields shown");
    expect(shown.length).toBe(11);
    expect(shown.filter((name) => !(name in wiki))).toEqual([]);
    expect(Array.isArray(wiki.flags)).toBe(true);
  });

  it("an image and its detail have the fields of their tables", async () => {
    const { image } = await answers();
    const sizes = [...tableAfter(section("### Image object")).keys()];
    const [detail = ""] = section("### Image detail").split("\n\n").slice(1);
    expect(names(image.image).filter((name) => !sizes.includes(name))).toEqual([]);
    expect(namesAfter(`: ${detail}`, "").filter((name) => !(name in image))).toEqual([]);
  });

  it("a create takes every field of its table, and none is required but those that the table says", async () => {
    const table = section("### Guides").slice(section("### Guides").indexOf("| Body field"));
    const fields = [...tableAfter(table).keys()];
    const { send, makeGuide } = await startService();
    await makeGuide();
    const refused = await send("POST", "/guides", Object.fromEntries(fields.map((name) => [name, { wrong: true }])));
    const problems = refused.body.errors.map(({ field, code }) => `${code} ${field}`);
    expect(problems.filter((problem) => problem.startsWith("unknown_field"))).toEqual([]);
    const missing = (await send("POST", "/guides", {})).body.errors.map(({ field }) => field);
    const required = table.split("\n").filter((line) => /^\|[^|]*\|[^|]*\| yes \|/.test(line));
    expect(missing).toEqual(required.map((line) => line.split("|")[1]?.trim()));
  });
});
