import type { PackageFinding, Verdict } from "../package.js";
import { outcomeOf, remarksOf } from "./outcome-of.js";
import { plain } from "./plain.js";
import { type ReportLine, reportLine } from "./report-line.js";
import type { ReportRow } from "./report-row.js";

/** Findings of one code that a person is shown of one package: whoever mends the first few knows what to look for. */
const SHOWN_OF_A_CODE = 5;

/** As wide as the longest, so that the names of files stand below each other. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  accept: "accepted",
  "accept-with-warning": "warnings",
  refuse: "refused ",
};

/**
 * One package for a person: a line for the package, and where something is wrong with it two or more for each code, what and where, and what to do.
 *
 *     refused  courses/fire.zip (scorm12) "Fire safety"
 *       E_MAN_LAUNCH_MISSING imsmanifest.xml:12:5: index.html is not in the package
 *         Publish the package again with all of its files.
 */
export function wordsOf(row: ReportRow): readonly string[] {
  const line = reportLine(row);
  return [head(line), ...outcome(line), ...groups(line.findings).flatMap(wordsOfGroup), ...rest(line)];
}

function head({ verdict, file, standard, title, lone }: ReportLine): string {
  const parts = [standard ?? "", lone === "manifest-only" ? "a manifest without its files" : ""].filter(Boolean);
  const kind = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return `${VERDICTS[verdict]} ${plain(file)}${kind}${title === null ? "" : ` ${JSON.stringify(title)}`}`;
}

function outcome(line: ReportLine): readonly string[] {
  return [outcomeOf(line), ...remarksOf(line)].filter((text) => text !== "").map((text) => `  ${text}`);
}

interface Group {
  readonly code: string;
  readonly remedy: string;
  readonly findings: PackageFinding[];
}

/** Findings of one code with the same remedy together, where the first of them stands. */
function groups(findings: readonly PackageFinding[]): readonly Group[] {
  const found = new Map<string, Group>();
  for (const finding of findings) {
    const { code, remedy } = finding;
    const group = found.get(`${code} ${remedy}`) ?? { code, remedy, findings: [] };
    found.set(`${code} ${remedy}`, group);
    group.findings.push(finding);
  }
  return [...found.values()];
}

function wordsOfGroup({ code, remedy, findings }: Group): readonly string[] {
  const told = findings.slice(0, SHOWN_OF_A_CODE).map(({ place, detail }) => {
    return `  ${code}${place === null ? "" : ` ${place}`}: ${detail}`;
  });
  const left = findings.length - told.length;
  return [...told, ...(left > 0 ? [`  ${code}: ${left.toLocaleString("en-US")} more of these`] : []), `    ${remedy}`];
}

function rest({ findingsLeft }: ReportLine): readonly string[] {
  return findingsLeft > 0 ? [`  ${findingsLeft.toLocaleString("en-US")} more findings are not told`] : [];
}
