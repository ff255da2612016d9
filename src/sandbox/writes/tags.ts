import { z } from "zod";
import { characters, checked, notFound } from "../rules.js";
import type { Site } from "../site/site.js";

const LONGEST_TAG = 32;

const TAG = z.strictObject({
  tag: z
    .string()
    .trim()
    .refine((tag) => tag !== "" && characters(tag) <= LONGEST_TAG, `a tag has 1 to ${LONGEST_TAG} characters`),
});

/** Typed tags are accepted, never listed, and can't be removed (facts, 4.6). */
const TYPED = /^(device|product|lang|source|system):/i;

/** The order of a guide's tags in answers (facts, 3.1). */
export function alphabetically(one: string, other: string): number {
  return one.localeCompare(other, "en");
}

/** The tags after a `PUT …/tag`, the new one last; the site gets a new one. */
export function withTag(site: Site, tags: readonly string[], value: unknown): readonly string[] {
  const { tag } = checked(TAG, value);
  if (TYPED.test(tag)) return tags;
  site.tags.add(tag);
  return tags.includes(tag) ? tags : [...tags, tag];
}

/** The tags after a `DELETE …/tag`; 404 unless the exact text exists. */
export function withoutTag(tags: readonly string[], value: unknown): readonly string[] {
  const { tag } = checked(TAG, value);
  if (!tags.includes(tag)) throw notFound(`There is no tag «${tag}» here.`);
  return tags.filter((one) => one !== tag);
}
