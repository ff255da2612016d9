import { expect, it } from "vitest";
import { pagePathOf } from "../../../../src/web/reader/page-path.js";
import { wikiItem } from "../../../helpers/items.js";
import { attribute, elementsOf, type MadePage, madePage, ofClass, wordsOf } from "./helpers/made-page.js";

interface Listed {
  readonly href: string | undefined;
  readonly title: string;
}

async function pageOf(contents: string, html = ""): Promise<MadePage> {
  const item = wikiItem("WIKI", "Manual", { contents, html });
  return madePage([{ items: [item] }], pagePathOf(item.key));
}

function listed(page: MadePage): readonly Listed[] {
  const links = ofClass(page, "contents")
    .flatMap(elementsOf)
    .filter(({ tagName }) => tagName === "a");
  return links.map((link) => ({ href: attribute(link, "href"), title: wordsOf(link).trim() }));
}

const sections = (count: number): string =>
  Array.from({ length: count }, (_, at) => `== Part ${at + 1} ==\n\nText.`).join("\n\n");

it("lists the sections of a text from four on, each with a link to its place", async () => {
  expect(listed(await pageOf(sections(3)))).toEqual([]);
  const page = await pageOf(sections(4));
  expect(listed(page).map(({ title }) => title)).toEqual(["Part 1", "Part 2", "Part 3", "Part 4"]);
  const ids = page.all("h2").map((heading) => `#${attribute(heading, "id")}`);
  expect(listed(page).map(({ href }) => href)).toEqual(ids);
});

it("lists two levels, and one of a text with many sections", async () => {
  const two = await pageOf("== One ==\n\n=== Below ===\n\n==== Deep ====\n\n== Two ==\n\n== Three ==");
  expect(listed(two).map(({ title }) => title)).toEqual(["One", "Below", "Two", "Three"]);
  expect(
    ofClass(two, "lower")
      .map(wordsOf)
      .map((each) => each.trim()),
  ).toEqual(["Below"]);
  const many = await pageOf(Array.from({ length: 40 }, (_, at) => `== Part ${at} ==\n\n=== Below ===`).join("\n\n"));
  expect(listed(many)).toHaveLength(40);
});

it("shortens the list of a text with hundreds of sections", async () => {
  const page = await pageOf(sections(450));
  expect(listed(page)).toHaveLength(300);
  expect(page.words).toContain("And 150 more sections.");
});

it("lists headings as texts, whatever they hold", async () => {
  const hostile =
    '<h2><b>Bold</b> &amp; <img src="x" alt="<h2 id=&quot;Section_no&quot;>no</h2>" onerror="harm()"></h2>' +
    "<h2>a &lt;script&gt;harm()&lt;/script&gt;</h2><h2>\u202Eback</h2><h2>Two\nlines</h2><h2>50 % of %</h2><h2></h2>";
  const page = await pageOf("", hostile);
  expect(listed(page).map(({ title }) => title.replace(/\s+/g, " "))).toEqual([
    'Bold & <h2 id="Section_no">no</h2> (not in this archive)',
    "a <script>harm()</script>",
    "U+202E back",
    "Two lines",
    "50 % of %",
  ]);
  const ids = new Set(page.all("h2").map((heading) => `#${attribute(heading, "id")}`));
  for (const { href } of listed(page)) expect(ids).toContain(href);
});
