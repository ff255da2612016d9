import { z } from "zod";
import { keySchema, personSchema, teamSchema } from "./identity.js";
import { issueSchema } from "./issue.js";
import { isMediaKind, type MediaKind, NAMESPACES } from "./key.js";

/** The stored file of a media item. */
export const contentSchema = z.object({
  /** Lower-case hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Bytes; never 0. */
  size: z.number().int().positive(),
  /** The Content-Type without parameters; null: none. */
  type: z.string().nullable(),
  /**
   * The file ends before the end of its format, or has fewer bytes than `toldSize`. `once`: in one
   * run, without a length; the next run reads it again. `confirmed`: by a length or by a second
   * run.
   */
  endsEarly: z.enum(["once", "confirmed"]).optional(),
});

const mediaSchema = z.object({
  id: z.number().int(),
  guid: z.string().nullable(),
  /** The original name with its extension; null when the site doesn't show it. */
  fileName: z.string().nullable(),
  /** The address of the original (or of a video's best encoding). */
  url: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** Images: the annotations (api-facts 5.4), when details were read. */
  markup: z.string().nullable(),
  /** Images: the picture that this one was cropped from or annotated on. */
  sourceImage: keySchema.nullable(),
  /** Videos: the picture shown before playing (api-facts 3.5). Default: unknown. */
  poster: keySchema.optional(),
  /** Bytes of the file at `url`, by an answer of the site. Default: unknown. */
  toldSize: z.number().int().positive().optional(),
  /** Absent until the file is stored. */
  content: contentSchema.nullable(),
});

/** An item's use of a media item, with the facts of the answer. */
const mediaUseSchema = z.object({
  key: keySchema,
  /** null: only the id is known (a reference inside text); the detail has to be read. */
  url: z.string().nullable(),
  guid: z.string().nullable(),
  fileName: z.string().nullable(),
  /** Its field, in the names of the model. */
  path: z.string(),
});

export type Content = Readonly<z.infer<typeof contentSchema>>;
export type Media = Readonly<z.infer<typeof mediaSchema>>;
export type MediaUse = Readonly<z.infer<typeof mediaUseSchema>>;

export const lineSchema = z.object({
  /** Wiki syntax, inline only; 1 to 350 characters on writing (api-facts 4.4). */
  text: z.string(),
  /** `black`, `icon_note` …; for a site's own style the nearest named one. */
  bullet: z.string(),
  /** The id of a site's own bullet style at the source; never sent to another site. */
  bulletStyle: z.object({ id: z.number(), label: z.string().nullable() }).nullable(),
  /** Indentation, 0 to 2; the first line has 0. */
  level: z.number().int(),
});

/** Up to three images, one video, one embed, or nothing (api-facts 3.5). */
const stepMediaSchema = z.discriminatedUnion("type", [
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

const commentSchema = remarkSchema.extend({
  /** The replies, oldest first; only on the way to a target that comments are posted to. */
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

export const partSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** As on the site; a positive integer on writing. */
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
  category: z.string(),
  type: z.string(),
  subject: z.string(),
  summary: z.string(),
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
  /** Who may see it while it is private; null: not read (public, or disabled on the site). */
  viewers: z
    .object({
      users: z.array(personSchema).readonly(),
      teams: z.array(teamSchema).readonly(),
    })
    .nullable(),
  releases: z.array(z.number()).readonly(),
  /** Their details; only on the way to a target, to list them as lost. */
  releaseLines: z
    .array(z.object({ id: z.number(), title: z.string(), publishDate: z.number().nullable() }))
    .readonly()
    .optional(),
  workLogEnabled: z.boolean().nullable(),
  /** UNIX seconds. */
  createdDate: z.number().nullable(),
  publishedDate: z.number().nullable(),
  modifiedDate: z.number().nullable(),
  url: z.string(),
});

export type Line = Readonly<z.infer<typeof lineSchema>>;
export type StepMedia = Readonly<z.infer<typeof stepMediaSchema>>;
export type Comment = Readonly<z.infer<typeof commentSchema>>;
export type Step = Readonly<z.infer<typeof stepSchema>>;
export type Part = Readonly<z.infer<typeof partSchema>>;
export type Guide = Readonly<z.infer<typeof guideSchema>>;

/** The title of the ITEM page for a part or tool of this name (api-facts 4.1). */
export function itemTitle(name: string): string {
  return name.replaceAll("_", " ").trim();
}

/** A page in another language: the fields that a translation has for itself. */
export const wikiTranslationSchema = z.object({
  language: z.string(),
  displayTitle: z.string().nullable(),
  contents: z.string(),
  description: z.string(),
  pageTitle: z.string().nullable(),
  modifiedDate: z.number().nullable(),
});
export type WikiTranslation = Readonly<z.infer<typeof wikiTranslationSchema>>;

/** A wiki page in one language. A category (namespace CATEGORY) also has a place in a tree. */
export const wikiSchema = z.object({
  id: z.number().int().nullable(),
  namespace: z.enum(NAMESPACES),
  language: z.string(),
  /** With the namespace, the page's identity. */
  title: z.string(),
  /** Shown instead of the title; null when none. */
  displayTitle: z.string().nullable(),
  /** Wiki syntax: the source of truth (wiki-syntax 4.3). */
  contents: z.string(),
  /** The unchanged document tree; an empty tree does not mean an empty page. */
  tree: z.unknown(),
  html: z.string(),
  description: z.string(),
  image: keySchema.nullable(),
  flags: z.array(z.string()).readonly(),
  documents: z.array(keySchema).readonly(),
  tags: z.array(z.string()).readonly(),
  info: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  /** ITEM pages: unchanged rows (`part_#`, `type`, `supplier`, `url`). */
  suppliers: z.array(z.record(z.string(), z.unknown())).readonly(),
  tableOfContents: z.boolean().nullable(),
  pageTitle: z.string().nullable(),
  /** CATEGORY: the title of the parent; null at the top level. */
  parent: z.string().nullable(),
  /** CATEGORY: the position below its parent, from 0; null when the site gave no order. */
  position: z.number().int().nullable(),
  author: personSchema.nullable(),
  createdDate: z.number().nullable(),
  modifiedDate: z.number().nullable(),
  url: z.string().nullable(),
  /** By language; absent: not read. A page is one item, so they have no keys. */
  translations: z.array(wikiTranslationSchema).readonly().optional(),
  /** Only on the way to a target that comments are posted to: a page's own answer has none. */
  comments: z.array(commentSchema).readonly().optional(),
});
export type Wiki = Readonly<z.infer<typeof wikiSchema>>;

/** The page title, if it differs from the one that follows from the title; else null. */
export function ownPageTitle(wiki: Wiki): string | null {
  const { pageTitle, title, displayTitle } = wiki;
  return pageTitle === null || ["", title, displayTitle].includes(pageTitle) ? null : pageTitle;
}

/** An unchanged answer of the service without a model. */
const recordSchema = z.object({
  /** Relative to the API root: `tags`, `guides/releases`. */
  path: z.string(),
  query: z.record(z.string(), z.string()),
  status: z.number().int(),
  /** UNIX seconds of the reading. */
  readAt: z.number(),
  /** The parsed JSON; several pages are joined into one array. */
  answer: z.unknown(),
});
export type ServiceRecord = Readonly<z.infer<typeof recordSchema>>;

const common = {
  key: keySchema,
  /** The change token of the list; equal tokens mean unchanged. Empty: unknown. */
  revision: z.string(),
  /** The service's own answers, since the model has no field for everything. XML is a string. */
  raw: z.unknown(),
  /** The media that it needs, without repeats. */
  media: z.array(mediaUseSchema).readonly(),
  /** Keys of the same item in other languages. */
  translations: z.array(keySchema).readonly(),
  /** What was unusual in the answer. */
  issues: z.array(issueSchema).readonly(),
};

/** One item of a site, as it is read, stored and written. */
export const itemSchema = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("category"), body: wikiSchema }),
  z.object({ ...common, kind: z.literal("wiki"), body: wikiSchema }),
  z.object({ ...common, kind: z.literal("guide"), body: guideSchema }),
  z.object({ ...common, kind: z.literal("image"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("video"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("document"), body: mediaSchema }),
  z.object({ ...common, kind: z.literal("record"), body: recordSchema }),
]);

/** One item of a site, in the words of the model, with the answer of the service as `raw`. */
export type Item = Readonly<z.infer<typeof itemSchema>>;
/** An item of one kind. */
export type ItemOf<K extends Item["kind"]> = Extract<Item, { readonly kind: K }>;
export type GuideItem = ItemOf<"guide">;
export type WikiItem = ItemOf<"wiki"> | ItemOf<"category">;
export type MediaItem = ItemOf<MediaKind>;

export function isMediaItem(item: Item): item is MediaItem {
  return isMediaKind(item.kind);
}

/** The service decides by the extension alone (api-facts 5.2). */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/bmp": "bmp",
  "image/tiff": "tif",
  "image/heic": "heic",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/ogg": "ogv",
  "video/quicktime": "mov",
  "application/pdf": "pdf",
};

/** The extension of an upload, lower case, without the dot; undefined: unknown. */
export function extensionOf(media: Media): string | undefined {
  const named = /\.([a-z0-9_]{1,10})$/i.exec(media.fileName ?? "")?.[1];
  return named?.toLowerCase() ?? EXTENSIONS[media.content?.type ?? ""];
}
