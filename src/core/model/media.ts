import { z } from "zod";
import { keySchema } from "./shared.js";

/** The bytes of a media item, as they lie in the workspace. */
export const contentSchema = z.object({
  /** Lower-case hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Bytes; never 0. */
  size: z.number().int().positive(),
  /** The Content-Type that came with it, without parameters; null when none did. */
  type: z.string().nullable(),
  /**
   * The bytes stop before the end of their format (JPEG, PNG, GIF, WebP, MP4, HEIC), or are fewer than the site tells (`toldSize`). `once`: they
   * came so in one run, without a length; the next run asks again. `confirmed`: it is the file of the site, which announced this length, or gave the same bytes in a second run.
   */
  endsEarly: z.enum(["once", "confirmed"]).optional(),
});

/** An image, a video or a document. */
export const mediaSchema = z.object({
  id: z.number().int(),
  guid: z.string().nullable(),
  /** The name people gave it, with its extension; null when the site doesn't tell. */
  fileName: z.string().nullable(),
  /** Where the original (or a video's best encoding) was fetched from. */
  url: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** Images: the annotations (api-facts 5.4), when details were read. */
  markup: z.string().nullable(),
  /** Images: the picture that this one was cropped from or annotated on. */
  sourceImage: keySchema.nullable(),
  /** Videos: the picture that stands for it until it plays (api-facts 3.5). Default: none is known. */
  poster: keySchema.optional(),
  /** Bytes of the file at `url`, as an answer of the site says. Default: none says it, or nobody had to ask. */
  toldSize: z.number().int().positive().optional(),
  /** Absent until the bytes are stored. */
  content: contentSchema.nullable(),
});

/** That an item needs a media item, with what the answer said of it. */
export const mediaUseSchema = z.object({
  key: keySchema,
  /** null: only the id is known (a reference inside text), the detail must be asked for. */
  url: z.string().nullable(),
  guid: z.string().nullable(),
  fileName: z.string().nullable(),
  /** The field it stands in, in the model's words. */
  path: z.string(),
});

export type Content = Readonly<z.infer<typeof contentSchema>>;
export type Media = Readonly<z.infer<typeof mediaSchema>>;
export type MediaUse = Readonly<z.infer<typeof mediaUseSchema>>;
