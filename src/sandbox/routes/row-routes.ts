import type { z } from "zod";
import { checked, forbidden, notFound } from "../rules.js";
import { type AccountCall, created, type Method, NO_CONTENT, ok, paged, type Route } from "../server/route.js";
import type { Answer } from "../site/answer.js";
import type { RowKindName } from "../site/rows.js";
import type { Site } from "../site/site.js";

/**
 * What the routes of one kind of rows have in common. The number of a row is the `:id` of a path.
 */
export interface RowFamily {
  readonly rows: RowKindName;
  /** What a row is called in messages. */
  readonly noun: string;
  /**
   * Who may see and change a row: others get 403, and lists leave it out. Default: everybody who is
   * signed in.
   */
  readonly may?: (call: AccountCall, row: Answer) => boolean;
  /** How a row reads. Default: as it is kept; undefined leaves it out of lists and answers 404. */
  readonly view?: (site: Site, row: Answer) => unknown;
}

/** How rows are listed. */
export interface RowList {
  /** Default: any login. */
  readonly access?: "account" | "admin";
  /** Answers `{[wrap]: rows}` in place of the rows. */
  readonly wrap?: string;
  /** Query parameter to the field that must be equal to it. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Throws when the caller may not ask, or asks wrongly; runs even when there are no rows. */
  readonly check?: (call: AccountCall) => void;
  /** Which rows belong to the path. */
  readonly where?: (call: AccountCall, row: Answer) => boolean;
}

/** `GET` of a list, in the order of the rows' numbers. */
export function listRows(path: string, family: RowFamily, list: RowList = {}): Route {
  const { access = "account", wrap, filters = {}, check, where } = list;
  return {
    method: "GET",
    path,
    access,
    run: async (call) => {
      await call.beforeList();
      check?.(call);
      const rows = visibleRows(call, family)
        .filter((row) => where?.(call, row) ?? true)
        .filter((row) => Object.entries(filters).every(([name, field]) => isAsked(call.query, name, row[field])))
        .flatMap((row) => viewOf(call.site, family, row) ?? []);
      const page = pageOfRows(call, rows);
      return ok(wrap === undefined ? page : { [wrap]: page });
    },
  };
}

/** A page, or all of it on a site whose lists of families have no pages. */
function pageOfRows<T>(call: AccountCall, rows: readonly T[]): readonly T[] {
  return call.site.settings.wholeLists ? rows : paged(rows, call.query);
}

/** The rows that the caller may see. */
function visibleRows(call: AccountCall, { rows, may }: RowFamily): readonly Answer[] {
  return call.site.rows[rows].all().filter((row) => may?.(call, row) ?? true);
}

/** `GET` of one row. */
export function readRow(
  path: string,
  family: RowFamily,
  view: (call: AccountCall, row: Answer) => unknown = (call, row) => viewOf(call.site, family, row),
): Route {
  return { method: "GET", path, access: "account", run: (call) => ok(view(call, rowAt(call, family))) };
}

/** `POST` of a new row: 201 with it. */
export function addRow<Body>(
  path: string,
  access: "account" | "admin",
  family: RowFamily,
  schema: z.ZodType<Body>,
  make: (call: AccountCall, body: Body) => Answer,
): Route {
  return {
    method: "POST",
    path,
    access,
    run: (call) => {
      const fields = make(call, checked(schema, call.json()));
      return created(viewOf(call.site, family, call.site.rows[family.rows].put(fields)));
    },
  };
}

/** A change of one row by a body: 200 with it. */
export function changeRow<Body>(
  [method, path]: readonly [method: Method, path: string],
  access: "account" | "admin",
  family: RowFamily,
  schema: z.ZodType<Body>,
  change: (call: AccountCall, row: Answer, body: Body) => Answer,
): Route {
  return {
    method,
    path,
    access,
    run: (call) => {
      const row = rowAt(call, family);
      const changed = call.site.rows[family.rows].put({ ...row, ...change(call, row, checked(schema, call.json())) });
      return ok(viewOf(call.site, family, changed));
    },
  };
}

/** `DELETE` of one row: 204. */
export function removeRow(path: string, access: "account" | "admin", family: RowFamily): Route {
  return {
    method: "DELETE",
    path,
    access,
    run: (call) => {
      const row = rowAt(call, family);
      const table = call.site.rows[family.rows];
      table.remove(Number(row[table.id]));
      return NO_CONTENT;
    },
  };
}

/** The row of the path's `:id`: 404 when there is none, 403 when the caller may not see it. */
export function rowAt(call: AccountCall, family: RowFamily, id = Number(call.parameter("id"))): Answer {
  const row = call.site.rows[family.rows].get(id);
  if (row === undefined || viewOf(call.site, family, row) === undefined) throw notFound(`${family.noun} not found.`);
  if (family.may?.(call, row) === false) throw forbidden(`You may not see this ${family.noun.toLowerCase()}.`);
  return row;
}

function viewOf(site: Site, { view }: RowFamily, row: Answer): unknown {
  return view === undefined ? row : view(site, row);
}

function isAsked(query: URLSearchParams, name: string, value: unknown): boolean {
  const asked = query.get(name);
  return asked === null || asked === String(value);
}
