import type { Listed } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import type { RowWalk } from "../endpoints/endpoint.js";
import { ITEM_WALKS, pathWith, type RecordWalk, ROW_WALKS, recordEndpoint } from "../endpoints/record-endpoints.js";
import { isObject } from "../wire/place.js";
import { changeToken } from "./change-token.js";
import { familyRow, isTaken, itemRows } from "./families.js";
import { LIST_CUT } from "./list-records.js";
import { rowId, rowsIn } from "./rows.js";
import type { SiteSession } from "./site-session.js";

/** The list of releases is a record of every extract; its path is its own. */
const BASIC_LISTS: ReadonlySet<string> = new Set(["guides/releases"]);

/** The records that stand on the rows of an answer, or on there being any. */
export function* followRecord(session: SiteSession, record: Item): Generator<Listed> {
  const listing = session.listing();
  if (!listing.families || record.kind !== "record" || record.body.status !== 200) return;
  const { path, answer } = record.body;
  const template = BASIC_LISTS.has(path) ? `/${path}` : recordEndpoint(path)?.path;
  const rows = rowsIn(answer);
  if (template === undefined || rows === undefined) return;
  if (!record.issues.some(({ code }) => code === LIST_CUT)) listing.followed.add(path);
  for (const one of ROW_WALKS) {
    if (one.walk.of === template && isTaken(session, one.endpoint)) yield* rowRecords(one, rows);
  }
  if (rows.length === 0) return;
  for (const one of ITEM_WALKS) {
    if (one.walk.ifAny === template && isTaken(session, one.endpoint)) yield* itemRows(session, one);
  }
}

/** One record for each id; its token is that of all rows with the id, so that it is read anew when one of them is another. */
function* rowRecords({ endpoint, walk }: RecordWalk<RowWalk>, rows: readonly unknown[]): Generator<Listed> {
  const tokens = new Map<string, string>();
  for (const row of rows) {
    const id = rowId(row, walk.ids);
    if (id === undefined || isWhole(row, walk)) continue;
    tokens.set(id, changeToken(tokens.get(id) ?? "", row));
  }
  for (const [id, token] of tokens) {
    yield familyRow(
      pathWith(endpoint.path, () => id),
      token,
      endpoint.path.slice(1),
    );
  }
}

function isWhole(row: unknown, { lacking }: RowWalk): boolean {
  return lacking !== undefined && isObject(row) && row[lacking] !== undefined;
}
