import { badRequest, invalidValue, missingField } from "./service-error.js";

const MOST_OF_A_PAGE = 200;
const USUAL_PAGE = 20;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** `offset` and `limit`: default 0 and 20; a limit above 200 is clamped, not refused (facts, 1.2). Else 422. */
export function pageOf(query: URLSearchParams): Page {
  const limit = wholeNumber(query, "limit") ?? USUAL_PAGE;
  const offset = wholeNumber(query, "offset") ?? 0;
  if (limit < 1) throw invalidValue("limit", "limit must be at least 1");
  return { offset, limit: Math.min(limit, MOST_OF_A_PAGE) };
}

/** The part of a list that a page shows. */
export function paged<T>(list: readonly T[], query: URLSearchParams): readonly T[] {
  const { offset, limit } = pageOf(query);
  return list.slice(offset, offset + limit);
}

/** A non-negative whole number; undefined when the parameter is absent; 422 for anything else. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidValue(name, `${name} must be a non-negative integer`);
  return Number(text);
}

/** `ASC` or `DESC`, any letter case. */
export function orderOf(query: URLSearchParams, otherwise: "ASC" | "DESC" = "ASC"): "ASC" | "DESC" {
  const order = (query.get("order") ?? otherwise).toUpperCase();
  if (order !== "ASC" && order !== "DESC") throw invalidValue("order", "order must be ASC or DESC");
  return order;
}

/** A list in the asked order; the given list is ascending. */
export function ordered<T>(list: readonly T[], query: URLSearchParams): readonly T[] {
  return orderOf(query) === "ASC" ? list : list.toReversed();
}

/** A flag that acts by its presence: `name=false` switches it on as well (facts, 1.1). */
export function isPresent(query: URLSearchParams, name: string): boolean {
  return query.has(name);
}

/** A boolean parameter with a real value. */
export function isTrue(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && !["false", "0"].includes(text.toLowerCase());
}

/** The concurrency token of a write: only ever in the query (facts, 4.3). 422 when missing or no number. */
export function revisionOf(query: URLSearchParams): number {
  const revision = wholeNumber(query, "revisionid");
  if (revision === undefined) throw missingField("revisionid");
  return revision;
}

/** JSON or XML, any letter case; 400 for another type. */
export function answerType(query: URLSearchParams): "JSON" | "XML" {
  const type = (query.get("type") ?? "JSON").toUpperCase();
  if (type !== "JSON" && type !== "XML") throw badRequest("Invalid type provided in the query: JSON or XML");
  return type;
}
