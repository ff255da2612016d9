import { canonicalJson, digest, isObject, type JsonObject, listIn } from "../../core/util/json.js";

/**
 * How a sent field reads back, since write names differ from read names (api-facts 11, row 5).
 * Without fields that a site changes by itself.
 */
const READ_BACK = {
  guide: {
    title: (json) => text(json["title"]),
    category: (json) => text(json["category"]),
    type: (json) => text(json["type"]),
    subject: (json) => text(json["subject"]),
    summary: (json) => text(json["summary"]),
    introduction: (json) => text(json["introduction_raw"]),
    conclusion: (json) => text(json["conclusion_raw"]),
    difficulty: (json) => text(json["difficulty"]),
    time_required_min: (json) => Number(json["time_required_min"] ?? 0),
    time_required_max: (json) => Number(json["time_required_max"] ?? 0),
    prerequisites: (json) => rows(json["prerequisites"]).map((row) => row["guideid"]),
    documents: (json) => rows(json["documents"]).map((row) => row["documentid"]),
    parts: (json) => rows(json["parts"]).map(partOf),
    tools: (json) => rows(json["tools"]).map(partOf),
    flags: (json) =>
      rows(json["flags"])
        .map((row) => row["flagid"] ?? row)
        .sort(),
    public: (json) => json["public"] === true,
  },
  step: {
    title: (json) => text(json["title"]),
    lines: (json) => rows(json["lines"]).map(lineOf),
    media: (json) => mediaOf(json["media"]),
  },
  wiki: {
    contents: (json) => text(json["contents_raw"]),
    display_title: (json) => text(json["display_title"]),
    description: (json) => text(json["description"]),
    documents: (json) => rows(json["documents"]).map((row) => row["documentid"]),
    info: (json) => rows(json["info"]).map((row) => [text(row["name"]), text(row["value"])]),
    flags: (json) => flagIds(json["flags"]),
  },
} as const satisfies Record<string, Readonly<Record<string, (json: JsonObject) => unknown>>>;

/** Fields of edits only; the digest has them separately. */
const EDITED: Readonly<Record<keyof typeof READ_BACK, Readonly<Record<string, (json: JsonObject) => unknown>>>> = {
  guide: { author: (json) => (isObject(json["author"]) ? json["author"]["userid"] : null) },
  step: {},
  wiki: { page_title: (json) => text(json["page_title"]) },
};

/** The sent form, if it is not a plain value. */
const SENT: Readonly<Record<string, (value: unknown) => unknown>> = {
  parts: (value) => rows(value).map((part) => partOf({ ...part, text: part["name"] })),
  tools: (value) => rows(value).map((part) => partOf({ ...part, text: part["name"] })),
  lines: (value) => rows(value).map((line) => lineOf({ ...line, text_raw: line["text"] })),
  media: (value) => mediaOf(value),
  documents: (value) => listIn(value).map((entry) => (isObject(entry) ? entry["documentid"] : entry)),
  prerequisites: listIn,
  flags: (value) => listIn(value).map(String).sort(),
  info: (value) => rows(value).map((row) => [text(row["name"]), text(row["value"])]),
  public: (value) => value === true,
  author: Number,
  time_required_min: Number,
  time_required_max: Number,
};

export type Compared = keyof typeof READ_BACK;

/** Other editable fields. Of images only their presence: sites give them new ids. */
const LEFT_BESIDE: Readonly<Record<Compared, (json: JsonObject) => unknown>> = {
  guide: (json) => [
    isObject(json["image"]),
    isObject(json["intro_video"]),
    json["featured_documentid"] ?? null,
    isObject(json["author"]) ? json["author"]["userid"] : null,
    json["work_log_enabled"] === true,
  ],
  step: () => null,
  wiki: (json) => [
    isObject(json["image"]),
    parentIn(json) ?? null,
    text(json["page_title"]),
    json["table_of_contents"] === true,
    listIn(json["suppliers"]),
  ],
};

/** Marks an answer that a rehearsal made up: it has ids, and nothing compares its content. */
export const MADE_UP = Symbol("made up");

export function isMadeUp(json: unknown): boolean {
  return isObject(json) && MADE_UP in json;
}

/** Equal digests: no remote edit. Empty: the answer is made up. */
export function writtenDigest(of: Compared, json: unknown): string {
  if (isMadeUp(json)) return "";
  const resource = isObject(json) ? json : {};
  return digest([
    ...Object.entries(READ_BACK[of]).map(([name, read]) => [name, read(resource)]),
    LEFT_BESIDE[of](resource),
  ]);
}

/** null: top level; undefined: not in the answer (api-facts 8.3). */
export function parentIn(json: unknown): string | null | undefined {
  if (!isObject(json)) return undefined;
  const { parent, ancestors } = json;
  if (typeof parent === "string" || parent === null) return parent;
  if (!Array.isArray(ancestors)) return undefined;
  const [closest] = rows(ancestors);
  return closest === undefined ? null : text(closest["title"] ?? closest["flagid"]);
}

export function carries(of: Compared, json: unknown, sent: JsonObject): boolean {
  if (!isObject(json)) return false;
  return Object.entries({ ...READ_BACK[of], ...EDITED[of] }).every(([name, read]) => {
    if (sent[name] === undefined) return true;
    const value = SENT[name]?.(sent[name]) ?? text(sent[name]);
    return digest(value) === digest(read(json));
  });
}

/** Servers trim and re-encode: the result of that is compared (wiki-syntax 1, api-facts 7). */
export function text(value: unknown): string {
  return typeof value === "string"
    ? value
        .replace(/\r\n?/g, "\n")
        .replace(/(?<![ \t])[ \t]+$/gm, "")
        .trim()
    : "";
}

function lineOf(line: JsonObject): unknown {
  return [text(line["text_raw"]), line["bullet"], line["level"]];
}

function partOf(part: JsonObject): unknown {
  return [text(part["text"]).toLowerCase(), text(part["type"]), Number(part["quantity"] ?? 1), text(part["notes"])];
}

/**
 * Re-encoding changes ids (api-facts 4.5), so kind and number count; a video is written as
 * `object`.
 */
function mediaOf(value: unknown): unknown {
  if (!isObject(value)) return ["image", 0];
  const type = value["type"] === "object" ? "video" : String(value["type"]).toLowerCase();
  const { data } = value;
  const count = Array.isArray(data) ? data.length : data === null || data === undefined ? 0 : 1;
  return count === 0 ? ["image", 0] : [type, count];
}

function flagIds(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((flag) => (isObject(flag) ? String(flag["flagid"]) : String(flag))).sort();
  return isObject(value) ? Object.keys(value).sort() : [];
}

function rows(value: unknown): readonly JsonObject[] {
  return listIn(value).map((entry) => (isObject(entry) ? entry : { flagid: entry }));
}

/**
 * The normal form of a value: servers trim, replace names of parts by canonical ones, and set
 * defaults (api-facts 3.7, 4.1, 8.4; wiki-syntax 1).
 */
export function plainField(field: string, value: unknown): unknown {
  const given = PLAIN[field];
  if (given !== undefined) return given(value);
  return typeof value === "string" ? text(value) : (value ?? null);
}

export function sameField(field: string, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return canonicalJson(plainField(field, one)) === canonicalJson(plainField(field, other));
}

const PLAIN: Readonly<Record<string, (value: unknown) => unknown>> = {
  parts: (value) => plainRows(value).map(plainPart),
  tools: (value) => plainRows(value).map(plainPart),
  lines: (value) =>
    plainRows(value).map((line) => [
      text(line["text"]),
      line["bullet"] ?? line["bullet_styleid"] ?? null,
      line["level"] ?? 0,
    ]),
  media: plainMedia,
  documents: (value) => listIn(value).map((entry) => (isObject(entry) ? entry["documentid"] : entry)),
  prerequisites: listIn,
  steps: (value) => listIn(value).map(String),
  flags: (value) => listIn(value).map(String).sort(),
  info: (value) => plainRows(value).map((row) => [text(row["name"]), text(row["value"])]),
  suppliers: listIn,
  public: (value) => value === true,
  work_log_enabled: (value) => value === true,
  table_of_contents: (value) => value === true,
  time_required_min: Number,
  time_required_max: Number,
};

/**
 * Pictures that differ by id only: a site gives new ids when it crops or encodes, also later
 * (api-facts 4.5), so an edit is not certain.
 */
export function maybeReencoded(field: string, one: unknown, other: unknown): boolean {
  if (field === "image") return isId(one) && isId(other);
  if (field !== "media" || !isObject(one) || !isObject(other)) return false;
  const [ids, others] = [listIn(one["data"]), listIn(other["data"])];
  return one["type"] === "image" && other["type"] === "image" && ids.length > 0 && ids.length === others.length;
}

function plainMedia(value: unknown): unknown {
  if (!isObject(value)) return ["image", []];
  const { type, data } = value;
  return data === null || data === undefined ? ["image", []] : [String(type).toLowerCase(), data];
}

function plainPart(part: JsonObject): unknown {
  const named = [
    text(part["name"]).toLowerCase(),
    text(part["type"]),
    Number(part["quantity"] ?? 1),
    text(part["notes"]),
  ];
  return [...named, part["isoptional"] === true, part["featured"] === true];
}

function isId(value: unknown): boolean {
  return typeof value === "number";
}

export function plainRows(value: unknown): readonly JsonObject[] {
  return listIn(value).filter(isObject);
}
