import { canonicalJson } from "../../core/util/canonical-json.js";
import type { Client } from "../client.js";
import type { Endpoint, Paged } from "../endpoints/endpoint.js";
import { answered, askRecord, RECORD_REFUSED, type RecordAnswer, refusable } from "./record-answer.js";
import { rowId, rowsIn } from "./rows.js";
import { PAGE, sweepList } from "./sweep.js";

/** An answer of a family, and what of it could not be had. */
export interface FamilyAnswer extends RecordAnswer {
  /** Why a list ends before its end; undefined: it is whole. */
  readonly cut?: string;
}

/** How one answer is asked for. */
export interface Asked {
  readonly endpoint: Endpoint;
  /** Ready to stand in an address. */
  readonly path: string;
  /** `whole`: until a page is empty. */
  readonly paged: Paged | "whole" | undefined;
  /** Fields that may hold a row's id. */
  readonly ids: readonly string[];
}

/** What the service gives when no limit is asked for, or the limit is not heard. */
const SMALLEST_PAGE = 20;
/** A list without ids that never ends is given up after 200,000 rows. */
const MOST_PAGES = 1000;

/** Asks for an answer that is kept as it comes; a list is followed as far as it goes. README.md has the rules. */
export async function askFamily(client: Client, asked: Asked, signal: AbortSignal): Promise<FamilyAnswer> {
  const { endpoint, path } = asked;
  if (endpoint.method === "POST") return post(client, path, signal);
  if (asked.paged === undefined) return askRecord(client, path, {}, signal);
  const first = await askPage(client, path, 0, signal);
  // Whoever doesn't know `limit` and `offset` may refuse them; such a list is one answer.
  if (first.status === 400 || first.status === 422) return askRecord(client, path, {}, signal);
  const rows = rowsIn(first.answer);
  const isLast = rows === undefined || rows.length === 0 || (asked.paged === "short" && rows.length < SMALLEST_PAGE);
  if (isLast) return { ...first, query: {} };
  const second = await askPage(client, path, rows.length, signal);
  const more = rowsIn(second.answer) ?? [];
  if (more.length === 0 || isSame(rows, more)) return { ...first, query: {}, ...cutBy(second) };
  const hasIds = rows.every((row) => rowId(row, asked.ids) !== undefined);
  return hasIds ? sweepRows(client, asked, signal) : pageByPage(client, path, [rows, more], signal);
}

/** A read that is a POST: nothing is created, so it may be repeated. */
async function post(client: Client, path: string, signal: AbortSignal): Promise<FamilyAnswer> {
  const call = { method: "POST", path, json: {}, expect: RECORD_REFUSED, refusable: true } as const;
  const { status, json } = await refusable(client, () => client.send(call, signal), signal);
  return { path, query: {}, ...answered(status, json) };
}

function askPage(client: Client, path: string, offset: number, signal: AbortSignal): Promise<RecordAnswer> {
  return askRecord(client, path, { limit: PAGE, offset }, signal);
}

async function sweepRows(client: Client, { path, ids }: Asked, signal: AbortSignal): Promise<FamilyAnswer> {
  const rows: unknown[] = [];
  let cut: object = {};
  const pages = sweepList(async (offset) => {
    const page = await askPage(client, path, offset, signal);
    cut = { ...cut, ...cutBy(page) };
    return (rowsIn(page.answer) ?? []).map((row) => ({ key: rowId(row, ids) ?? canonicalJson(row), row }));
  });
  for await (const { row } of pages) rows.push(row);
  return { path, query: {}, status: 200, answer: rows, ...cut };
}

/** Rows that can't be told apart: each page once, until one is empty or repeats the one before it. */
async function pageByPage(
  client: Client,
  path: string,
  [first, second]: readonly [readonly unknown[], readonly unknown[]],
  signal: AbortSignal,
): Promise<FamilyAnswer> {
  const rows = [...first, ...second];
  let before = second;
  for (let page = 2; page < MOST_PAGES; page += 1) {
    const answer = await askPage(client, path, rows.length, signal);
    const next = rowsIn(answer.answer) ?? [];
    if (next.length === 0 || isSame(before, next))
      return { path, query: {}, status: 200, answer: rows, ...cutBy(answer) };
    for (const row of next) rows.push(row);
    before = next;
  }
  return { path, query: {}, status: 200, answer: rows, cut: `it has more than ${rows.length} rows` };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && canonicalJson(one) === canonicalJson(other);
}

/** iFixit refuses to show users after the first 1200 (api-facts 11.14). */
function cutBy({ status, query }: RecordAnswer): { readonly cut?: string } {
  return status === 200 ? {} : { cut: `the site refused (${status}) what follows row ${query["offset"] ?? 0}` };
}
