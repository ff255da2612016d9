import fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { markdownReport } from "../../../../src/pipeline/training/report/markdown-report.js";
import { PackageTally } from "../../../../src/pipeline/training/report/package-tally.js";
import { reportLine } from "../../../../src/pipeline/training/report/report-line.js";
import type { ReportRow } from "../../../../src/pipeline/training/report/report-row.js";
import { checked, hostilePackage, hostileResult, refused } from "./packages.js";

async function markdownOf(rows: readonly ReportRow[]): Promise<string> {
  const tally = new PackageTally();
  for (const row of rows) tally.add(row);
  let text = "";
  for await (const piece of markdownReport({ tally, lines: () => rows.map(reportLine) })) text += piece;
  return text;
}

function nodesOf(node: Nodes): readonly Nodes[] {
  return "children" in node ? [node, ...node.children.flatMap((child) => nodesOf(child))] : [node];
}

function parsed(markdown: string): readonly Nodes[] {
  return nodesOf(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
}

const EXPECTED = new Set(["root", "heading", "paragraph", "list", "listItem", "text", "inlineCode"]);

describe("a report as Markdown", () => {
  it("reads well", async () => {
    expect(await markdownOf([checked(), refused({ file: "b.zip" })])).toBe(`# Training packages

2 packages: 1 accepted, 0 with warnings, 1 refused.

## What to fix

- \`E_MAN_LAUNCH_MISSING\`: what a learner shall open is not in the package
  - Publish the package again with all of its files\\.
  - 1 package: \`b.zip\`

## Refused (1)

- \`b.zip\` — \`scorm12\`, \`Fire safety\`
  - \`E_MAN_LAUNCH_MISSING\` \`imsmanifest.xml:12:5\`: \`index.html is not in the package\`
    Publish the package again with all of its files\\.

## Accepted (1)

- \`courses/fire.zip\` — \`scorm12\`, \`Fire safety\`
`);
  });

  it("has nothing but lists and code in it, whatever the titles, and each title as it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(hostilePackage, hostileResult), { minLength: 1, maxLength: 3 }),
        async (rows) => {
          const nodes = parsed(await markdownOf(rows));
          expect(nodes.map(({ type }) => type).filter((type) => !EXPECTED.has(type))).toEqual([]);
          const codes = new Set(nodes.flatMap((node) => (node.type === "inlineCode" ? [node.value] : [])));
          for (const row of rows) {
            const { title } = reportLine(row);
            if (title !== null && title !== "") expect(codes).toContain(title);
          }
        },
      ),
    );
  });
});
