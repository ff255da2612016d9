import { isObject } from "../wire/place.js";
import { asId, DEEPEST, type Fields, fieldOf } from "./fields.js";
import { plainText } from "./plain-text.js";
import { FIELDS, plainWord, USAGE_PLACES } from "./vocabulary.js";

/** A line for each place that an answer names; its shape is not known, so whatever it says is shown. */
export function readUsage(answer: unknown): readonly string[] {
  const content = contentOf(answer);
  if (Array.isArray(content)) return content.flatMap((row: unknown) => lineOf("", row));
  if (!isObject(content)) return scalar("", content);
  return Object.entries(content).flatMap(([name, value]) => entry(name, value));
}

function contentOf(answer: unknown, depth = 0): unknown {
  const inner = isObject(answer) && depth < DEEPEST ? fieldOf(answer, USAGE_PLACES) : undefined;
  return typeof inner === "object" ? contentOf(inner, depth + 1) : answer;
}

/** What an answer says of the module itself. */
const NO_PLACE: ReadonlySet<string> = new Set([...FIELDS.moduleId, ...FIELDS.title, ...FIELDS.state]);

/** A field of the answer: `courses: […]`, `count: 3`. */
function entry(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((row: unknown) => lineOf(name, row));
  if (isObject(value)) return lineOf(name, value);
  return NO_PLACE.has(plainWord(name)) ? [] : scalar(name, value);
}

function lineOf(group: string, row: unknown): readonly string[] {
  if (!isObject(row)) return scalar(group, row);
  const kind = textOf(fieldOf(row, FIELDS.kind)) ?? group;
  const title = textOf(fieldOf(row, FIELDS.title));
  const id = idOf(row);
  const line =
    title === undefined && id === undefined
      ? [group, pairsOf(row)].filter((part) => part !== "").join(": ")
      : [kind, title === undefined ? "" : `“${title}”`, id ?? ""].filter((part) => part !== "").join(" ");
  return line === "" ? [] : [plainText(line)];
}

/** Its own id, or that of what it names: `{"courseid": 7}`. */
function idOf(row: Fields): string | undefined {
  const own = asId(fieldOf(row, ["id"]));
  if (own !== undefined) return own;
  const named = Object.entries(row).flatMap(([name, value]) => {
    const id = /id$/i.test(name) && !NO_PLACE.has(plainWord(name)) ? asId(value) : undefined;
    return id === undefined ? [] : [`${name} ${id}`];
  });
  return named.length === 0 ? undefined : named.join(", ");
}

function pairsOf(row: Fields): string {
  return Object.entries(row)
    .flatMap(([name, value]) => scalar(name, value))
    .join(", ");
}

/** Nothing, zero and an empty text say that it is used nowhere. */
function scalar(name: string, value: unknown): readonly string[] {
  const text = textOf(value);
  if (text === undefined || text === "0") return [];
  return [plainText(name === "" ? text : `${name}: ${text}`)];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || value === true) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
