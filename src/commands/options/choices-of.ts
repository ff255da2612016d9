import type { z } from "zod";

const CHOICES = new WeakMap<z.ZodType, readonly string[]>();

/** Notes the words that a schema takes, for those who offer them. */
export function withChoices<T>(schema: z.ZodType<T>, words: readonly string[]): z.ZodType<T> {
  CHOICES.set(schema, words);
  return schema;
}

/** The words that a schema takes; undefined: it takes other things too. */
export function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  return CHOICES.get(schema);
}
