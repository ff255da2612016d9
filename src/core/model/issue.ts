import { z } from "zod";
import type { DOCUMENT_CODES } from "./document-codes.js";
import type { FitCode, SITE_CODES } from "./issue-codes.js";
import type { Key } from "./key.js";
import type { TextCode } from "./text-codes.js";

type CodesOf<Areas> = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

/** Every code of an issue. Transforms declare theirs in their own file: `TransformSpec.codes`. */
export type IssueCode = CodesOf<typeof SITE_CODES> | CodesOf<typeof DOCUMENT_CODES> | FitCode | TextCode;

/**
 * A fact about content for a person. `note`: nothing is lost. `loss`: a value was left out or
 * shortened. `error`: the item or a part of it was refused.
 */
export const issueSchema = z.object({
  /** Stable, kebab-case: `line-too-long`, `comment-author`. */
  code: z.string() as unknown as z.ZodType<IssueCode>,
  level: z.enum(["note", "loss", "error"]),
  key: z.string() as unknown as z.ZodType<Key>,
  /** In the fields of the model: `steps[3].lines[0].text`. Empty: the whole item. */
  path: z.string(),
  /** One sentence: what, and why. */
  message: z.string(),
  /** What a person can do about it. */
  remedy: z.string().optional(),
  /** Both sides of a clash and their common base. null: absent. */
  texts: z
    .object({ base: z.string().nullable(), theirs: z.string().nullable(), ours: z.string().nullable() })
    .readonly()
    .optional(),
  /**
   * The options that include an item which is left out (`--fit split`); empty: the same command
   * again; null: the content has to change. Absent: the item is not left out for this issue.
   */
  takenInBy: z.string().nullable().optional(),
});
/** A problem in the content of one item: what, where, and what can be done. */
export type Issue<Code extends string = IssueCode> = Readonly<Omit<z.infer<typeof issueSchema>, "code">> & {
  readonly code: Code;
};

/** Does this keep an item off the target that could be there? */
export function isLeftOut({ takenInBy }: Pick<Issue, "takenInBy">): boolean {
  return takenInBy !== undefined;
}

/** The code of a broken link; a report lists these separately. */
export const REFERENCE_DANGLING = "reference-dangling";

/** The code of an unchanged reference: by title, or to a product. */
export const REFERENCE_KEPT = "reference-kept";

/** Takes the issues that a function finds. */
export type Report<Code extends string = IssueCode> = (issue: Issue<Code>) => void;
