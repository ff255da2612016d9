import { z } from "zod";
import type { DOCUMENT_CODES } from "./document-codes.js";
import type { FitCode, SITE_CODES } from "./issue-codes.js";
import type { Key } from "./key.js";
import type { TextCode } from "./text-codes.js";

type CodesOf<Areas> = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

/** Every code of an issue. Transforms declare theirs in their own file: `TransformSpec.codes`. */
export type IssueCode = CodesOf<typeof SITE_CODES> | CodesOf<typeof DOCUMENT_CODES> | FitCode | TextCode;

/**
 * A fact about content for a person. `note`: nothing is lost. `loss`: a value was not carried, or
 * not whole. `error`: the item or a part of it was not taken.
 */
export const issueSchema = z.object({
  /** Stable, kebab-case: `line-too-long`, `comment-author`. */
  code: z.string() as unknown as z.ZodType<IssueCode>,
  level: z.enum(["note", "loss", "error"]),
  key: z.string() as unknown as z.ZodType<Key>,
  /** In the model's words: `steps[3].lines[0].text`. Empty: the whole item. */
  path: z.string(),
  /** One sentence: what, and why. */
  message: z.string(),
  /** What a person can do about it. */
  remedy: z.string().optional(),
  /** Both sides of a clash and their common base. null: nothing is there. */
  texts: z
    .object({ base: z.string().nullable(), theirs: z.string().nullable(), ours: z.string().nullable() })
    .readonly()
    .optional(),
  /**
   * The options that take in an item that is left out (`--fit split`); empty: the same command
   * again; null: the content has to change. Absent: the item is not left out for this issue.
   */
  takenInBy: z.string().nullable().optional(),
});
export type Issue<Code extends string = IssueCode> = Readonly<Omit<z.infer<typeof issueSchema>, "code">> & {
  readonly code: Code;
};

/** Does this keep an item from the target that could be there? */
export function isLeftOut({ takenInBy }: Pick<Issue, "takenInBy">): boolean {
  return takenInBy !== undefined;
}

/** The code of a reference that has no goal where it stands: a report lists them by themselves. */
export const REFERENCE_DANGLING = "reference-dangling";

/** The code of a reference that stays as it is: by title, or a product's. */
export const REFERENCE_KEPT = "reference-kept";

/** Takes the issues that a function finds on its way. */
export type Report<Code extends string = IssueCode> = (issue: Issue<Code>) => void;
