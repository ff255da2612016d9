import { basename } from "node:path";
import type { PackageReport } from "../../../training/report/open-package-report.js";

/** Where a report lies, for a person. */
export function whereReport({ files: { html, csv, lines } }: Pick<PackageReport, "files">): string {
  return `Each package: ${html}, and beside it ${basename(csv)} and ${basename(lines)}`;
}
