import { z } from "zod";
import type { Dialect } from "../state/settings.js";
import type { Namespace } from "../state/wiki.js";
import { savedText, savedTitle } from "./saved-text.js";

const text = z.string().transform(savedText).optional();
const title = z.string().transform(savedTitle);

/** Every field that a wiki can be written with (facts, 8.4). */
const FIELDS = {
  contents: text,
  image: z.int().positive().nullable().optional(),
  display_title: title.nullable().optional(),
  description: text,
  flags: z.array(z.string()).optional(),
  info: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  suppliers: z
    .array(
      z.strictObject({
        "part_#": z.string().optional(),
        type: z.string().optional(),
        supplier: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .optional(),
  documents: z.array(z.strictObject({ documentid: z.int().positive() })).optional(),
  table_of_contents: z.boolean().optional(),
  repairability_score: z.number().nullable().optional(),
  page_title: z.string().max(255).transform(savedTitle).optional(),
  source_revisionid: z.int().positive().optional(),
};

const wiki = z.strictObject(FIELDS);
export type WikiBody = z.infer<typeof wiki>;

/** Which of them a namespace has; a field of another namespace gives 422. */
const FIELDS_OF: Readonly<Record<Namespace, readonly (keyof typeof FIELDS)[]>> = {
  CATEGORY: ["contents", "image", "display_title", "description", "flags", "info", "documents", "source_revisionid"],
  ITEM: ["contents", "image", "display_title", "description", "flags", "info", "suppliers", "source_revisionid"],
  WIKI: [
    "contents",
    "image",
    "display_title",
    "description",
    "flags",
    "documents",
    "table_of_contents",
    "source_revisionid",
  ],
  INFO: ["contents", "image", "display_title", "description", "flags", "source_revisionid"],
  TEAM: ["contents", "image", "flags", "source_revisionid"],
  USER: ["contents", "image", "flags", "source_revisionid"],
};

/** The body of `PATCH /wikis/{namespace}/{title}`; namespace and title can't be changed. */
export function wikiPatch(namespace: Namespace, dialect: Dialect): z.ZodType<WikiBody> {
  return wiki.pick(masks([...fieldsOf(namespace, dialect), "page_title"])).strict();
}

/** The body of `POST /wikis`: namespace, title and contents are required, `contents` may be empty. */
export function wikiCreation(
  namespace: Namespace,
  dialect: Dialect,
): z.ZodType<WikiBody & { namespace: string; title: string; contents: string; langid?: string | undefined }> {
  return wiki
    .pick(masks(fieldsOf(namespace, dialect)))
    .extend({
      namespace: z.string(),
      title: title.refine((one) => one !== "", "a wiki needs a title"),
      contents: z.string().transform(savedText),
      langid: z.string().optional(),
    })
    .strict();
}

function fieldsOf(namespace: Namespace, dialect: Dialect): readonly (keyof typeof FIELDS)[] {
  const scored = namespace === "CATEGORY" && dialect === "ifixit";
  return scored ? [...FIELDS_OF.CATEGORY, "repairability_score"] : FIELDS_OF[namespace];
}

function masks(fields: readonly (keyof typeof FIELDS)[]): Partial<Record<keyof typeof FIELDS, true>> {
  return Object.fromEntries(fields.map((field) => [field, true]));
}
