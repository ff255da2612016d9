import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The folder of the invented site, `samples/site`. */
export const FOLDER = fileURLToPath(new URL("../../samples/site/", import.meta.url));

const image = z.looseObject({ id: z.int(), guid: z.string(), original: z.string() });
const line = z.looseObject({
  text_raw: z.string(),
  text_rendered: z.string(),
  bullet: z.string(),
  bullet_styleid: z.int(),
  bullet_style: z.looseObject({ bullet_styleid: z.int(), label: z.string().nullable() }),
  level: z.int(),
  lineid: z.null(),
});
const reply = z.looseObject({ commentid: z.int(), parentid: z.int().nullable(), text_raw: z.string() });
const comment = reply.extend({
  context: z.string(),
  contextid: z.int(),
  date: z.int(),
  modified_date: z.int(),
  status: z.string(),
  replies: z.array(reply),
});
const step = z.looseObject({
  stepid: z.int(),
  guideid: z.int(),
  orderby: z.int(),
  title: z.string(),
  lines: z.array(line),
  media: z.discriminatedUnion("type", [
    z.object({ type: z.literal("image"), data: z.array(image) }),
    z.object({ type: z.literal("video"), data: z.looseObject({ videoid: z.int(), objectid: z.int() }) }),
    z.object({ type: z.literal("embed"), data: z.looseObject({ embedid: z.int(), html: z.string() }) }),
  ]),
  comments: z.array(comment),
});
const part = z.looseObject({
  text: z.string(),
  type: z.string(),
  quantity: z.int().positive(),
  notes: z.string().nullable(),
  url: z.string(),
});
const guide = z.looseObject({
  guideid: z.int(),
  guide_revisionid: z.int(),
  revisionid: z.int(),
  locale: z.string(),
  title: z.string(),
  category: z.string(),
  subject: z.string(),
  type: z.string(),
  summary: z.string(),
  difficulty: z.string(),
  time_required_min: z.int(),
  time_required_max: z.int(),
  introduction_raw: z.string(),
  introduction_rendered: z.string(),
  introduction_json: z.looseObject({ type: z.literal("doc") }),
  conclusion_raw: z.string(),
  conclusion_rendered: z.string(),
  flags: z.array(z.looseObject({ flagid: z.string() })),
  image: image.nullable(),
  documents: z.array(z.looseObject({ documentid: z.int(), text: z.string() })),
  featured_documentid: z.int().nullable(),
  intro_video: z.looseObject({ embedid: z.int().optional(), videoid: z.int().optional() }).nullable(),
  intro_video_url: z.string().nullable(),
  parts: z.array(part),
  tools: z.array(part),
  prerequisites: z.array(z.looseObject({ guideid: z.int(), revisionid: z.int(), prereq_modified_date: z.int() })),
  steps: z.array(step),
  comments: z.array(comment),
  author: z.looseObject({ userid: z.int(), enabled: z.boolean(), banned: z.null() }),
  public: z.boolean(),
});
const summary = z.looseObject({
  guideid: z.int(),
  guide_revisionid: z.int(),
  revisionid: z.int(),
  locale: z.string(),
  flags: z.array(z.string()),
  tags: z.union([z.array(z.string()), z.literal(false)]),
  isArchived: z.boolean(),
});
const wiki = z.looseObject({
  wikiid: z.int(),
  namespace: z.string(),
  title: z.string(),
  display_title: z.string(),
  revisionid: z.int().nullable(),
  description: z.string(),
  contents_raw: z.string(),
  contents_rendered: z.string(),
  image: image.nullable(),
  flags: z.union([z.record(z.string(), z.unknown()), z.tuple([])]),
  tags: z.array(z.string()),
});
const person = z.looseObject({
  userid: z.int(),
  enabled: z.boolean(),
  about_raw: z.union([z.string(), z.literal(false)]),
});
const site = z.looseObject({
  name: z.string(),
  url: z.string(),
  dialect: z.string(),
  guideTypes: z.array(z.string()),
  flags: z.array(z.string()),
  extensions: z.array(z.string()),
  languages: z.array(z.string()),
  users: z.array(person),
  teams: z.array(z.looseObject({ teamid: z.int() })),
});

export type Guide = z.infer<typeof guide>;
export type Wiki = z.infer<typeof wiki>;
export type Branch = { title: string; display_title?: string; children?: Branch[] };

/** All files below the folder, as paths relative to it, README aside. */
export const FILES: readonly string[] = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "README.md")
  .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length));

export function bytes(path: string): Buffer {
  return readFileSync(join(FOLDER, path));
}

export function json<T>(path: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(bytes(path).toString("utf8")));
}

function all<T>(pattern: RegExp, schema: z.ZodType<T>): T[] {
  return FILES.filter((path) => pattern.test(path)).map((path) => json(path, schema));
}

export const SITE = json("site.json", site);
export const GUIDES: readonly Guide[] = all(/^guides\/\d+\.json$/, guide);
export const GERMAN: readonly Guide[] = all(/^guides\/\d+@de\.json$/, guide);
export const SUMMARIES = json("guides_index.json", z.array(summary));
export const WIKIS: readonly Wiki[] = all(/^wikis\//, wiki);
export const COMMENTS = json("comments.json", z.array(comment));
export const TAGS = json("tags.json", z.array(z.string()));
export const HIERARCHY = json("hierarchy.json", z.array(z.custom<Branch>(isBranch)));
export const STEPS = GUIDES.flatMap(({ steps }) => steps);
export const LINES = STEPS.flatMap(({ lines }) => lines);

/** Every wiki text of the site by where it stands. */
export const TEXTS: Readonly<Record<string, readonly string[]>> = {
  introduction: GUIDES.map((one) => one.introduction_raw),
  conclusion: GUIDES.map((one) => one.conclusion_raw),
  line: LINES.map((one) => one.text_raw),
  wiki: WIKIS.map((one) => one.contents_raw),
  comment: COMMENTS.map((one) => one.text_raw),
};

export function wikiPage(namespace: string, title: string): Wiki {
  const found = WIKIS.find((one) => one.namespace === namespace && one.title === title);
  if (found === undefined) throw new Error(`samples/site has no ${namespace} «${title}»`);
  return found;
}

function isBranch(value: unknown): boolean {
  const branch = z.object({
    title: z.string(),
    display_title: z.string().optional(),
    children: z.array(z.custom<Branch>(isBranch)).optional(),
  });
  return branch.safeParse(value).success;
}
