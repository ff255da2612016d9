import { isObject } from "../wire/place.js";
import { fieldName, isIdName, namesWord } from "./redact-names.js";
import { kindOfText } from "./redact-text.js";
import type { StandIn } from "./stand-in.js";

const DEEPEST = 12;
const MOST_ROWS = 3;
const MOST_FIELDS = 60;
/** Up to here a number counts something; larger ones are times, telephones, sizes. */
const LARGEST_NUMBER = 9_999;

/**
 * The shape of a JSON value, safe to be given away: names of fields, types, true and false, small numbers and words for states stay; ids
 * become stand-ins; every other text becomes its kind: `<text 12>`, `<url>`, `<email>`, `<date>`, `<uuid>`. Long lists are cut.
 */
export function redactAnswer(value: unknown, standIn: StandIn): unknown {
  return redact(value, "", 0, standIn);
}

function redact(value: unknown, name: string, depth: number, standIn: StandIn): unknown {
  if (depth > DEEPEST) return "<deeper>";
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ROWS).map((one: unknown) => redact(one, name, depth + 1, standIn));
    return value.length > MOST_ROWS ? [...shown, `<${value.length - MOST_ROWS} more>`] : shown;
  }
  if (isObject(value)) return redactFields(value, depth, standIn);
  if (typeof value === "string") return redactText(value, name, standIn);
  if (typeof value === "number") return redactNumber(value, name, standIn);
  return value ?? null;
}

function redactFields(fields: Readonly<Record<string, unknown>>, depth: number, standIn: StandIn): unknown {
  const all = Object.entries(fields);
  const shown = all
    .slice(0, MOST_FIELDS)
    .map(([name, value], at) => [fieldName(name, at, standIn), redact(value, name, depth + 1, standIn)]);
  return Object.fromEntries(all.length > MOST_FIELDS ? [...shown, ["<more>", all.length - MOST_FIELDS]] : shown);
}

function redactText(text: string, name: string, standIn: StandIn): string {
  if (text === "" || namesWord(text, name)) return text;
  const kind = kindOfText(text);
  return isIdName(name) ? `<id ${standIn(text)}, ${kind}>` : `<${kind}>`;
}

function redactNumber(number: number, name: string, standIn: StandIn): number | string {
  if (isIdName(name) && Number.isSafeInteger(number)) return standIn(String(number));
  if (Number.isInteger(number) && Math.abs(number) <= LARGEST_NUMBER) return number;
  if (number >= 1e9 && number < 3e9) return "<date, seconds>";
  if (number >= 1e12 && number < 3e12) return "<date, milliseconds>";
  return Number.isInteger(number) ? `<number, ${String(Math.abs(number)).length} digits>` : "<fraction>";
}
