import type { PackageFinding } from "../package.js";
import { outcomeOf, remarksOf } from "./outcome-of.js";
import type { CodeCount } from "./package-tally.js";
import { plain } from "./plain.js";
import { GROUPS } from "./report-group.js";
import type { ReportLine } from "./report-line.js";
import { groupsOf, linesOf, MOST_FINDINGS, type ReportParts } from "./report-parts.js";

/** The same as the page, as Markdown, in pieces: for tickets and wikis. Foreign text stands in code spans, which nothing in it can leave. */
export async function* markdownReport(parts: ReportParts): AsyncGenerator<string> {
  const { tally } = parts;
  yield `# Training packages\n\n${tally.words()}.\n`;
  if (tally.codes().length > 0) yield `\n## What to fix\n\n${tally.codes().map(fix).join("")}`;
  for (const [group, packages] of groupsOf(parts)) {
    yield `\n## ${GROUPS[group]} (${packages.toLocaleString("en-US")})\n\n`;
    for await (const line of linesOf(parts, group)) yield item(line);
  }
}

function fix({ code, packages, meaning, remedy, files }: CodeCount): string {
  const named = files.map(span).join(", ");
  const more = packages > files.length ? ` and ${(packages - files.length).toLocaleString("en-US")} more` : "";
  return `- ${span(code)}: ${escaped(meaning)}\n  - ${escaped(remedy)}\n  - ${packages.toLocaleString("en-US")} ${packages === 1 ? "package" : "packages"}: ${named}${more}\n`;
}

function item(line: ReportLine): string {
  const { file, standard, title, findings, findingsLeft } = line;
  const words = [standard === null ? "" : span(standard), title === null ? "" : span(title)].filter(Boolean).join(", ");
  const remarks = [outcomeOf(line), ...remarksOf(line)]
    .filter((text) => text !== "")
    .map((text) => `  - ${span(text)}\n`);
  const more = findingsLeft + Math.max(0, findings.length - MOST_FINDINGS);
  return [
    `- ${span(plain(file))}${words === "" ? "" : ` — ${words}`}\n`,
    ...remarks,
    ...findings.slice(0, MOST_FINDINGS).map(finding),
    ...(more > 0 ? [`  - ${more.toLocaleString("en-US")} more\n`] : []),
  ].join("");
}

function finding({ code, place, detail, remedy }: PackageFinding): string {
  const where = place === null ? "" : ` ${span(place)}`;
  return `  - ${span(code)}${where}: ${span(detail)}\n    ${escaped(remedy)}\n`;
}

/** A code span (CommonMark 6.1): its fence is longer than any run of back-ticks in it. An empty one can't be written. */
function span(text: string): string {
  if (text === "") return "(empty)";
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 0);
  const fence = "`".repeat(longest + 1);
  // One space at each edge is dropped when it is read, unless all are spaces.
  const padded = /^[` ]|[` ]$/.test(text) && /[^ ]/.test(text) ? ` ${text} ` : text;
  return `${fence}${padded}${fence}`;
}

/** Every character of ASCII that could mean something gets a back-slash (CommonMark 2.4), so that no link comes out of a host's name either. */
function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => (PLAIN.has(character) ? character : `\\${character}`));
}

const PLAIN: ReadonlySet<string> = new Set([",", ";", "'", "(", ")", "%", "/", "?"]);
