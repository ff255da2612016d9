import type { GuideFields } from "../../core/model/call.js";
import { asJson } from "./as-left.js";
import type { Work } from "./parts.js";

type Json = Readonly<Record<string, unknown>>;

/** Fields that are empty at the source and that the site fills by itself, or that no public call takes away (api-facts 4.1, 4.2). */
const LEFTOVERS: Readonly<
  Record<string, { readonly wanted: (fields: GuideFields) => unknown; readonly left: (guide: Json) => unknown }>
> = {
  image: { wanted: ({ image }) => image, left: ({ image }) => image },
  difficulty: { wanted: ({ difficulty }) => difficulty, left: ({ difficulty }) => difficulty },
  featuredDocument: {
    wanted: ({ featuredDocument }) => featuredDocument,
    left: (guide) => guide["featured_documentid"],
  },
};

/** Reports what stands in a guide after a write although the source has nothing there. */
export function reportLeftovers(work: Work, fields: GuideFields, answer: unknown): void {
  const guide = asJson(answer);
  for (const [path, { wanted, left }] of Object.entries(LEFTOVERS)) {
    const stands = left(guide);
    if (wanted(fields) !== null || stands === null || stands === undefined || stands === "") continue;
    work.report({
      code: "not-cleared",
      level: "loss",
      path,
      message: `It is empty at the source and filled at the target (${typeof stands === "object" ? "a picture" : String(stands)}): no public call empties it.`,
      remedy: "Empty it by hand.",
    });
  }
}
