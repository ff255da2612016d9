import { z } from "zod";
import type { Key } from "./key.js";

/**
 * Something about content that a person should know. `note`: nothing is lost, but something is not
 * as one might expect. `loss`: a value could not be carried, or not whole. `error`: the item, or a
 * part of it, could not be taken.
 */
export const issueSchema = z.object({
  /** Stable, kebab-case: `line-too-long`, `comment-author`. */
  code: z.string(),
  level: z.enum(["note", "loss", "error"]),
  key: z.string() as unknown as z.ZodType<Key>,
  /**
   * The field inside of the item, in the model's words: `steps[3].lines[0].text`. Empty: the whole
   * item.
   */
  path: z.string(),
  /** One sentence: what, and why. */
  message: z.string(),
  /** What a person can do about it. */
  remedy: z.string().optional(),
  /**
   * Of a clash: the whole texts of both sides, and of what they agreed on last. null: nothing is
   * there.
   */
  texts: z
    .object({ base: z.string().nullable(), theirs: z.string().nullable(), ours: z.string().nullable() })
    .readonly()
    .optional(),
  /**
   * Of an item that is left out although it could be taken: the options that take it in, as on a
   * command line (`--fit split`); empty: the same command again; null: no option does, the content
   * has to change. Absent: the item is not left out because of this issue.
   */
  takenInBy: z.string().nullable().optional(),
});
export type Issue = Readonly<z.infer<typeof issueSchema>>;

/**
 * Does this keep a whole item from the target that could be there? Other losses are values that the
 * service has no way to take.
 */
export function isLeftOut({ takenInBy }: Issue): boolean {
  return takenInBy !== undefined;
}

/** The code of a reference that has no goal where it stands: a report lists them by themselves. */
export const REFERENCE_DANGLING = "reference-dangling";

/**
 * The code of a reference that stays as it is although it leads to nothing that moves: by title, or
 * a product's.
 */
export const REFERENCE_KEPT = "reference-kept";

/** Takes the issues that a function finds on its way. */
export type Report = (issue: Issue) => void;
