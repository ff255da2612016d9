import { EXIT, FerryError } from "../../core/errors.js";
import type { Client, Query } from "../client.js";
import { PAGE } from "../source/sweep.js";
import { rowsOf } from "./fields.js";
import { shapeOf } from "./unreadable-answer.js";
import type { Place } from "./vocabulary.js";

/** A list whose pages and end are not documented. */
export interface RowList<Row> {
  readonly path: string;
  readonly place: Place;
  /** undefined: the row has no id. */
  read(row: unknown): Row | undefined;
  /** A page of fewer rows than the smallest limit is the last one: saves a request where rows are never hidden after paging. */
  readonly shortIsLast: boolean;
}

interface WithId {
  readonly id: string;
}

/** What the service gives when no limit is asked for, or the limit is not heard (specification, Limits). */
const SMALLEST_PAGE = 20;
/** Rows that a page shares with the one before it, for a list that shrinks meanwhile. */
const OVERLAP = 10;
/** Of one sweep: a site whose list never ends is given up after 200,000 rows. */
const MOST_PAGES = 1000;
const MOST_SWEEPS = 20;

/**
 * All rows of a list, each once. It is swept until a sweep finds nothing new; a sweep ends with a page that shows nothing that it has not
 * seen, so neither a list without pages nor one that repeats its last page goes on for ever.
 * @throws FerryError for an answer that is no list, and for a row without an id
 */
export async function listRows<Row extends WithId>(
  client: Client,
  list: RowList<Row>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const known = new Map<string, Row>();
  for (let sweep = 1; sweep <= MOST_SWEEPS; sweep += 1) {
    const before = known.size;
    const pages = await sweepOnce(client, list, known, signal);
    if (pages <= 2 || known.size === before) return [...known.values()];
  }
  return [...known.values()];
}

/** How many pages it took. */
async function sweepOnce<Row extends WithId>(
  client: Client,
  list: RowList<Row>,
  known: Map<string, Row>,
  signal: AbortSignal,
): Promise<number> {
  const seen = new Set<string>();
  for (let page = 1, offset = 0; page <= MOST_PAGES; page += 1) {
    const rows = await readPage(client, list, offset, signal);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const row of fresh) {
      seen.add(row.id);
      known.set(row.id, row);
    }
    const isLast = list.shortIsLast && page === 1 && rows.length < SMALLEST_PAGE;
    if (fresh.length === 0 || isLast) return page;
    offset += Math.max(Math.ceil(rows.length / 2), rows.length - OVERLAP);
  }
  throw new FerryError(
    `GET ${client.root}/${list.path} lists more and more without an end, so it can't be known what is there.`,
    {
      exitCode: EXIT.unreachable,
    },
  );
}

async function readPage<Row>(
  client: Client,
  list: RowList<Row>,
  offset: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const ask = (query: Query, expect: readonly number[]) => client.get(list.path, { query, expect }, signal);
  const answer = await ask({ limit: PAGE, offset }, NO_PAGES);
  // Whoever doesn't know `limit` and `offset` may refuse them: the whole list comes without, and again as its own next page.
  const { json } = NO_PAGES.includes(answer.status) ? await ask({}, []) : answer;
  const rows = json === null || answer.status === 204 ? [] : rowsOf(json, list.place);
  if (rows === undefined) throw unreadable(client, list, `answered ${shapeOf(json)}, where a list was expected`);
  return rows.map((row) => {
    const read = list.read(row);
    if (read === undefined) throw unreadable(client, list, `lists something without an id: ${shapeOf(row)}`);
    return read;
  });
}

const NO_PAGES: readonly number[] = [400, 422];

function unreadable<Row>(client: Client, { path }: RowList<Row>, what: string): FerryError {
  return new FerryError(
    `GET ${client.root}/${path} ${what}, so it can't be known what is there already. ` +
      "`guideferry training probe` records what the site answers, without its content: send that to the makers of guideferry.",
    { exitCode: EXIT.unreachable },
  );
}
