import type { LookedThrough } from "../../documents/document-source.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";

/** Remarks that are shown one by one. */
const SHOWN = 10;
/** Items that are named. */
const NAMED = 5;

/** Says what a person should know of documents before they are taken: who will see their guides, and what is odd about the package. */
export function tellOfDocuments(output: Output, { guides, kept, remarks }: LookedThrough, publish: boolean): void {
  if (guides.unsaid > 0 && !publish)
    output.note(
      `Documents do not say whether guides are public, so these are private (${guides.unsaid}). With --publish they become public.`,
    );
  if (guides.private > 0 && publish)
    output.note(`Private at their source, and so here: ${count(guides.private, "guide")}.`);
  if (kept.length > 0) {
    const named = kept.slice(0, NAMED).join(", ") + (kept.length > NAMED ? `, and ${kept.length - NAMED} more` : "");
    output.warn(
      `No document describes these any more, while others name them, so they stay as they were read before: ${named}`,
    );
  }
  for (const remark of remarks.slice(0, SHOWN)) output.warn(remark);
  if (remarks.length > SHOWN) output.warn(`and ${remarks.length - SHOWN} more of this kind.`);
}
