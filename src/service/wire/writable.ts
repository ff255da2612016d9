import type { JsonObject } from "../../core/util/json.js";
import { objectIn, rowsIn, textIn } from "../../core/util/json.js";
import type { Body } from "../../core/writing.js";
import { type Compared, isMadeUp, parentIn } from "./compared-fields.js";
import { englishDifficulty } from "./shared-fields.js";

/**
 * An answer as a body of writing (api-facts 4.1, 4.4, 8.4; 11, row 5), which restores the content
 * when it is sent again. It includes fields of other calls: `public`, `author`, `steps` (ids in
 * order), `parent`, `page_title`. A field missing in the answer is absent. A made-up answer has
 * only the order of steps.
 */
export function writable(of: Compared, json: unknown): Body {
  const resource = objectIn(json);
  if (isMadeUp(json)) {
    const steps = of === "guide" ? WRITTEN.guide["steps"]?.(resource) : undefined;
    return steps === undefined ? {} : { steps };
  }
  const entries = Object.entries(WRITTEN[of]).map(([name, read]) => [name, read(resource)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const WRITTEN: Readonly<Record<Compared, Readonly<Record<string, (json: JsonObject) => unknown>>>> = {
  guide: {
    category: ({ category }) => textIn(category),
    type: ({ type }) => textIn(type),
    title: ({ title }) => textIn(title),
    subject: ({ subject }) => textIn(subject),
    summary: ({ summary }) => textIn(summary),
    introduction: (json) => textIn(json["introduction_raw"]),
    conclusion: (json) => textIn(json["conclusion_raw"]),
    difficulty: ({ difficulty }) => englishDifficulty(textIn(difficulty)),
    time_required_min: (json) => Number(json["time_required_min"] ?? 0),
    time_required_max: (json) => Number(json["time_required_max"] ?? 0),
    image: ({ image }) => idOf(image),
    objectid: (json) => objectIn(json["intro_video"])["objectid"] ?? null,
    documents: ({ documents }) => rowsIn(documents).map(({ documentid }) => documentid),
    featured_documentid: (json) => json["featured_documentid"] ?? null,
    prerequisites: ({ prerequisites }) => rowsIn(prerequisites).map(({ guideid }) => guideid),
    parts: ({ parts }) => rowsIn(parts).map(partOf),
    tools: ({ tools }) => rowsIn(tools).map(partOf),
    work_log_enabled: (json) => (typeof json["work_log_enabled"] === "boolean" ? json["work_log_enabled"] : undefined),
    flags: ({ flags }) => flagIds(flags),
    public: (json) => json["public"] === true,
    author: ({ author }) => objectIn(author)["userid"],
    steps: ({ steps, guideid }) =>
      Array.isArray(steps)
        ? rowsIn(steps)
            .filter((step) => step["guideid"] === undefined || step["guideid"] === guideid)
            .map(({ stepid }) => stepid)
        : undefined,
  },
  step: {
    title: ({ title }) => textIn(title),
    lines: ({ lines }) => rowsIn(lines).map(lineOf),
    media: ({ media }) => mediaOf(objectIn(media)),
  },
  wiki: {
    contents: (json) => textIn(json["contents_raw"]),
    display_title: (json) => textIn(json["display_title"]),
    description: (json) => (json["description"] === undefined ? undefined : textIn(json["description"])),
    image: ({ image }) => idOf(image),
    documents: ({ documents }) =>
      documents === undefined ? undefined : rowsIn(documents).map(({ documentid }) => ({ documentid })),
    info: ({ info }) =>
      info === undefined
        ? undefined
        : rowsIn(info)
            .filter((row) => !row["inheritedFrom"])
            .map(({ name, value }) => ({ name: textIn(name), value: textIn(value) })),
    suppliers: ({ suppliers }) => (suppliers === undefined ? undefined : rowsIn(suppliers)),
    table_of_contents: (json) =>
      json["table_of_contents"] === undefined ? undefined : json["table_of_contents"] === true,
    flags: ({ flags }) => flagIds(flags),
    page_title: (json) => textIn(json["page_title"]),
    parent: (json) => parentIn(json),
  },
};

function lineOf(line: JsonObject): JsonObject {
  const common = { text: textIn(line["text_raw"]), level: line["level"] ?? 0 };
  // A site's own style has only an id (api-facts 3.4).
  return typeof line["bullet"] === "string" && line["bullet"] !== ""
    ? { ...common, bullet: line["bullet"] }
    : { ...common, bullet_styleid: line["bullet_styleid"] };
}

function partOf(part: JsonObject): JsonObject {
  return {
    name: textIn(part["text"]),
    ...(textIn(part["type"]) === "" ? {} : { type: textIn(part["type"]) }),
    quantity: Number(part["quantity"] ?? 1),
    ...(textIn(part["notes"]) === "" ? {} : { notes: textIn(part["notes"]) }),
    ...(part["isoptional"] === true ? { isoptional: true } : {}),
    ...(part["featured"] === true ? { featured: true } : {}),
  };
}

/** Videos and embeds are written as `object` (api-facts 4.5). */
function mediaOf({ type, data }: JsonObject): JsonObject {
  const objectid = objectIn(data)["objectid"];
  if (objectid !== undefined && objectid !== null) return { type: "object", data: objectid };
  const images = String(type).toLowerCase() === "image" ? rowsIn(data).map(({ id }) => id) : [];
  return { type: "image", data: images };
}

function flagIds(flags: unknown): readonly string[] {
  if (Array.isArray(flags)) return flags.map((flag: unknown) => String(objectIn(flag)["flagid"] ?? flag));
  return Object.keys(objectIn(flags));
}

function idOf(image: unknown): unknown {
  return objectIn(image)["id"] ?? objectIn(image)["imageid"] ?? null;
}
