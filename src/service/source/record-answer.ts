import type { ServiceRecord } from "../../core/model/item.js";
import type { Answer, Client, Query } from "../http/client.js";
import { messageOf, REFUSED } from "../http/status-error.js";
import type { JsonCursor } from "../wire/json-cursor.js";
import { type ListOrder, PAGE, SMALLEST_PAGE, sweepList } from "./paged-list.js";

/** An unchanged answer with its request. */
export interface RecordAnswer extends Omit<ServiceRecord, "readAt"> {
  /** The site has no such path, rather than no content there. */
  readonly absent?: true;
}

/** The message of real sites for an unknown path (api-facts 1.4); a hint only. */
const NO_SUCH_PATH = /^endpoint not found\b/i;

/** Reads what a site may lack; a refusal is an answer too. */
export async function askRecord(
  client: Client,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const ask = () => client.get(path, { query, expect: RECORD_REFUSED, refusable: true }, signal);
  const { status, json } = await refusable(client, ask, signal);
  return { path, query: shownQuery(query), ...answered(status, json) };
}

/** Statuses that a record may have besides success. */
export const RECORD_REFUSED: readonly number[] = [...REFUSED, 400, 422];

/**
 * A 401 that does not end the sign-in: `GET user` shows whether it has ended, which throws. Else
 * `ask` is repeated, and a second 401 is about this path.
 */
export async function refusable(client: Client, ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const answer = await ask();
  if (answer.status !== 401) return answer;
  const { status } = await client.get("user", { expect: REFUSED }, signal);
  return status === 200 ? ask() : answer;
}

/** Of a refusal, only the status is kept. */
export function answered(status: number, json: unknown): Pick<RecordAnswer, "status" | "answer" | "absent"> {
  if (status === 200) return { status, answer: json };
  const absent = status === 404 && NO_SUCH_PATH.test(messageOf(json) ?? "");
  return { status, answer: null, ...(absent ? { absent } : {}) };
}

/** A list with all pages joined. `rowsOf`: the rows of a page; `keyOf`: a row's identity. */
export async function askListRecord(
  client: Client,
  list: {
    readonly path: string;
    readonly query: Query;
    readonly order: ListOrder;
    rowsOf(json: unknown): readonly JsonCursor[];
    keyOf(row: JsonCursor): string;
  },
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const refused = new Set<number>();
  const rows: unknown[] = [];
  const pages = sweepList(
    async (offset) => {
      const query = { ...list.query, limit: PAGE, offset };
      const page = await askRecord(client, list.path, query, signal);
      if (page.status !== 200) refused.add(page.status);
      return list.rowsOf(page.answer).map((row) => ({ key: list.keyOf(row), row: row.value }));
    },
    list.order,
    isShort,
  );
  for await (const { row } of pages) rows.push(row);
  const [status = 200] = refused;
  return { path: list.path, query: shownQuery(list.query), status, answer: status === 200 ? rows : null };
}

/** These lists hide no rows, so so few of them are all (specification, Limits; api-facts 1.2). */
function isShort(first: readonly unknown[]): boolean {
  return first.length < SMALLEST_PAGE;
}

function shownQuery(query: Query): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
