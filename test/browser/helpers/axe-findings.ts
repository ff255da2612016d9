import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const CHOICES = { all: {}, colours: { runOnly: ["color-contrast", "link-in-text-block"] } } as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What is folded is hidden from axe too. */
const UNFOLD = `document.querySelectorAll("details:not([open])").forEach((each) => { each.open = true; each.dataset.unfolded = ""; })`;
const FOLD = `document.querySelectorAll("details[data-unfolded]").forEach((each) => { each.open = false; delete each.dataset.unfolded; })`;

/**
 * What axe-core finds wrong with a page, also with what is folded there: the rule, the element, and
 * what is wrong with it. Default: by all its rules; `colours`: by those that another colour scheme
 * may break.
 */
export async function axeFindings(page: Page, rules: "all" | "colours" = "all"): Promise<readonly string[]> {
  // Evaluated from outside, since no policy lets a page load it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  await page.evaluate(UNFOLD);
  const found = await page.evaluate<readonly Finding[]>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...CHOICES[rules] })}).then(({ violations }) => violations)`,
  );
  await page.evaluate(FOLD);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 200)}: ${failureSummary.replace(/\s+/g, " ")}`,
    ),
  );
}
