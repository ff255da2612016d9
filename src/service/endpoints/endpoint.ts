import type { Namespace } from "../../core/model/key.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How an answer that is kept as a record is asked for. */
export type Walk = SiteWalk | ItemWalk | RowWalk;

/** One answer for the site. */
export interface SiteWalk {
  readonly per: "site";
  /** A list of pages, taken as far as it goes. */
  readonly paged?: true;
  /**
   * Fields of a row that may hold its id; the first one that does is taken. Absent: rows can't be
   * told apart.
   */
  readonly ids?: readonly string[];
}

/**
 * Whether an answer for one thing is a list of pages. `short`: a page of fewer rows than the
 * smallest limit (20) is the last one, which saves a request for each thing; `hiding`: pages may be
 * short before the end, since rows are hidden after paging (api-facts 1.2).
 */
export type Paged = "short" | "hiding";

/** One answer for each guide, or page of some namespaces. */
export interface ItemWalk {
  readonly per: "guide" | "wiki";
  /** Which part of the path is the item's id or title; other parts have fixed values. */
  readonly id: string;
  readonly values?: Readonly<Record<string, string>>;
  /** Pages: of these namespaces only. */
  readonly namespaces?: readonly Namespace[];
  readonly paged?: Paged;
  /**
   * Only those whose row in the list says something in this field; all where rows don't have it.
   */
  readonly where?: string;
  /** Only where this list of the site has rows. */
  readonly ifAny?: string;
}

/** One answer for each row of another answer. */
export interface RowWalk {
  readonly per: "row";
  /** The path of the other one. */
  readonly of: string;
  /** Fields of a row that may hold the id; the first one that does is taken. */
  readonly ids: readonly string[];
  readonly paged?: Paged;
  /** Only for rows without this field: those that have it are whole. */
  readonly lacking?: string;
}

/** What guideferry does with an endpoint. */
export type Use =
  /**
   * Read by every extract: items, media, and the records that a migration needs. `how` says for
   * what and how often.
   */
  | { readonly by: "extract"; readonly how: string }
  /** Read with `--records all`, and so by each backup; kept as records. */
  | { readonly by: "backup"; readonly walks: readonly Walk[] }
  /** Written (or asked while writing) by these verbs. */
  | { readonly by: "write"; readonly verbs: string }
  | { readonly by: "never"; readonly why: string };

export interface EndpointFacts {
  /**
   * The family of personal data that it belongs to, as a manifest names it: taken with
   * `--personal-data` only.
   */
  readonly personal?: string;
  /** `false`: the sandbox has it not. */
  readonly served?: false;
  /** Not in the specification; api-facts.md knows it. */
  readonly beyond?: true;
}

/** One method and path of the service, as the specification writes it. */
export interface Endpoint extends EndpointFacts {
  readonly method: Method;
  readonly path: string;
  readonly family: string;
  readonly use: Use;
}

type Row = readonly [method: Method, path: string, use: Use, facts?: EndpointFacts];

/** The endpoints of a family. */
export function family(name: string, rows: readonly Row[]): readonly Endpoint[] {
  return rows.map(([method, path, use, facts]) => ({ method, path, family: name, use, ...facts }));
}

export function read(how: string): Use {
  return { by: "extract", how };
}

export function written(verbs: string): Use {
  return { by: "write", verbs };
}

export function never(why: string): Use {
  return { by: "never", why };
}

/** One request a run. */
export const ONCE: Use = { by: "backup", walks: [{ per: "site" }] };

/** All pages of a list whose rows have an id in one of these fields, or none that is known. */
export function paged(...ids: readonly string[]): Use {
  return { by: "backup", walks: [{ per: "site", paged: true, ...(ids.length === 0 ? {} : { ids }) }] };
}

export function each(...walks: readonly (ItemWalk | RowWalk)[]): Use {
  return { by: "backup", walks };
}

/** One answer for each row of a list. */
export function eachOf(of: string, ids: readonly string[], more: Pick<RowWalk, "paged" | "lacking"> = {}): Use {
  return each({ per: "row", of, ids, ...more });
}
