import type { Issue } from "../../../src/core/model/issue.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualExtra, ManualPlace } from "../manual.js";

/** An Issue of a document, before it is known which item it becomes. */
export type ManualIssue = Omit<Issue, "key">;

/** What is gathered while one document is read. */
export interface Reading {
  /** For messages. */
  readonly file: string;
  /** See ReadManualOptions. */
  readonly undoubles: boolean;
  readonly issues: ManualIssue[];
  readonly extra: ManualExtra[];
  /** Issues that were not told because of their number. */
  untold: number;
}

/** Beyond it, a document's issues are only counted: somebody has to read them. */
const MOST_ISSUES = 500;

export function report(
  reading: Reading,
  issue: { readonly code: string; readonly level: Issue["level"]; readonly path: string },
  at: ManualPlace | undefined,
  what: string,
): void {
  if (reading.issues.length >= MOST_ISSUES) {
    reading.untold += 1;
    return;
  }
  const place = at === undefined ? "" : `:${at.line}:${at.column}`;
  reading.issues.push({ ...issue, message: `${reading.file}${place}: ${what}.` });
}

/** All issues, with one about those that were too many. */
export function issuesOf({ issues, untold, file }: Reading): readonly ManualIssue[] {
  if (untold === 0) return issues;
  const message = `${file}: ${untold} more issues of this document are not listed.`;
  return [...issues, { code: "more-issues", level: "loss", path: "", message }];
}

export function placeOf({ line, column }: XmlElement): ManualPlace {
  return { line, column };
}
