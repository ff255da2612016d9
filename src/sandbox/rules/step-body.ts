import { z } from "zod";
import { INVALID_INDENTATION } from "../server/check.js";
import { invalidValue } from "../server/service-error.js";
import type { StepLimits } from "../state/settings.js";
import { characters, savedText, savedTitle } from "./saved-text.js";

const DEEPEST_LEVEL = 2;
const MOST_IMAGES = 3;

const line = z
  .strictObject({
    text: z
      .string()
      .transform(savedText)
      .refine((text) => text.trim() !== "", "a line has at least 1 character"),
    bullet: z.string().optional(),
    bullet_styleid: z.int().optional(),
    level: z.int().min(0).max(DEEPEST_LEVEL),
    /** Sent by an official client, 0 for a new line, and tolerated (facts, 4.4). */
    lineid: z.int().nullable().optional(),
  })
  .refine((one) => one.bullet !== undefined || one.bullet_styleid !== undefined, {
    path: ["bullet"],
    message: "a line needs a bullet or a bullet_styleid",
  });
export type LineBody = z.infer<typeof line>;

const lines = z
  .array(line)
  .min(1, "a step has at least 1 line")
  .superRefine((all, context) => {
    for (const [index, { level }] of all.entries()) {
      const before = all[index - 1];
      if (level > (before === undefined ? 0 : before.level + 1)) {
        context.addIssue({ code: "custom", path: [index, "level"], message: INVALID_INDENTATION });
      }
    }
  });

/** How long lines may be and how many, each site sets for itself. Throws 422. */
export function mustKeepLimits(limits: StepLimits, all: readonly LineBody[]): void {
  if (all.length > limits.lines) throw invalidValue("lines", `a step has 1 to ${limits.lines} lines`);
  for (const [index, { text }] of all.entries())
    if (characters(text) > limits.line)
      throw invalidValue("lines.text", `line ${index + 1}: a line has 1 to ${limits.line} characters`);
}

/** The type's letter case does not matter; `object` stands for a video or an embed (facts, 4.5). */
const media = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("image"),
    data: z.array(z.int().positive()).max(MOST_IMAGES, `a step has at most ${MOST_IMAGES} images`),
  }),
  z.strictObject({ type: z.literal("object"), data: z.int().positive().nullable() }),
]);
export type MediaBody = z.infer<typeof media>;

const anyCaseMedia = z.preprocess(lowerCaseType, media);

function lowerCaseType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  return typeof value.type === "string" ? { ...value, type: value.type.toLowerCase() } : value;
}

/** The body of `PATCH /guides/{guideid}/steps/{stepid}`. */
export const STEP_PATCH = z.strictObject({
  title: z.string().transform(savedTitle).optional(),
  lines: lines.optional(),
  media: anyCaseMedia.optional(),
});
export type StepBody = z.infer<typeof STEP_PATCH>;

/** The body of `POST /guides/{guideid}/steps`: `orderby` and `lines` are required (facts, 4.4). */
export const STEP_CREATION = STEP_PATCH.extend({ orderby: z.int().min(1), lines });

/** The body of `PUT /guides/{guideid}/steporder`. */
export const STEP_ORDER = z.strictObject({ stepids: z.array(z.int()) });
