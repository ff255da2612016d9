import type { Body } from "../../core/contracts.js";
import { objectIn } from "../../core/util/json.js";
import { type Compared, parentIn } from "./compared-fields.js";
import { englishDifficulty } from "./shared-fields.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * An answer in the names of writing (api-facts 4.1, 4.4, 8.4; 11, row 5): what would have to be
 * sent so that the thing becomes as it was read. Beside the fields that one write carries there is
 * what has calls of its own: `public`, `author`, `steps` (the ids in order) of a guide, `parent`
 * and `page_title` of a page. A field that the answer doesn't tell of is absent.
 */
export function writable(of: Compared, json: unknown): Body {
  const resource = objectIn(json);
  const entries = Object.entries(WRITTEN[of]).map(([name, read]) => [name, read(resource)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const WRITTEN: Readonly<Record<Compared, Readonly<Record<string, (json: Json) => unknown>>>> = {
  guide: {
    category: ({ category }) => text(category),
    type: ({ type }) => text(type),
    title: ({ title }) => text(title),
    subject: ({ subject }) => text(subject),
    summary: ({ summary }) => text(summary),
    introduction: (json) => text(json["introduction_raw"]),
    conclusion: (json) => text(json["conclusion_raw"]),
    difficulty: ({ difficulty }) => englishDifficulty(text(difficulty)),
    time_required_min: (json) => Number(json["time_required_min"] ?? 0),
    time_required_max: (json) => Number(json["time_required_max"] ?? 0),
    image: ({ image }) => idOf(image),
    objectid: (json) => objectIn(json["intro_video"])["objectid"] ?? null,
    documents: ({ documents }) => rows(documents).map(({ documentid }) => documentid),
    featured_documentid: (json) => json["featured_documentid"] ?? null,
    prerequisites: ({ prerequisites }) => rows(prerequisites).map(({ guideid }) => guideid),
    parts: ({ parts }) => rows(parts).map(partOf),
    tools: ({ tools }) => rows(tools).map(partOf),
    work_log_enabled: (json) => (typeof json["work_log_enabled"] === "boolean" ? json["work_log_enabled"] : undefined),
    flags: ({ flags }) => flagIds(flags),
    public: (json) => json["public"] === true,
    author: ({ author }) => objectIn(author)["userid"],
    steps: ({ steps, guideid }) =>
      Array.isArray(steps)
        ? rows(steps)
            .filter((step) => step["guideid"] === undefined || step["guideid"] === guideid)
            .map(({ stepid }) => stepid)
        : undefined,
  },
  step: {
    title: ({ title }) => text(title),
    lines: ({ lines }) => rows(lines).map(lineOf),
    media: ({ media }) => mediaOf(objectIn(media)),
  },
  wiki: {
    contents: (json) => text(json["contents_raw"]),
    display_title: (json) => text(json["display_title"]),
    description: (json) => (json["description"] === undefined ? undefined : text(json["description"])),
    image: ({ image }) => idOf(image),
    documents: ({ documents }) =>
      documents === undefined ? undefined : rows(documents).map(({ documentid }) => ({ documentid })),
    info: ({ info }) =>
      info === undefined
        ? undefined
        : rows(info)
            .filter((row) => !row["inheritedFrom"])
            .map(({ name, value }) => ({ name: text(name), value: text(value) })),
    suppliers: ({ suppliers }) => (suppliers === undefined ? undefined : rows(suppliers)),
    table_of_contents: (json) =>
      json["table_of_contents"] === undefined ? undefined : json["table_of_contents"] === true,
    flags: ({ flags }) => flagIds(flags),
    page_title: (json) => text(json["page_title"]),
    parent: (json) => parentIn(json),
  },
};

function lineOf(line: Json): Json {
  const common = { text: text(line["text_raw"]), level: line["level"] ?? 0 };
  // A style of the site's own has a number only (api-facts 3.4).
  return typeof line["bullet"] === "string" && line["bullet"] !== ""
    ? { ...common, bullet: line["bullet"] }
    : { ...common, bullet_styleid: line["bullet_styleid"] };
}

function partOf(part: Json): Json {
  return {
    name: text(part["text"]),
    ...(text(part["type"]) === "" ? {} : { type: text(part["type"]) }),
    quantity: Number(part["quantity"] ?? 1),
    ...(text(part["notes"]) === "" ? {} : { notes: text(part["notes"]) }),
    ...(part["isoptional"] === true ? { isoptional: true } : {}),
    ...(part["featured"] === true ? { featured: true } : {}),
  };
}

/** A video and an embed are written as `object` (api-facts 4.5). */
function mediaOf({ type, data }: Json): Json {
  const objectid = objectIn(data)["objectid"];
  if (objectid !== undefined && objectid !== null) return { type: "object", data: objectid };
  const images = String(type).toLowerCase() === "image" ? rows(data).map(({ id }) => id) : [];
  return { type: "image", data: images };
}

function flagIds(flags: unknown): readonly string[] {
  if (Array.isArray(flags)) return flags.map((flag: unknown) => String(objectIn(flag)["flagid"] ?? flag));
  return Object.keys(objectIn(flags));
}

function idOf(image: unknown): unknown {
  return objectIn(image)["id"] ?? objectIn(image)["imageid"] ?? null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function rows(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectIn) : [];
}
