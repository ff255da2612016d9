import type { Body } from "../../../core/contracts.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { sameField } from "../../wire/write/same-field.js";

/** Which fields of a thing have to be sent so that it becomes as it was, and which of them no call takes. */
export interface FieldsBack {
  readonly fields: Body;
  /** Filled now, empty then, and nothing public empties them (api-facts 4.1, 4.2). */
  readonly stuck: readonly string[];
}

/** Calls of their own carry these. */
const APART: Readonly<Record<string, readonly string[]>> = {
  guide: ["public", "steps"],
  step: [],
  page: ["parent"],
};

const CANT_BE_EMPTIED: Readonly<Record<string, readonly string[]>> = {
  guide: ["image", "difficulty", "featured_documentid"],
  step: [],
  page: [],
};

/** Compares how a thing was with how it stands; a field that either does not tell of stays. */
export function fieldsBack(key: Key, then: Body, now: Body): FieldsBack {
  const kind = kindOf(key) === "guide" || kindOf(key) === "step" ? kindOf(key) : "page";
  const differing = Object.keys(then).filter(
    (field) => APART[kind]?.includes(field) !== true && field in now && !sameField(field, then[field], now[field]),
  );
  const stuck = differing.filter((field) => CANT_BE_EMPTIED[kind]?.includes(field) === true && isEmpty(then[field]));
  const fields = differing.filter((field) => !stuck.includes(field));
  return { fields: Object.fromEntries(fields.map((field) => [field, then[field]])), stuck };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}
