import { EXIT, FerryError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Query } from "../http/client.js";
import { JsonCursor } from "../wire/json-cursor.js";
import { type ListOrder, PAGE, sweepList } from "./paged-list.js";
import { parseContextOf, type SiteSession } from "./session.js";

interface PagedList<Summary> {
  readonly path: string;
  readonly query: Query;
  readonly order: ListOrder;
  /** The answer with the first page, if it was read already. */
  readonly first?: unknown;
  /** undefined for a row without an identity. */
  read(row: JsonCursor): Summary | undefined;
}

interface ListRow<Summary> {
  readonly key: string;
  readonly summary: Summary;
  readonly place: JsonCursor;
  readonly issues: readonly Issue[];
}

/**
 * The rows of a list that changes while it is read, each once. Throws FerryError for a row without
 * an id, since the item would be missed.
 */
export function listPages<Summary extends { readonly key: Key }>(
  session: SiteSession,
  list: PagedList<Summary>,
  signal: AbortSignal,
): AsyncGenerator<ListRow<Summary>> {
  let { first } = list;
  return sweepList(async (offset) => {
    const query = { ...list.query, limit: PAGE, offset };
    const json =
      offset === 0 && first !== undefined ? first : (await session.client.get(list.path, { query }, signal)).json;
    if (offset === 0) first = undefined;
    const page = new JsonCursor(
      json,
      parseContextOf(session, "record/site", list.path, () => undefined),
    );
    if (!Array.isArray(json)) throw noList(session, list.path, offset);
    return page.items().map((place) => readRow(session, list, place));
  }, list.order);
}

function readRow<Summary extends { readonly key: Key }>(
  session: SiteSession,
  list: PagedList<Summary>,
  { value }: JsonCursor,
): ListRow<Summary> {
  const found: Issue[] = [];
  const place = new JsonCursor(
    value,
    parseContextOf(session, "record/site", list.path, (issue) => found.push(issue)),
  );
  const summary = list.read(place);
  if (summary === undefined) throw noKey(session, list.path, value);
  return { key: summary.key, summary, place, issues: found.map((issue) => ({ ...issue, key: summary.key })) };
}

function noList({ client }: SiteSession, path: string, offset: number): FerryError {
  return new FerryError(
    `GET ${client.root}/${path} (offset ${offset}) did not answer with a list, so the items of the site are unknown. ` +
      "Is the address the API root of the site (it ends in /api/2.0)?",
    { exitCode: EXIT.unreachable },
  );
}

function noKey({ client }: SiteSession, path: string, row: unknown): FerryError {
  return new FerryError(
    `GET ${client.root}/${path} lists an entry without an id: ${JSON.stringify(row)?.slice(0, 200)}. ` +
      "Without an id, guideferry would skip it without a message. Is the address the API root of the site (it ends in /api/2.0)?",
    { exitCode: EXIT.unreachable },
  );
}
