import { textIn } from "./course-file.js";
import { type RunReport, runReportSchema } from "./run-report.js";

/** The report of a run that has ended, as it was made then; null: there is none that is whole and of this version, so that it has to be made anew. */
export function keptReport(file: string): RunReport | null {
  const kept = runReportSchema.safeParse(jsonIn(file));
  if (!kept.success || kept.data.run.ended === null || kept.data.unread.length > 0) return null;
  return kept.data;
}

/** undefined: there is nothing that can be read. */
function jsonIn(file: string): unknown {
  const text = textIn(file);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
