import type { CheckedPackage } from "../package.js";
import type { PackageResult } from "../result.js";

/** What a report has a line for: a package that was checked, or one that was imported or would be. */
export type ReportRow = CheckedPackage | PackageResult;

export function isResult(row: ReportRow): row is PackageResult {
  return "checked" in row;
}
