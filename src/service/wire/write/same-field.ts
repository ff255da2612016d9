import { canonicalJson } from "../../../core/util/canonical-json.js";
import { text } from "./compared.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * A value of a body in the names of writing, sent or made by `writable`, so that two are equal when they mean the same: servers trim,
 * put canonical names in place of those of parts, and fill in what was left out (api-facts 3.7, 4.1, 8.4; wiki-syntax 1).
 */
export function plainField(field: string, value: unknown): unknown {
  const given = PLAIN[field];
  if (given !== undefined) return given(value);
  return typeof value === "string" ? text(value) : (value ?? null);
}

/** Do two values of a field mean the same? */
export function sameField(field: string, one: unknown, other: unknown): boolean {
  return canonicalJson(plainField(field, one)) === canonicalJson(plainField(field, other));
}

const PLAIN: Readonly<Record<string, (value: unknown) => unknown>> = {
  parts: (value) => rows(value).map(partOf),
  tools: (value) => rows(value).map(partOf),
  lines: (value) =>
    rows(value).map((line) => [
      text(line["text"]),
      line["bullet"] ?? line["bullet_styleid"] ?? null,
      line["level"] ?? 0,
    ]),
  media: mediaOf,
  documents: (value) => list(value).map((entry) => (isJson(entry) ? entry["documentid"] : entry)),
  prerequisites: list,
  steps: (value) => list(value).map(String),
  flags: (value) => list(value).map(String).sort(),
  info: (value) => rows(value).map((row) => [text(row["name"]), text(row["value"])]),
  suppliers: list,
  public: (value) => value === true,
  work_log_enabled: (value) => value === true,
  table_of_contents: (value) => value === true,
  time_required_min: Number,
  time_required_max: Number,
};

/**
 * Do two pictures, or lists of them, look alike although their ids differ? A site gives pictures new ids when it crops and encodes
 * them anew, also some time after they were attached (api-facts 4.5): then nobody knows whether somebody changed them.
 */
export function maybeEncodedAnew(field: string, one: unknown, other: unknown): boolean {
  if (field === "image") return isId(one) && isId(other);
  if (field !== "media" || !isJson(one) || !isJson(other)) return false;
  const [ids, others] = [list(one["data"]), list(other["data"])];
  return one["type"] === "image" && other["type"] === "image" && ids.length > 0 && ids.length === others.length;
}

function mediaOf(value: unknown): unknown {
  if (!isJson(value)) return ["image", []];
  const { type, data } = value;
  return data === null || data === undefined ? ["image", []] : [String(type).toLowerCase(), data];
}

function partOf(part: Json): unknown {
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

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function rows(value: unknown): readonly Json[] {
  return list(value).filter(isJson);
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
