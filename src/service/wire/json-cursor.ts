import type { Issue, Report } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import { isObject } from "../../core/util/json.js";

export interface ParseContext {
  /** The item of the answer; issues are filed under it. */
  readonly key: Key;
  /** `GET guides/12` */
  readonly endpoint: string;
  /** `https://site.example`: makes site-relative addresses absolute. */
  readonly origin: string;
  readonly report: Report;
}

/**
 * A value in an answer and its path. Reading never throws and returns the right type. A wrong type
 * is the issue `wrong-type`. A missing value is no issue; neither are null, `[]` for an empty map
 * and `false` for an empty text (api-facts 11.4).
 */
export class JsonCursor {
  readonly value: unknown;
  readonly reading: ParseContext;
  readonly #parent: JsonCursor | undefined;
  readonly #step: string;

  constructor(value: unknown, reading: ParseContext, parent?: JsonCursor, step = "") {
    this.value = value;
    this.reading = reading;
    this.#parent = parent;
    this.#step = step;
  }

  /** The path from the top of the answer: `steps[3].lines[0].text_raw`. */
  get path(): string {
    const before = this.#parent?.path ?? "";
    return before === "" && this.#step.startsWith(".") ? this.#step.slice(1) : before + this.#step;
  }

  /** A field; its value is absent if this is not an object. */
  at(field: string): JsonCursor {
    return new JsonCursor(isObject(this.value) ? this.value[field] : undefined, this.reading, this, `.${field}`);
  }

  /** undefined: no object. An empty array, false and null mean "none", without an issue. */
  object(): JsonCursor | undefined {
    if (isObject(this.value)) return this;
    if (!isNothing(this.value)) this.wrongType("an object", "it is read as absent");
    return undefined;
  }

  /** The entries of a list; an empty object is an empty list. */
  items(): readonly JsonCursor[] {
    if (Array.isArray(this.value))
      return this.value.map((item, index) => new JsonCursor(item, this.reading, this, `[${index}]`));
    if (!isNothing(this.value)) this.wrongType("a list", "it is read as empty");
    return [];
  }

  fields(): readonly (readonly [name: string, place: JsonCursor])[] {
    const here = this.object();
    return here === undefined ? [] : Object.keys(Object(here.value)).map((name) => [name, here.at(name)]);
  }

  /** The text, or null. A number becomes its digits. */
  textOrNull(): string | null {
    if (typeof this.value === "string") return this.value;
    if (typeof this.value === "number") {
      this.wrongType("text", "its digits are used", "note");
      return String(this.value);
    }
    if (!isNothing(this.value)) this.wrongType("text", "it is read as absent");
    return null;
  }

  text(): string {
    return this.textOrNull() ?? "";
  }

  /** A finite number or null; a text of digits counts. */
  number(): number | null {
    if (typeof this.value === "number" && Number.isFinite(this.value)) return this.value;
    if (typeof this.value === "string" && /^-?\d+(\.\d+)?$/.test(this.value)) {
      this.wrongType("a number", "its digits are used", "note");
      return Number(this.value);
    }
    if (!isNothing(this.value)) this.wrongType("a number", "it is read as absent");
    return null;
  }

  integer(): number | null {
    const number = this.number();
    if (number === null || Number.isSafeInteger(number)) return number;
    const whole = Math.trunc(number);
    const fits = Number.isSafeInteger(whole);
    this.wrongType("a whole number", fits ? "its fraction is dropped" : "it is read as absent");
    return fits ? whole : null;
  }

  /** null: missing. 0 and 1 count too (api-facts 3.4, `is_default`). */
  flag(): boolean | null {
    if (typeof this.value === "boolean") return this.value;
    if (this.value === 0 || this.value === 1) return this.value === 1;
    if (!isNothing(this.value)) this.wrongType("true or false", "it is read as absent");
    return null;
  }

  /** The texts of a list, without other values. */
  texts(): readonly string[] {
    return this.items().flatMap((item) => {
      const text = item.textOrNull();
      return text === null ? [] : [text];
    });
  }

  report(code: Issue["code"], level: Issue["level"], message: string): void {
    const { key, endpoint, report } = this.reading;
    report({ code, level, key, path: this.path, message: `${endpoint}: ${this.path || "the answer"} ${message}.` });
  }

  wrongType(expected: string, consequence: string, level: Issue["level"] = "loss"): void {
    this.report("wrong-type", level, `is ${typeName(this.value)} instead of ${expected}; ${consequence}`);
  }
}

export function answerOf(json: unknown, reading: ParseContext): JsonCursor {
  const top = new JsonCursor(json, reading);
  if (!isObject(json)) top.wrongType("an object", "all of it is read as absent");
  return top;
}

/** Also `[]` for an empty map, `{}` for an empty leaf, `false` for an empty text. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return TYPE_NAMES[typeof value] ?? typeof value;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: "an object",
  string: "text",
  number: "a number",
  boolean: "true or false",
  undefined: "missing",
};
