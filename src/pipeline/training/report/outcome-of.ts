import { type ImportLine, isImportLine, type ReportLine } from "./report-line.js";

/** What became of a package, or would: `new-module: complete: module 12, import 31`. Empty: it was checked only. */
export function outcomeOf(line: ReportLine): string {
  if (!isImportLine(line)) return "";
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
  return isImportLine(line) ? [line.reason, ...line.notes].filter((text) => text !== "") : [];
}
