import type { Issue } from "../../core/model/issue.js";
import { type Key, languageIn } from "../../core/model/key.js";
import type { Decision } from "./known-decision.js";

type Known = Pick<Decision, "isTaken" | "says">;

/** What a load has to say of a translation that it did not take along. */
export function loadedWithout(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `Its translation into ${languageIn(key)} is not carried: whether this site takes translations of guides could not be found out (${says}).`;
  const remedy = "Run again: it is asked again then.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy, takenInBy: "" };
}

/** The same before a load, which will ask where nobody knows. */
export function notTaken(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `Whether this site takes its translation into ${languageIn(key)} a probe decides when loading: it makes one private guide and deletes it.`;
  return { code: UNDECIDED, level: "note", key, path: "", message };
}

/** Code of a translation that a probe decides on. */
export const UNDECIDED = "translation-undecided";

function refused(key: Key, says: string): Issue {
  const message = `Its translation into ${languageIn(key)} is not carried: a probe found that ${says}.`;
  const remedy = "It is whole in the workspace; make it by hand where it matters.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy };
}
