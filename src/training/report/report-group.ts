import { DEAD_ENDS } from "../../core/training.js";
import { isImportLine, type ReportLine } from "./report-line.js";

/** The parts of a report for people, in their order: what somebody has to do something about comes first. */
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

const ENDS: ReadonlySet<string> = new Set(DEAD_ENDS);
