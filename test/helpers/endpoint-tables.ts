import type { Endpoint, Use, Walk } from "../../src/service/endpoints/endpoints.js";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";

/**
 * The endpoints, one line a family: what is read always, what with all records, what is written,
 * what is left.
 */
export function endpointFamilies(): string {
  const names = [...new Set(ENDPOINTS.map(({ family }) => family))];
  const rows = names.map((name) => {
    const own = ENDPOINTS.filter(({ family }) => family === name);
    return [name, ...(["extract", "backup", "write", "never"] as const).map((by) => cell(own, by))];
  });
  return table(["Family", "Read", "Read with `--records all`", "Written", "Never used"], rows);
}

/** Each endpoint with all that is to be said of it. */
export function everyEndpoint(): string {
  const rows = ENDPOINTS.map((one) => [code(`${one.method} ${one.path}`) + marks(one), one.family, told(one.use)]);
  return table(["Endpoint", "Family", "Use"], rows);
}

function cell(endpoints: readonly Endpoint[], by: Use["by"]): string {
  const own = endpoints.filter(({ use }) => use.by === by);
  return own.map((one) => code(named(one, by)) + marks(one)).join(", ");
}

/** Reads are GET but one. */
function named({ method, path }: Endpoint, by: Use["by"]): string {
  return method === "GET" && by !== "never" && by !== "write" ? path : `${method} ${path}`;
}

function marks({ personal, beyond }: Endpoint): string {
  return `${personal === undefined ? "" : " \\*"}${beyond === true ? " (+)" : ""}`;
}

function told(use: Use): string {
  if (use.by === "extract") return `read: ${use.how}`;
  if (use.by === "backup") return `with all records: ${use.walks.map(walked).join("; ")}`;
  return use.by === "write" ? `written: ${use.verbs}` : `never: ${use.why}`;
}

function walked(walk: Walk): string {
  if (walk.per === "site") return walk.paged === undefined ? "once" : "all pages";
  if (walk.per === "row")
    return `each row of ${code(walk.of)}${walk.lacking === undefined ? "" : ` that lacks ${code(walk.lacking)}`}`;
  const which =
    walk.per === "guide"
      ? "each guide"
      : `each page${walk.namespaces === undefined ? "" : ` of ${walk.namespaces.join(", ")}`}`;
  return [
    which,
    walk.where === undefined ? "" : ` whose row has ${code(walk.where)}`,
    walk.ifAny === undefined ? "" : `, if there are any ${code(walk.ifAny)}`,
  ].join("");
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
