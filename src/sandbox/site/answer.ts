import { isObject as isAnswer, type JsonObject } from "../../core/util/json.js";

export type Answer = JsonObject;

export { isAnswer };

/** The object in a field; else an empty one (some answers use `[]` and `false` for it). */
export function objectAt(answer: Answer, field: string): Answer {
  const value = answer[field];
  return isAnswer(value) ? value : {};
}

/** The objects of the array in a field; none for other values. */
export function objectsAt(answer: Answer, field: string): readonly Answer[] {
  return listAt(answer, field).filter(isAnswer);
}

export function listAt(answer: Answer, field: string): readonly unknown[] {
  const value = answer[field];
  return Array.isArray(value) ? value : [];
}

export function textsAt(answer: Answer, field: string): readonly string[] {
  return listAt(answer, field).filter((value) => typeof value === "string");
}

export function textAt(answer: Answer, field: string, otherwise = ""): string {
  const value = answer[field];
  return typeof value === "string" ? value : otherwise;
}

export function numberAt(answer: Answer, field: string): number | undefined {
  const value = answer[field];
  return typeof value === "number" ? value : undefined;
}

export function without(answer: Answer, fields: readonly string[]): Answer {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !fields.includes(name)));
}
