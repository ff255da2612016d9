import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { groupFailures } from "./group-failures.js";
import { type Causes, causesSchema } from "./run-report.js";

/** The failures of a run by their cause. An undo has its own: those that the workspace lists are of what was read and loaded. */
export function failuresOf(run: Run, listed: readonly Failure[]): Causes {
  const own = causesSchema.safeParse(run.summary?.["wentWrong"]);
  if (own.success) return own.data;
  if (run.command === "undo") return { count: 0, causes: [] };
  return { count: listed.length, causes: groupFailures(listed) };
}
