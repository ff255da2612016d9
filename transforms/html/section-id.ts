import type { Inline } from "../wiki/tree.js";
import { plainText } from "./plain-text.js";

/** The anchor of a heading: `Section_Take_up_Lever` for "Take-up Lever" (real and inferred, wiki-syntax 2.1.1). */
export function sectionId(heading: readonly Inline[]): string {
  return `Section_${plainText(heading).trim().replace(/[\s-]/g, "_")}`;
}
