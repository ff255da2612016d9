import type { ServiceRecord } from "../../model/record.js";
import type { Client, Query } from "../client.js";
import type { Place } from "../wire/place.js";
import { REFUSED } from "./source-settings.js";
import { PAGE, sweepList } from "./sweep.js";

/** An answer that is kept as it came, with the request that it answers. */
export type RecordAnswer = Omit<ServiceRecord, "readAt">;

/** Asks for something that a site may lack; a refusal is an answer too. */
export async function askRecord(
  client: Client,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const { status, json } = await client.get(path, { query, expect: [...REFUSED, 400, 422] }, signal);
  return { path, query: shownQuery(query), status, answer: status === 200 ? json : null };
}

/**
 * The same for a list that is paged: all of its pages, joined.
 * @param rowsOf the rows of a page
 * @param keyOf what makes two rows the same one
 */
export async function askListRecord(
  client: Client,
  list: {
    readonly path: string;
    readonly query: Query;
    rowsOf(json: unknown): readonly Place[];
    keyOf(row: Place): string;
  },
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const refused = new Set<number>();
  const rows: unknown[] = [];
  const pages = sweepList(async (offset) => {
    const query = { ...list.query, limit: PAGE, offset };
    const page = await askRecord(client, list.path, query, signal);
    if (page.status !== 200) refused.add(page.status);
    return list.rowsOf(page.answer).map((row) => ({ key: list.keyOf(row), row: row.value }));
  });
  for await (const { row } of pages) rows.push(row);
  const [status = 200] = refused;
  return { path: list.path, query: shownQuery(list.query), status, answer: status === 200 ? rows : null };
}

function shownQuery(query: Query): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
