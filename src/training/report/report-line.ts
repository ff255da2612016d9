import type { Repair } from "../../../transforms/training/validation.js";
import type { Standard } from "../../core/model/module.js";
import { PACKAGE_ENDS, type PackageState } from "../../core/training.js";
import { csvLine as lineOf } from "../../core/util/csv.js";
import { withCommas } from "../../core/util/printable-text.js";
import type { Action, CheckedPackage, PackageFinding, PackageResult, Verdict } from "../package.js";
import { plain, plainTitle } from "../plain-text.js";

/**
 * One package in the JSON report; all other forms of the report are made from it. Plain JSON; all
 * texts are printable except `file`.
 */
interface CheckLine {
  /** Unchanged, so that a program finds the file again. */
  readonly file: string;
  readonly verdict: Verdict;
  /** Of all findings, each once, sorted. */
  readonly codes: readonly string[];
  /** `standard` and `title` are null if the package was refused before they were read. */
  readonly standard: Standard | null;
  readonly title: string | null;
  readonly findings: readonly PackageFinding[];
  /** Findings beyond those. */
  readonly findingsLeft: number;
  readonly repairs: readonly Repair[];
  readonly bytes: number;
  readonly lone: CheckedPackage["lone"];
}

interface ImportLine extends CheckLine {
  readonly digest: string | null;
  readonly action: Action;
  readonly state: PackageState | null;
  /** Ids on the site. */
  readonly module: string | null;
  readonly import: string | null;
  readonly reason: string;
  readonly notes: readonly string[];
}

/** The result of one package. */
export type ReportLine = CheckLine | ImportLine;

export function reportLine(row: ReportRow): ReportLine {
  return isResult(row) ? importLine(row) : checkLine(row);
}

export function isImportLine(line: ReportLine): line is ImportLine {
  return "action" in line;
}

export function checkLine(checked: CheckedPackage): CheckLine {
  const { file, verdict, findings, findingsLeft, module, repairs, bytes, lone } = checked;
  return {
    file,
    verdict,
    codes: [...new Set(findings.map(({ code }) => code))].sort(),
    standard: module?.standard ?? null,
    title: module === null ? null : plainTitle(module.title),
    findings: findings.map(plainFinding),
    findingsLeft,
    repairs: repairs.map(({ code, path, what }) => ({ code, path: plain(path), what: plain(what) })),
    bytes,
    lone,
  };
}

function importLine(result: PackageResult): ImportLine {
  const { checked, digest, action, state, moduleId, importId, reason, notes } = result;
  return {
    ...checkLine(checked),
    digest,
    action,
    state,
    module: moduleId === null ? null : plain(moduleId),
    import: importId === null ? null : plain(importId),
    reason: plain(reason),
    notes: notes.map(plain),
  };
}

function plainFinding({ code, level, place, detail, remedy }: PackageFinding): PackageFinding {
  return { code, level, place: place === null ? null : plain(place), detail: plain(detail), remedy: plain(remedy) };
}

/** A checked package, or the real or planned result of its import. */
export type ReportRow = CheckedPackage | PackageResult;

function isResult(row: ReportRow): row is PackageResult {
  return "checked" in row;
}

/** The outcome: `new-module: complete: module 12, import 31`; empty: only checked. */
export function outcomeOf(line: ReportLine): string {
  // The first line of a refused package already has the verdict.
  if (!isImportLine(line) || (line.action === "refused" && line.verdict === "refuse")) return "";
  return [line.action, line.state ?? "", idsOf(line)].filter((part) => part !== "").join(": ");
}

function idsOf(line: ImportLine): string {
  const ids = [
    line.module === null ? "" : `module ${line.module}`,
    line.import === null ? "" : `import ${line.import}`,
  ];
  return ids.filter((id) => id !== "").join(", ");
}

/** The reason for the outcome, and notes; each printable. */
export function remarksOf(line: ReportLine): readonly string[] {
  if (!isImportLine(line)) return [];
  // The findings already give the reason for a refusal.
  const isListed = line.action === "refused" && line.findings.some(({ level }) => level === "error");
  return [isListed ? "" : line.reason, ...line.notes].filter((text) => text !== "");
}

/** The sections of a report, in their order: those that need work come first. */
export const GROUPS = {
  refused: "Refused",
  stuck: "Accepted, but not imported",
  warned: "Accepted with warnings",
  accepted: "Accepted",
} as const;
export type Group = keyof typeof GROUPS;

export function groupOf(line: ReportLine): Group {
  if (line.verdict === "refuse") return "refused";
  if (isImportLine(line) && (line.action === "refused" || ENDS.has(line.state ?? ""))) return "stuck";
  return line.verdict === "accept" ? "accepted" : "warned";
}

const ENDS: ReadonlySet<string> = new Set(PACKAGE_ENDS);

/** Shown findings of one code in one package; more of them rarely help. */
const SHOWN_OF_A_CODE = 5;

/** Padded, so that file names align. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  accept: "accepted",
  "accept-with-warning": "warnings",
  refuse: "refused ",
};

/**
 * One package as text: a line for the package, and for each code its findings with their places and
 * the remedy.
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

interface FindingGroup {
  readonly code: string;
  readonly remedy: string;
  readonly findings: PackageFinding[];
}

/** Groups findings by code and remedy, in the order of the first of each group. */
function groups(findings: readonly PackageFinding[]): readonly FindingGroup[] {
  const found = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const { code, remedy } = finding;
    const group = found.get(`${code} ${remedy}`) ?? { code, remedy, findings: [] };
    found.set(`${code} ${remedy}`, group);
    group.findings.push(finding);
  }
  return [...found.values()];
}

function wordsOfGroup({ code, remedy, findings }: FindingGroup): readonly string[] {
  const shown = findings.slice(0, SHOWN_OF_A_CODE).map(({ place, detail }) => {
    return `  ${code}${place === null ? "" : ` ${place}`}: ${detail}`;
  });
  const left = findings.length - shown.length;
  return [...shown, ...(left > 0 ? [`  ${code}: ${withCommas(left)} more findings`] : []), `    ${remedy}`];
}

function rest({ findingsLeft }: ReportLine): readonly string[] {
  return findingsLeft > 0 ? [`  ${withCommas(findingsLeft)} more findings are not listed`] : [];
}

/** A spreadsheet takes 32,767 characters in a cell. */
const LONGEST_CELL = 30_000;

interface Column<Line> {
  readonly name: string;
  readonly text: (line: Line) => string;
}

const CHECK_COLUMNS: readonly Column<CheckLine>[] = [
  { name: "file", text: ({ file }) => plain(file) },
  { name: "verdict", text: ({ verdict }) => verdict },
  { name: "codes", text: ({ codes }) => codes.join(" ") },
  { name: "standard", text: ({ standard }) => standard ?? "" },
  { name: "title", text: ({ title }) => title ?? "" },
  { name: "errors", text: ({ findings }) => String(countOf(findings, "error")) },
  { name: "warnings", text: ({ findings }) => String(countOf(findings, "warning")) },
  { name: "findings", text: ({ findings }) => findings.map(clauseOf).join(" | ") },
  { name: "what to do", text: ({ findings }) => [...new Set(findings.map(({ remedy }) => remedy))].join(" | ") },
  { name: "repairs", text: ({ repairs }) => repairs.map(({ path, what }) => `${path}: ${what}`).join(" | ") },
  { name: "bytes", text: ({ bytes }) => String(bytes) },
];

const IMPORT_COLUMNS: readonly Column<ImportLine>[] = [
  ...CHECK_COLUMNS,
  { name: "action", text: ({ action }) => action },
  { name: "state", text: ({ state }) => state ?? "" },
  { name: "module", text: ({ module }) => module ?? "" },
  { name: "import", text: (line) => line.import ?? "" },
  { name: "digest", text: ({ digest }) => digest ?? "" },
  { name: "reason", text: ({ reason }) => reason },
  { name: "notes", text: ({ notes }) => notes.join(" | ") },
];

export type CsvKind = "check" | "import";

const HEADS: Readonly<Record<CsvKind, readonly string[]>> = {
  check: CHECK_COLUMNS.map(({ name }) => name),
  import: IMPORT_COLUMNS.map(({ name }) => name),
};

/** The head of a CSV report, with its line end (RFC 4180: CR LF). */
export function csvHead(kind: CsvKind): string {
  return row(HEADS[kind]);
}

/**
 * The line of one package, with its line end. No cell is a formula for a spreadsheet or has a line
 * break.
 */
export function csvLine(line: ReportLine): string {
  const cells = isImportLine(line)
    ? IMPORT_COLUMNS.map(({ text }) => text(line))
    : CHECK_COLUMNS.map(({ text }) => text(line));
  return row(cells);
}

function row(cells: readonly string[]): string {
  return lineOf(cells.map(cut));
}

function cut(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
}

function countOf(findings: readonly PackageFinding[], level: PackageFinding["level"]): number {
  return findings.filter((finding) => finding.level === level).length;
}

function clauseOf({ code, place, detail }: PackageFinding): string {
  return place === null ? `${code}: ${detail}` : `${code} ${place}: ${detail}`;
}
