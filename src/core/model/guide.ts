import { z } from "zod";
import { keySchema, personSchema, teamSchema } from "./shared.js";

/** One line of a step. */
export const lineSchema = z.object({
  /** Wiki syntax, inline only; 1 to 350 characters on writing (api-facts 4.4). */
  text: z.string(),
  /** A bullet's name: `black`, `icon_note` …; the nearest named one if the site has a style of its own. */
  bullet: z.string(),
  /** The id of a site's own bullet style at the source; never sent to another site. */
  bulletStyle: z.object({ id: z.number(), label: z.string().nullable() }).nullable(),
  /** Indentation, 0 to 2; the first line has 0. */
  level: z.number().int(),
});

/** Up to three images, or one video, or one embed, or nothing: there is no mixed form (api-facts 3.5). */
export const stepMediaSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("none") }),
  z.object({ type: z.literal("images"), images: z.array(keySchema).readonly() }),
  z.object({ type: z.literal("video"), video: keySchema }),
  z.object({ type: z.literal("embed"), url: z.string(), title: z.string().nullable() }),
]);

const remarkSchema = z.object({
  id: z.number(),
  author: personSchema.nullable(),
  /** UNIX seconds. */
  date: z.number().nullable(),
  text: z.string(),
  status: z.string(),
  replies: z.number().int(),
});

export const commentSchema = remarkSchema.extend({
  /** The replies themselves, in the order of their making; only on the way to a target that they are posted at. */
  answers: z.array(remarkSchema).readonly().optional(),
});

export const stepSchema = z.object({
  /** `step/456`. */
  key: keySchema,
  /** Empty: the page shows "Step n". */
  title: z.string(),
  lines: z.array(lineSchema).readonly(),
  media: stepMediaSchema,
  comments: z.array(commentSchema).readonly(),
});

/** A part or a tool. */
export const partSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** As the site gave it; a positive integer on writing. */
  quantity: z.number().nullable(),
  notes: z.string(),
  url: z.string().nullable(),
  optional: z.boolean().nullable(),
  featured: z.boolean().nullable(),
});

/** A guide in one language, without the steps of its prerequisites. */
export const guideSchema = z.object({
  id: z.number().int(),
  language: z.string(),
  title: z.string(),
  /** The title of its category. */
  category: z.string(),
  type: z.string(),
  subject: z.string(),
  summary: z.string(),
  /** Wiki syntax. */
  introduction: z.string(),
  conclusion: z.string(),
  /** The service's English label, or null when unset. */
  difficulty: z.string().nullable(),
  /** Seconds; 0 is no estimate. */
  timeRequired: z.object({ min: z.number(), max: z.number() }),
  flags: z.array(z.string()).readonly(),
  image: keySchema.nullable(),
  introductionVideo: keySchema.nullable(),
  documents: z.array(keySchema).readonly(),
  featuredDocument: keySchema.nullable(),
  parts: z.array(partSchema).readonly(),
  tools: z.array(partSchema).readonly(),
  prerequisites: z.array(keySchema).readonly(),
  steps: z.array(stepSchema).readonly(),
  tags: z.array(z.string()).readonly(),
  comments: z.array(commentSchema).readonly(),
  author: personSchema.nullable(),
  public: z.boolean(),
  archived: z.boolean(),
  /** Who may see it while it is private; null: not read (public, or switched off at the site). */
  viewers: z
    .object({
      users: z.array(personSchema).readonly(),
      teams: z.array(teamSchema).readonly(),
    })
    .nullable(),
  /** Release ids known of it. */
  releases: z.array(z.number()).readonly(),
  /** What is known of them, as far as it is; only on the way to a target, where they are listed as lost. */
  releaseLines: z
    .array(z.object({ id: z.number(), title: z.string(), publishDate: z.number().nullable() }))
    .readonly()
    .optional(),
  workLogEnabled: z.boolean().nullable(),
  /** UNIX seconds. */
  createdDate: z.number().nullable(),
  publishedDate: z.number().nullable(),
  modifiedDate: z.number().nullable(),
  /** The page that people see. */
  url: z.string(),
});

export type Line = Readonly<z.infer<typeof lineSchema>>;
export type StepMedia = Readonly<z.infer<typeof stepMediaSchema>>;
export type Comment = Readonly<z.infer<typeof commentSchema>>;
export type Step = Readonly<z.infer<typeof stepSchema>>;
export type Part = Readonly<z.infer<typeof partSchema>>;
export type Guide = Readonly<z.infer<typeof guideSchema>>;

/** The title of the ITEM page that a part or tool of this name stands for (api-facts 4.1). */
export function itemTitle(name: string): string {
  return name.replaceAll("_", " ").trim();
}
