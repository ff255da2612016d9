import { type ImportLine, isImportLine, type ReportLine } from "./report-line.js";

/** What became of a package, or would: `new-module: complete: module 12, import 31`. Empty: it was checked only. */
export function outcomeOf(line: ReportLine): string {
  // The head of a refused one says so already.
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

/** Why it ended so, and what a person should know besides; each printable. */
export function remarksOf(line: ReportLine): readonly string[] {
  if (!isImportLine(line)) return [];
  // Why a package is refused stands among its findings.
  const isTold = line.action === "refused" && line.findings.some(({ level }) => level === "error");
  return [isTold ? "" : line.reason, ...line.notes].filter((text) => text !== "");
}
