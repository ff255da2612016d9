import type { Endpoint, ItemWalk, RowWalk, SiteWalk, Walk } from "./endpoints.js";
import { ENDPOINTS } from "./endpoints.js";

/** An endpoint whose answers are kept as records, with one of its walks. */
export interface RecordWalk<W extends Walk = Walk> {
  readonly endpoint: Endpoint;
  readonly walk: W;
}

/** `{guideid}`, `:quizid`. */
const PARAMETER = /\{([^}]+)\}|:(\w+)/g;

const WALKS: readonly RecordWalk[] = ENDPOINTS.flatMap((endpoint) =>
  endpoint.use.by === "backup" ? endpoint.use.walks.map((walk) => ({ endpoint, walk })) : [],
);

export const SITE_WALKS = WALKS.filter((one): one is RecordWalk<SiteWalk> => one.walk.per === "site");
export const ROW_WALKS = WALKS.filter((one): one is RecordWalk<RowWalk> => one.walk.per === "row");
export const ITEM_WALKS = WALKS.filter(
  (one): one is RecordWalk<ItemWalk> => one.walk.per === "guide" || one.walk.per === "wiki",
);

// More fixed words win: `periodic_review/reviews/{userid}` before `…/{doctype}/{docid}`.
const PATTERNS = [...new Set(WALKS.map(({ endpoint }) => endpoint))]
  .map((endpoint) => ({
    endpoint,
    pattern: patternOf(endpoint.path),
    fixed: endpoint.path.replaceAll(PARAMETER, "").length,
  }))
  .toSorted((one, other) => other.fixed - one.fixed);

/** The endpoint of a record's path (`guides/12/releases`). */
export function recordEndpoint(path: string): Endpoint | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.endpoint;
}

/** `/guides/{guideid}/releases` with a value for each part: `guides/12/releases`. */
export function pathWith(template: string, filled: (part: string) => string): string {
  return template
    .slice(1)
    .replaceAll(PARAMETER, (_, braced: string | undefined, bare: string | undefined) => filled(braced ?? bare ?? ""));
}

export function addressOf(endpoint: Endpoint, path: string, escaped: (value: string) => string): string {
  const values = patternOf(endpoint.path).exec(path)?.slice(1) ?? [];
  let next = 0;
  return pathWith(endpoint.path, () => {
    const value = values[next] ?? "";
    next += 1;
    return escaped(value);
  });
}

/** A title may have slashes; ids and words don't. */
function patternOf(template: string): RegExp {
  const source = pathWith(template.replaceAll(".", "\\."), (part) => (part === "title" ? "(.+)" : "([^/]+)"));
  return new RegExp(`^${source}$`, "su");
}
