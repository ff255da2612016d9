import { isObject } from "../wire/place.js";

/**
 * The rows of an answer whose shape nothing public shows: the answer itself when it is a list, else its only field that is one
 * (`{"results": […]}`). undefined: it is no list.
 */
export function rowsIn(answer: unknown): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return undefined;
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/** The id of a row, in the first of these fields (`image.id` lies deeper) that has one; undefined: none of them does. */
export function rowId(row: unknown, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = field.split(".").reduce((at: unknown, name) => (isObject(at) ? at[name] : undefined), row);
    if ((typeof value === "number" && Number.isSafeInteger(value)) || (typeof value === "string" && value !== ""))
      return String(value);
  }
  return undefined;
}
