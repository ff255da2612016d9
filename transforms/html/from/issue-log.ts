import type { Tell } from "../../settle/draft.js";
import type { TextIssue } from "../../wiki/tree.js";
import { DEAD_GUIDE } from "../site/render-link.js";
import type { LeftOut } from "./nest-tags.js";
import type { Place } from "./reading.js";

/** What is to be told about one text. */
export interface IssueLog {
  readonly issues: readonly TextIssue[];
  /** Tells something about a place. The same of the same place is told once: settling may look at a block twice. */
  readonly tellAt: (place: Place) => Tell;
}

/** A log that begins with what is known before the text is read. */
export function issueLog(known: readonly TextIssue[]): IssueLog {
  const issues = [...known];
  const told = new Set<string>();
  const tellAt: IssueLog["tellAt"] =
    ({ start, end }) =>
    (code, level, message) => {
      const issue = { code, level, message, start, end };
      const key = JSON.stringify(issue);
      if (!told.has(key)) issues.push(issue);
      told.add(key);
    };
  return { issues, tellAt };
}

const REASONS: Readonly<Record<LeftOut["reason"], string>> = {
  unknown: "has no form in wiki text; only words in it, if it shows any, are kept",
  "too-deep": "stands too deep in other elements and is taken for nothing but its words",
};

/** An element that was left out. */
export function leftOutIssue({ name, reason, start, end }: LeftOut): TextIssue {
  return { code: `element-${reason}`, level: "loss", message: `<${name}> ${REASONS[reason]}.`, start, end };
}

/** The site has put certain words in the place of a link's id and label (wiki-syntax 2.3). */
export function deadGuideIssues(html: string): readonly TextIssue[] {
  const message =
    "The site has replaced a link to a guide that does not exist; its id and label are in the raw text only.";
  const issues: TextIssue[] = [];
  for (let start = html.indexOf(DEAD_GUIDE); start >= 0; start = html.indexOf(DEAD_GUIDE, start + 1)) {
    issues.push({ code: "dead-guide", level: "loss", message, start, end: start + DEAD_GUIDE.length });
  }
  return issues;
}
