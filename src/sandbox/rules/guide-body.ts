import { z } from "zod";
import type { Dialect } from "../state/settings.js";
import { characters, lineCount, savedText, savedTitle } from "./saved-text.js";

const SUMMARY_BELOW = 156;
const INTRODUCTION_BELOW = 50;

const id = z.int().positive();
const text = z.string().transform(savedText);
const seconds = z.int().nonnegative();

const part = z.strictObject({
  name: z
    .string()
    .transform(savedTitle)
    .refine((name) => name !== "", "a part needs a name"),
  type: z.string().transform(savedTitle).optional(),
  quantity: z.int().positive().optional(),
  notes: text.optional(),
  isoptional: z.boolean().optional(),
  featured: z.boolean().optional(),
  summary: text.optional(),
  url: z.string().optional(),
});
export type PartBody = z.infer<typeof part>;

const fields = {
  category: z.string().optional(),
  type: z.string().optional(),
  subject: z.string().transform(savedTitle).optional(),
  title: z.string().transform(savedTitle).optional(),
  summary: text
    .refine(
      (summary) => characters(summary) < SUMMARY_BELOW,
      `summary must have fewer than ${SUMMARY_BELOW} characters`,
    )
    .optional(),
  introduction: text
    .refine(
      (introduction) => lineCount(introduction) < INTRODUCTION_BELOW,
      `introduction must have fewer than ${INTRODUCTION_BELOW} lines`,
    )
    .optional(),
  conclusion: text.optional(),
  difficulty: z.enum(["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"]).optional(),
  time_required_min: seconds.optional(),
  time_required_max: seconds.optional(),
  /** Accepted and ignored (facts, 4.1). */
  time_required: z.unknown().optional(),
  image: id.optional(),
  flags: z.array(z.string()).optional(),
  prerequisites: z.array(id).optional(),
  documents: z.array(id).optional(),
  featured_documentid: id.optional(),
  parts: z.array(part).optional(),
  tools: z.array(part).optional(),
  objectid: id.nullable().optional(),
  public: z.boolean().optional(),
  langid: z.string().optional(),
};

const dozukiFields = {
  author: id.optional(),
  work_log_enabled: z.boolean().optional(),
  /** null stands for the most recent release (specification, POST /guides). */
  prerequisite_releases: z.array(z.strictObject({ guideid: id, releaseid: id.nullable() })).optional(),
};

const ifixitGuide = z.strictObject(fields);
const dozukiGuide = z.strictObject({ ...fields, ...dozukiFields });
export type GuideBody = z.infer<typeof dozukiGuide>;

/**
 * The body of `PATCH /guides/{guideid}` (facts, 4.1 and 4.2). Unknown fields are refused. A site of the specification takes `objectid` and
 * `isoptional` too, which its table of POST /guides lacks: without them an introduction video has no way in.
 */
export const GUIDE_PATCH: Readonly<Record<Dialect, z.ZodType<GuideBody>>> = {
  specification: dozukiGuide,
  dozuki: dozukiGuide,
  ifixit: ifixitGuide,
};

const required = { category: z.string(), type: z.string() };

/** The body of `POST /guides`: the same with `category` and `type` required. */
export const GUIDE_CREATION: Readonly<Record<Dialect, z.ZodType<GuideBody & { category: string; type: string }>>> = {
  specification: dozukiGuide.extend(required),
  dozuki: dozukiGuide.extend(required),
  ifixit: ifixitGuide.extend(required),
};
