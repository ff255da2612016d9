import type { Written } from "../../core/contracts.js";
import type { GuideFields } from "../../core/model/call.js";
import type { Part } from "../../core/model/guide.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, wikiKey } from "../../core/model/key.js";
import { clearing } from "./filled.js";
import { mediaId, mediaIds } from "./media-ids.js";
import type { Work } from "./parts.js";
import { writeText } from "./write-text.js";

type Json = Readonly<Record<string, unknown>>;

/** The body of POST /guides and PATCH /guides/{id}, with every id the target's (api-facts 4.1). `before`: the guide as we last left it. */
export async function guideBody(
  work: Work,
  fields: GuideFields,
  before: Written | undefined,
): Promise<{ readonly json: Json; readonly missing: readonly Key[] }> {
  const missing = new Set<Key>();
  const page = (text: string, path: string): Promise<string> => writeText(work, text, "page", path, missing);
  const documents = await mediaIds(work, fields.documents, "documents", missing);
  const featured = await mediaId(work, fields.featuredDocument, "featuredDocument", missing);
  const json = {
    category: await category(work, fields.category, missing),
    type: fields.type,
    title: fields.title,
    subject: fields.subject,
    summary: fields.summary,
    introduction: await page(fields.introduction, "introduction"),
    conclusion: await page(fields.conclusion, "conclusion"),
    difficulty: fields.difficulty ?? undefined,
    time_required_min: fields.timeRequired.min,
    time_required_max: fields.timeRequired.max,
    image: await mediaId(work, fields.image, "image", missing),
    objectid: await mediaId(work, fields.introductionVideo, "introductionVideo", missing),
    documents,
    featured_documentid: featured !== undefined && documents.includes(featured) ? featured : undefined,
    prerequisites: await prerequisites(work, fields, missing),
    parts: await partBodies(work, fields.parts, "parts", missing),
    tools: await partBodies(work, fields.tools, "tools", missing),
    work_log_enabled: fields.workLogEnabled ?? undefined,
    ...clearing("guide", before, fields.introductionVideo === null ? ["objectid"] : []),
  };
  return { json, missing: [...missing] };
}

/** A new guide is sent only what says something: the plainest body is the one that most sites take. */
export function withoutEmpty(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(
      ([, value]) =>
        value !== "" && value !== undefined && value !== 0 && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** One that isn't ours has the same title at the target. One that is still to come may get another, so the guide is written again then. */
async function category(work: Work, title: string, missing: Set<Key>): Promise<string> {
  const key = wikiKey("CATEGORY", title);
  const id = await work.context.idOf(key);
  if (id === undefined) missing.add(key);
  return id ?? title;
}

async function prerequisites(work: Work, fields: GuideFields, missing: Set<Key>): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [index, key] of fields.prerequisites.entries()) {
    const id = await work.context.idOf(key);
    if (id !== undefined) {
      ids.push(Number(id));
      continue;
    }
    missing.add(key);
    work.report((work.context.moves(key) ? prerequisiteWaiting : prerequisiteNotMoved)(key, index), key);
  }
  return ids;
}

/** Stands until its goal is there: then the guide is written again. */
function prerequisiteWaiting(key: Key, index: number): Omit<Issue, "key"> {
  return {
    code: "prerequisite-waiting",
    level: "loss",
    path: `prerequisites[${index}]`,
    message: `Its prerequisite ${key} is not at the target.`,
    remedy: "Load it and run again: it becomes a prerequisite then.",
  };
}

function prerequisiteNotMoved(key: Key, index: number): Omit<Issue, "key"> {
  return {
    code: "prerequisite-not-moved",
    level: "loss",
    path: `prerequisites[${index}]`,
    message: `Its prerequisite ${key} does not move.`,
    remedy: "Take it along with --include, or leave out --no-dependencies.",
  };
}

async function partBodies(
  work: Work,
  parts: readonly Part[],
  path: string,
  missing: Set<Key>,
): Promise<readonly Json[]> {
  const bodies: Json[] = [];
  for (const [index, part] of parts.entries()) {
    bodies.push({
      name: part.name,
      type: part.type === "" ? undefined : part.type,
      quantity: part.quantity ?? 1,
      notes:
        part.notes === "" ? undefined : await writeText(work, part.notes, "line", `${path}[${index}].notes`, missing),
      isoptional: part.optional === true ? true : undefined,
      featured: part.featured === true ? true : undefined,
    });
  }
  return bodies;
}
