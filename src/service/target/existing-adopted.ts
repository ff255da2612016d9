import type { Body } from "../../core/contracts.js";
import { fieldDifferences } from "./field-differences.js";
import { shown } from "./merge/merge-issues.js";
import type { Work } from "./parts.js";

/** Something of the same title was there before, and stays as it is: what differs from the source is told field by field. */
export function tellAdopted(work: Work, what: "page" | "guide", existing: Body, wanted: Body): void {
  const differences = fieldDifferences(existing, wanted);
  const told = differences.map(
    ({ path, before, after }) => `${path}: ${shown(before)} there, ${shown(after)} at the source`,
  );
  const compared = differences.length === 0 ? "It has the same content." : `It differs in ${told.join("; ")}.`;
  const { steps } = existing;
  const uncompared = what === "guide" && Array.isArray(steps) ? ` Its steps (${steps.length}) were not compared.` : "";
  work.report({
    code: "existing-adopted",
    level: "note",
    path: "",
    message: `A ${what} of this title was at the target before: references point to it, and its content stays as it is. ${compared}${uncompared}`,
    remedy: "To put the source's content over it, run with --on-existing update.",
  });
}
