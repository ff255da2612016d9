import type { Failure } from "../../storage/workspace/failure-list.js";
import { createFailureBook } from "./failure-book.js";
import type { FailureCause } from "./run-report.js";

/** Failures by their cause, the most frequent first: what only differs in names, numbers and addresses has one. */
export function groupFailures(failures: Iterable<Omit<Failure, "at">>): readonly FailureCause[] {
  const book = createFailureBook();
  for (const failure of failures) book.add(failure);
  return book.causes();
}
