import { ConnectionError, EXIT } from "../../core/errors.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { bareAddresses } from "../../core/util/printable-text.js";
import { type Place, plainWord } from "./vocabulary.js";

/** Deeper than this no answer hides what it is about. */
export const DEEPEST = 5;

/** The objects of an answer that speak of one thing, the one to believe first at the front. */
export interface Layers {
  /** The thing itself, innermost first: an envelope's `status` is its own. */
  readonly inside: readonly JsonObject[];
  /** More that is said of it: the engine's job, its result. */
  readonly beside: readonly JsonObject[];
}

/** Finds what an answer is about, however it is wrapped. */
export function layersOf(answer: unknown, place: Place): Layers {
  const inside = chain(answer, place.inside);
  const beside = inside.flatMap((layer) => place.beside.flatMap((name) => chain(fieldOf(layer, [name]), place.inside)));
  return { inside, beside };
}

function chain(answer: unknown, names: readonly string[]): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (let here = onlyOne(answer); here !== undefined && found.length < DEEPEST; here = inner(here, names)) {
    found.unshift(here);
  }
  return found;
}

function inner(layer: JsonObject, names: readonly string[]): JsonObject | undefined {
  return names.map((name) => onlyOne(fieldOf(layer, [name]))).find((one) => one !== undefined);
}

/** Also as the only one of a list. */
function onlyOne(value: unknown): JsonObject | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(one) ? one : undefined;
}

/** The value of the first of these names (as `plainWord` writes them) that has one. */
export function fieldOf(fields: JsonObject, names: readonly string[]): unknown {
  for (const name of names) {
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null && plainWord(key) === name) return value;
    }
  }
  return undefined;
}

/** What `read` makes of these names: a name that stands earlier counts before a place that does. */
export function firstOf<T>(
  { inside, beside }: Layers,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    for (const layer of [...inside, ...beside]) {
      const found = read(fieldOf(layer, [name]));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** An id: a whole number above 0, or a word without blanks, as text. */
export function asId(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return typeof value === "string" && /^(?=.*[1-9A-Za-z])[\w.:~-]{1,128}$/.test(value) ? value : undefined;
}

/** A bare number is an id, and a bare text written like one; `"OK"` is none. */
export function idIn(answer: unknown, place: Place, names: readonly string[]): string | undefined {
  const isBare = typeof answer === "number" || (typeof answer === "string" && /^(?:\d+|[0-9a-f-]{36})$/i.test(answer));
  return isBare ? asId(answer) : firstOf(layersOf(answer, place), names, asId);
}

/** The rows of a list, also in a field, an envelope, or keyed by id. undefined: no list. */
export function rowsOf(answer: unknown, place: Place, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer) || depth > DEEPEST) return undefined;
  const entries = Object.entries(answer);
  if (entries.every(([key, value]) => /^\d+$/.test(key) && isObject(value))) {
    return entries.map(([id, row]) => (isObject(row) ? { id, ...row } : row));
  }
  const wrapped = place.inside.map((name) => rowsOf(fieldOf(answer, [name]), place, depth + 1));
  const lists = entries.flatMap(([, value]) => (Array.isArray(value) ? [value] : []));
  return wrapped.find((rows) => rows !== undefined) ?? (lists.length === 1 ? lists[0] : undefined);
}

/**
 * The error for an answer to a write that can't be read: the site took the call, but nobody knows
 * as what. It is a lost answer like any other, so a ConnectionError whose `unsent` is false;
 * `retriable` is false, since the same call would be answered alike.
 * @param call `POST external_training_modules/drafts`
 * @param missing what should have been there: `the id of the new module`
 */
export function unreadableAnswer(call: string, missing: string, answer: unknown): ConnectionError {
  return new ConnectionError(
    `${call} was answered, but the answer does not contain ${missing}. The answer is ${shapeOf(answer)}. ` +
      "The call may have succeeded, so check the site before you repeat it. " +
      "`guideferry training probe` records the answers of the site without their content. Send that record to the developers of guideferry.",
    { unsent: false, retriable: false, exitCode: EXIT.someFailed },
  );
}

const MOST_NAMES = 20;

/** What kind of answer it is and which fields it has, without what stands in them. */
export function shapeOf(answer: unknown, depth = 0): string {
  if (Array.isArray(answer)) return answer.length === 0 ? "an empty list" : `a list of ${answer.length}`;
  if (!isObject(answer))
    return answer === undefined ? "empty or no JSON" : answer === null ? "null" : `a ${typeof answer}`;
  const fields = Object.entries(answer);
  if (fields.length === 0) return "an empty object";
  const names = fields.slice(0, MOST_NAMES).map(([name, value]) => {
    const inner = isObject(value) && depth < 1 ? ` (${shapeOf(value, depth + 1)})` : "";
    return `${shownName(name)}${inner}`;
  });
  const rest = fields.length > MOST_NAMES ? ` and ${fields.length - MOST_NAMES} more` : "";
  return `an object with ${names.join(", ")}${rest}`;
}

/** A field may be named by an address or an e-mail. */
function shownName(name: string): string {
  return /^[A-Za-z_][A-Za-z_-]{0,39}$/.test(name) ? name : "(a name)";
}

/** One line of a report. */
const LONGEST = 300;
/** What follows is never shown. */
const MOST_LOOKED_AT = 10_000;

/**
 * A site's words for one line of a report: no control characters, of bounded length, and addresses
 * without what may be secret.
 */
export function plainText(text: string): string {
  const line = bareAddresses(text.slice(0, MOST_LOOKED_AT))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
