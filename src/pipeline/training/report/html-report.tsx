import { createHash } from "node:crypto";
import { escapeHtml } from "../../../../transforms/html/escape-html.js";
import type { PackageFinding } from "../package.js";
import { outcomeOf, remarksOf } from "./outcome-of.js";
import type { CodeCount, PackageTally } from "./package-tally.js";
import { plain } from "./plain.js";
import { GROUPS } from "./report-group.js";
import type { ReportLine } from "./report-line.js";
import { groupsOf, linesOf, MOST_FINDINGS, type ReportParts } from "./report-parts.js";

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1c1e21; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { border: 1px solid #d0d4da; padding: .35rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: #f2f4f7; }
ul { margin: 0; padding-left: 1.1rem; }
summary { font-size: 1.2rem; font-weight: 600; cursor: pointer; margin: 1rem 0 .3rem; }
.error code { color: #a4161a; }
.warning code { color: #7a5200; }
.remedy { color: #47505c; display: block; }
@media (prefers-color-scheme: dark) {
  body { color: #e4e6eb; background: #18191c; }
  th { background: #26282d; }
  th, td { border-color: #41454d; }
  .error code { color: #ff8a8f; }
  .warning code { color: #f0c060; }
  .remedy { color: #aab2bd; }
}
`;

/** Nothing is loaded, nothing runs, nothing is sent: whatever a title tried, a browser would refuse it. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** A page for people, whole in itself, in pieces; the memory goes with one package. All foreign text in it is text. */
export async function* htmlReport(parts: ReportParts): AsyncGenerator<string> {
  const { tally } = parts;
  yield head(tally);
  yield* fixes(tally.codes());
  for (const [group, packages] of groupsOf(parts)) {
    const isOpen = group === "accepted" ? "" : " open";
    yield `<details${isOpen}><summary>${GROUPS[group]} (${number(packages)})</summary>\n`;
    yield "<table><thead><tr><th>Package</th><th>Standard</th><th>Title</th><th>Findings</th></tr></thead><tbody>\n";
    for await (const line of linesOf(parts, group)) yield row(line);
    yield "</tbody></table></details>\n";
  }
  yield "</body></html>\n";
}

function head(tally: PackageTally): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>Training packages</title><style>${STYLE}</style></head><body>
<h1>Training packages</h1>
<p>${escapeHtml(tally.words())}.</p>
${outcomes(tally)}`;
}

function outcomes({ outcomes: counts }: PackageTally): string {
  if (counts.size === 0) return "";
  const text = [...counts].map(([name, count]) => `${number(count)} ${name}`).join(", ");
  return `<p>${escapeHtml(text)}.</p>\n`;
}

function* fixes(codes: readonly CodeCount[]): Generator<string> {
  if (codes.length === 0) return;
  yield "<details open><summary>What to fix</summary>\n";
  yield "<table><thead><tr><th>Code</th><th>Packages</th><th>What it means</th><th>What to do</th><th>Where</th></tr></thead><tbody>\n";
  for (const { code, level, packages, meaning, remedy, files } of codes) {
    const more = packages > files.length ? `<li>and ${number(packages - files.length)} more</li>` : "";
    const named = files.map((file) => `<li>${foreign(file)}</li>`).join("");
    yield `<tr class="${level}"><td><code>${escapeHtml(code)}</code></td><td>${number(packages)}</td><td>${escapeHtml(meaning)}</td><td>${escapeHtml(remedy)}</td><td><ul>${named}${more}</ul></td></tr>\n`;
  }
  yield "</tbody></table></details>\n";
}

function row(line: ReportLine): string {
  const { file, standard, title } = line;
  return `<tr><td>${foreign(plain(file))}</td><td>${escapeHtml(standard ?? "")}</td><td>${foreign(title ?? "")}</td><td>${outcome(line)}${findingsOf(line)}</td></tr>\n`;
}

function outcome(line: ReportLine): string {
  const words = [outcomeOf(line), ...remarksOf(line)].filter((text) => text !== "");
  return words.map((text) => `<div>${foreign(text)}</div>`).join("");
}

function findingsOf({ findings, findingsLeft, repairs }: ReportLine): string {
  const left = findings.length - MOST_FINDINGS;
  const more = findingsLeft + Math.max(0, left);
  const items = [
    ...findings.slice(0, MOST_FINDINGS).map(finding),
    ...(more > 0 ? [`<li>${number(more)} more</li>`] : []),
    ...repairs.slice(0, MOST_FINDINGS).map(({ path, what }) => `<li>repaired: ${foreign(`${path}: ${what}`)}</li>`),
  ];
  return items.length === 0 ? "" : `<ul>${items.join("")}</ul>`;
}

function finding({ code, level, place, detail, remedy }: PackageFinding): string {
  const where = place === null ? "" : ` ${foreign(place)}`;
  return `<li class="${level === "error" ? "error" : "warning"}"><code>${escapeHtml(code)}</code>${where}: ${foreign(detail)}<span class="remedy">${escapeHtml(remedy)}</span></li>`;
}

/** Letters that are written from right to left turn nothing around them. */
function foreign(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
