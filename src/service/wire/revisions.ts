import type { Place } from "./place.js";

/** Both revision fields of a guide; a step or wiki has the second only (api-facts 3.10). */
export interface Revisions {
  /** `guide_revisionid`: Dozuki only. */
  readonly guideRevision: string | null;
  /** `revisionid`. */
  readonly revision: string | null;
}

/** The revisions in an answer about a guide, step or wiki; null where the site says none (api-facts 8.2). */
export function readRevisions(answer: Place): Revisions {
  return { guideRevision: revisionAt(answer, "guide_revisionid"), revision: revisionAt(answer, "revisionid") };
}

/** Numbers on every site seen, but nothing depends on it: a revision is only sent back. */
function revisionAt(answer: Place, field: string): string | null {
  const { value } = answer.at(field);
  if (typeof value === "string" && value !== "") return value;
  const number = answer.at(field).integer();
  return number === null ? null : String(number);
}
