import { isObject } from "../wire/place.js";
import { type Place, plainWord } from "./vocabulary.js";

export type Fields = Readonly<Record<string, unknown>>;

/** Deeper than this no answer hides what it is about. */
export const DEEPEST = 5;

/** The objects of an answer that speak of one thing, the one to believe first at the front. */
export interface Layers {
  /** The thing itself, the innermost first: an envelope's own `status` is not that of its content. */
  readonly inside: readonly Fields[];
  /** More that is said of it: the engine's job, its result. */
  readonly beside: readonly Fields[];
}

/** Finds what an answer is about, however it is wrapped. */
export function layersOf(answer: unknown, place: Place): Layers {
  const inside = chain(answer, place.inside);
  const beside = inside.flatMap((layer) => place.beside.flatMap((name) => chain(fieldOf(layer, [name]), place.inside)));
  return { inside, beside };
}

function chain(answer: unknown, names: readonly string[]): readonly Fields[] {
  const found: Fields[] = [];
  for (let here = onlyOne(answer); here !== undefined && found.length < DEEPEST; here = inner(here, names)) {
    found.unshift(here);
  }
  return found;
}

function inner(layer: Fields, names: readonly string[]): Fields | undefined {
  return names.map((name) => onlyOne(fieldOf(layer, [name]))).find((one) => one !== undefined);
}

/** An object, also as the only one of a list. */
function onlyOne(value: unknown): Fields | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(one) ? one : undefined;
}

/** The value of the first of these names (as `plainWord` writes them) that has one. */
export function fieldOf(fields: Fields, names: readonly string[]): unknown {
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

/** The id that an answer gives. A bare number is one too, and a bare text that is written as ids are: `"OK"` is none. */
export function idIn(answer: unknown, place: Place, names: readonly string[]): string | undefined {
  const isBare = typeof answer === "number" || (typeof answer === "string" && /^(?:\d+|[0-9a-f-]{36})$/i.test(answer));
  return isBare ? asId(answer) : firstOf(layersOf(answer, place), names, asId);
}

/** The rows of a list, also of one in a field, in an envelope, or keyed by id. undefined: it is no list. */
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
