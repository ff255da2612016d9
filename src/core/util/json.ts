import { hash } from "node:crypto";

export type JsonObject = Readonly<Record<string, unknown>>;

/** JSON with sorted keys: equal values give equal text. Digests in ledgers are made of it. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/**
 * A copy with sorted fields takes an eighth of the time of a replacer that sorts. Fields that are
 * numbers come first, by their value, as in every object.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value) || typeof value["toJSON"] === "function") return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    // A plain assignment would set the prototype of the copy.
    if (name === "__proto__") Object.defineProperty(copy, name, { value: sorted(value[name]), enumerable: true });
    else copy[name] = sorted(value[name]);
  }
  return copy;
}

/** An object with fields, neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that should be an object; anything else is one without fields. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** sha256 over the canonical JSON of a value, in lower-case hexadecimal. */
export function digest(value: unknown): string {
  return hash("sha256", canonicalJson(value));
}

/** undefined: not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that should be a list; anything else is an empty one. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; any other entry is an object without fields. */
export function rowsIn(value: unknown): readonly JsonObject[] {
  return listIn(value).map(objectIn);
}

/** The ids of a list, as text. */
export function idsIn(value: unknown): readonly string[] {
  return listIn(value).map(String);
}

/** A value that should be a text; anything else is an empty one. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Where a text stops being JSON: `position 7 (line 1 column 8)`. Keeps only the position of V8's
 * message, which also quotes the text, perhaps a secret. null: at its end, or unknown.
 */
export function jsonErrorPlace({ message }: SyntaxError): string | null {
  return /position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0] ?? null;
}
