import { ConnectionError, EXIT } from "../../core/errors.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { bareAddresses } from "../../core/util/printable-text.js";
import { type Place, plainWord } from "./vocabulary.js";

export const DEEPEST = 5;

/** The objects of an answer about one thing, the most reliable first. */
export interface Layers {
  /** The thing itself, innermost first: an envelope's `status` is its own. */
  readonly inside: readonly JsonObject[];
  readonly beside: readonly JsonObject[];
}

/** Finds the object of an answer in its envelopes. */
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

/** Also the only entry of a list. */
function onlyOne(value: unknown): JsonObject | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(one) ? one : undefined;
}

/** The first of these names (as `plainWord` writes them) with a value. */
export function fieldOf(fields: JsonObject, names: readonly string[]): unknown {
  for (const name of names) {
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null && plainWord(key) === name) return value;
    }
  }
  return undefined;
}

/** What `read` makes of these names: an earlier name wins over an earlier object. */
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

/** A bare number is an id, and a bare text of digits; `"OK"` is none. */
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
 * The error for an answer to a write that can't be read: the site accepted the call, but the result
 * is unknown. Like every lost answer it is a ConnectionError with `unsent` false; `retriable` is
 * false, since the next answer would be the same.
 *
 * @param call `POST external_training_modules/drafts`
 *
 * @param missing what the answer lacks: `the id of the new module`
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

/** The type and the field names of an answer, without its values. */
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

/** An address or an e-mail address can be the name of a field. */
function shownName(name: string): string {
  return /^[A-Za-z_][A-Za-z_-]{0,39}$/.test(name) ? name : "(a name)";
}

const LONGEST = 300;
/** Longer texts are cut before they are cleaned. */
const MOST_LOOKED_AT = 10_000;

/** A site's text for one line of a report: cleaned, cut, without secret parts of addresses. */
export function plainText(text: string): string {
  const line = bareAddresses(text.slice(0, MOST_LOOKED_AT))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
