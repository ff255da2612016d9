import { z } from "zod";
import { guideSchema } from "./guide.js";
import { issueSchema } from "./issue.js";
import { mediaSchema, mediaUseSchema } from "./media.js";
import { recordSchema } from "./record.js";
import { keySchema } from "./shared.js";
import { wikiSchema } from "./wiki.js";

const common = {
  key: keySchema,
  /** The change token that the list gave for it; equal tokens mean unchanged. Empty: no token is known. */
  revision: z.string(),
  /** The service's own answer(s), so that nothing is lost where the model has no place for it. XML is a string. */
  raw: z.unknown(),
  /** The media that it needs, without repeats. */
  media: z.array(mediaUseSchema).readonly(),
  /** Keys of the same thing in other languages. */
  translations: z.array(keySchema).readonly(),
  /** What was odd about the answer. */
  issues: z.array(issueSchema).readonly(),
};

/** One thing of a site: what flows through the pipeline and lies in a workspace. */
export const itemSchema = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("category"), body: wikiSchema }),
  z.object({ ...common, kind: z.literal("wiki"), body: wikiSchema }),
  z.object({ ...common, kind: z.literal("guide"), body: guideSchema }),
  z.object({ ...common, kind: z.literal("image"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("video"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("document"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("record"), body: recordSchema }),
]);

export type Item = Readonly<z.infer<typeof itemSchema>>;
export type ItemOf<K extends Item["kind"]> = Extract<Item, { readonly kind: K }>;
export type GuideItem = ItemOf<"guide">;
export type WikiItem = ItemOf<"wiki"> | ItemOf<"category">;
export type MediaItem = ItemOf<"image"> | ItemOf<"video"> | ItemOf<"document">;
