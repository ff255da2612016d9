import type { Repair } from "../../../transforms/training/judgement.js";
import type { Standard } from "../../core/model/module.js";
import type { PackageState } from "../../core/training.js";
import type { CheckedPackage, PackageFinding, Verdict } from "../package.js";
import type { Action, PackageResult } from "../result.js";
import { plain, plainTitle } from "./plain.js";
import { isResult, type ReportRow } from "./report-row.js";

/** One package in a report for programs, and what all other forms of the report are made of. Plain JSON, all text in it printable but `file`. */
export interface CheckLine {
  /** As it was given or found, unchanged, so that a program finds it again. */
  readonly file: string;
  readonly verdict: Verdict;
  /** Of all findings, each once, sorted. */
  readonly codes: readonly string[];
  /** null: refused before it was known. */
  readonly standard: Standard | null;
  /** null: refused before it was known. */
  readonly title: string | null;
  readonly findings: readonly PackageFinding[];
  /** Findings beyond those. */
  readonly findingsLeft: number;
  readonly repairs: readonly Repair[];
  readonly bytes: number;
  readonly lone: CheckedPackage["lone"];
}

/** The same of a package that was imported, or would be. */
export interface ImportLine extends CheckLine {
  readonly digest: string | null;
  readonly action: Action;
  readonly state: PackageState | null;
  /** Ids at the site. */
  readonly module: string | null;
  readonly import: string | null;
  readonly reason: string;
  readonly notes: readonly string[];
}

export type ReportLine = CheckLine | ImportLine;

/** A row of a report as plain JSON. */
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
