import { type JsonObject, listIn, objectIn, rowsIn } from "../../core/util/json.js";

type IdKind = "guide" | "image" | "video" | "document";

export interface ReadableNames {
  /** `guide/12 "Warp"`. */
  named(kind: IdKind, id: string): string;
  /** The text with readable names instead of made-up ids. */
  text(text: string): string;
}

/** A field of a body of writing as lines of text. Empty: nothing. */
export function readableField(field: string, value: unknown, names: ReadableNames): string {
  if (value === null || value === undefined) return "";
  const read = READERS[field];
  if (read !== undefined) return read(value, names);
  const kind = FIELD_KINDS[field];
  if (kind !== undefined) return namesOf(kind, value, names);
  if (typeof value === "string") return names.text(value).replace(/\r\n?/g, "\n").trimEnd();
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

const READERS: Readonly<Record<string, (value: unknown, names: ReadableNames) => string>> = {
  lines: (value, names) =>
    rowsIn(value)
      .map((line) => lineOf(line, names))
      .join("\n"),
  media: mediaOf,
  parts: (value, names) =>
    rowsIn(value)
      .map((part) => partOf(part, names))
      .join("\n"),
  tools: (value, names) =>
    rowsIn(value)
      .map((part) => partOf(part, names))
      .join("\n"),
  info: (value) =>
    rowsIn(value)
      .map(({ name, value: text }) => `${String(name)}: ${String(text)}`)
      .join("\n"),
  suppliers: (value) =>
    rowsIn(value)
      .map((row) => JSON.stringify(row))
      .join("\n"),
  flags: (value) => listIn(value).map(String).sort().join("\n"),
  time_required_min: minutes,
  time_required_max: minutes,
};

/** `value`: seconds. */
function minutes(value: unknown): string {
  const seconds = Number(value);
  if (seconds === 0) return "";
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function lineOf({ text, bullet, bullet_styleid: style, level }: JsonObject, names: ReadableNames): string {
  const indent = "    ".repeat(Math.max(0, Math.min(9, Number(level) || 0)));
  const sign = style === undefined || style === null ? String(bullet ?? "black") : `style ${String(style)}`;
  return `${indent}${sign === "black" ? "•" : `• (${sign})`} ${names.text(String(text ?? ""))}`;
}

function partOf(part: JsonObject, names: ReadableNames): string {
  const type = part["type"] === undefined || part["type"] === "" ? "" : `, ${String(part["type"])}`;
  const notes = part["notes"] === undefined || part["notes"] === "" ? "" : `: ${names.text(String(part["notes"]))}`;
  const marks = [part["isoptional"] === true ? " (optional)" : "", part["featured"] === true ? " (featured)" : ""];
  return `${Number(part["quantity"] ?? 1)} × ${String(part["name"] ?? "")}${type}${marks.join("")}${notes}`;
}

function mediaOf(value: unknown, names: ReadableNames): string {
  const { type, data } = objectIn(value);
  if (String(type) !== "object") return namesOf("image", data, names);
  return data === null || data === undefined ? "" : names.named("video", String(data));
}

function namesOf(kind: IdKind, value: unknown, names: ReadableNames): string {
  const ids = (Array.isArray(value) ? value : [value]).map((entry: unknown) => objectIn(entry)["documentid"] ?? entry);
  const known = ids.filter((id) => id !== null && id !== undefined);
  return known.map((id) => names.named(kind, String(id))).join("\n");
}

/** The names of the fields of writing in texts, in reading order. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  title: "title",
  category: "category",
  type: "type",
  subject: "subject",
  display_title: "title shown",
  page_title: "page title",
  parent: "parent",
  summary: "summary",
  description: "description",
  difficulty: "difficulty",
  time_required_min: "time required (minimum)",
  time_required_max: "time required (maximum)",
  introduction: "introduction",
  contents: "contents",
  lines: "lines",
  media: "media",
  image: "picture",
  objectid: "introduction video",
  conclusion: "conclusion",
  documents: "documents",
  featured_documentid: "featured document",
  prerequisites: "prerequisites",
  parts: "parts",
  tools: "tools",
  info: "info table",
  suppliers: "suppliers",
  table_of_contents: "table of contents",
  work_log_enabled: "work log",
  flags: "flags",
  author: "author",
  langid: "language",
};

/** The kinds of items that fields name by ids (api-facts 4.1, 4.5). */
export const FIELD_KINDS: Readonly<Record<string, "guide" | "image" | "video" | "document">> = {
  prerequisites: "guide",
  documents: "document",
  featured_documentid: "document",
  image: "image",
  objectid: "video",
};
