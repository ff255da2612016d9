import fc from "fast-check";
import type { Element, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import { htmlReport } from "../../../src/training/report/package-report.js";
import { PackageTally } from "../../../src/training/report/package-tally.js";
import type { ReportRow } from "../../../src/training/report/report-line.js";
import { reportLine } from "../../../src/training/report/report-line.js";
import { checked, ERROR, hostilePackage, hostileResult, imported, refused, warned } from "./packages.js";

async function pageOf(rows: readonly ReportRow[]): Promise<string> {
  const tally = new PackageTally();
  for (const row of rows) tally.add(row);
  const pieces: string[] = [];
  for await (const piece of htmlReport({ tally, lines: () => rows.map(reportLine) })) pieces.push(piece);
  return pieces.join("");
}

function elementsOf(node: Root | RootContent): readonly Element[] {
  if (!("children" in node)) return [];
  const below = node.children.flatMap((child) => elementsOf(child));
  return node.type === "element" ? [node, ...below] : below;
}

function textOf(node: Root | RootContent): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => textOf(child)).join(" ") : "";
}

/** Each element with its attributes, as `td`, `a[href]`: what harmless titles lead to as well. */
const SHAPES = new Set([
  "html[lang]",
  "head[]",
  "body[]",
  "meta[charSet]",
  "meta[httpEquiv,content]",
  "meta[name,content]",
  "title[]",
  "style[]",
  ..."h1 p thead tbody tr td ul li bdi div summary".split(" ").map((name) => `${name}[]`),
  ..."main header details table td code span".split(" ").map((name) => `${name}[className]`),
  "details[className,open]",
  "section[className,tabIndex,ariaLabel]",
  "th[scope]",
]);

describe("a report as a page", () => {
  it("says first what is to be done, with the number of packages", async () => {
    const rows = [checked(), refused(), warned(), imported({ state: "failed", reason: "The site had no room." })];
    const page = await pageOf(rows);
    const tree = fromHtml(page);
    const summaries = elementsOf(tree).filter(({ tagName }) => tagName === "summary");
    expect(summaries.map(textOf)).toEqual([
      "Problems",
      "Refused (1)",
      "Accepted, but not imported (1)",
      "Accepted with warnings (1)",
      "Accepted (1)",
    ]);
    const text = textOf(tree);
    expect(text).toContain("4 packages: 2 accepted, 1 with warnings, 1 refused.");
    expect(text).toContain("The site had no room.");
    for (const part of Object.values(ERROR)) if (part !== "error") expect(text).toContain(part);
  });

  it("loads nothing and runs nothing", async () => {
    const page = await pageOf([refused()]);
    const [policy] = elementsOf(fromHtml(page)).flatMap(({ properties }) =>
      properties["httpEquiv"] === undefined ? [] : [properties["content"]],
    );
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'none'$/,
    );
    expect(page).not.toMatch(/<script|<link|src=|href=|url\(/i);
  });

  it("has no element or attribute that comes out of a title or a name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(hostilePackage, hostileResult), { minLength: 1, maxLength: 3 }),
        async (rows) => {
          const tree = fromHtml(await pageOf(rows));
          const shapes = elementsOf(tree).map(({ tagName, properties }) => `${tagName}[${Object.keys(properties)}]`);
          expect(shapes.filter((shape) => !SHAPES.has(shape))).toEqual([]);
          const comments = JSON.stringify(tree).includes('"type":"comment"');
          expect(comments).toBe(false);
        },
      ),
    );
  });

  it("shows titles as they are, and marks that nobody sees as escapes", async () => {
    const title = "<b>& \u202egpj \u00e9";
    const cells = elementsOf(fromHtml(await pageOf([checked({ title })]))).filter(({ tagName }) => tagName === "bdi");
    expect(cells.map(textOf)).toContain("<b>& \\u202egpj \u00e9");
  });

  it("never has the user name and password of an address", async () => {
    const secret = "https://user:p@ss:word@files.example/x";
    const page = await pageOf([
      imported({
        checked: refused({ title: secret, file: secret, findings: [{ ...ERROR, detail: `it opens ${secret}` }] }),
        reason: secret,
        notes: [secret],
      }),
    ]);
    expect(page.replace(/<style>.*?<\/style>/s, "")).not.toMatch(/user|p@ss|word/);
    expect(page).toContain("https://files.example/x");
  });

  it("shows fifty findings of a package and counts the others", async () => {
    const findings = Array.from({ length: 60 }, (_, at) => ({ ...ERROR, detail: `number ${at}.` }));
    const text = textOf(fromHtml(await pageOf([refused({ findings, findingsLeft: 7 })])));
    expect(text).toContain("number 49.");
    expect(text).not.toContain("number 50.");
    expect(text).toContain("17 more");
  });
});
