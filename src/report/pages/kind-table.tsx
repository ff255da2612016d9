import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords } from "../../pages/numbers.js";
import { Table } from "../../pages/table.js";
import type { RunReport } from "../run-report.js";
import type { Total } from "./totals.js";

type Column = readonly [name: string, of: Exclude<keyof RunReport["kinds"][number], "kind">];

const WRITTEN: readonly Column[] = [
  ["Created", "created"],
  ["Updated", "updated"],
  ["Deleted", "deleted"],
  ["Left as they were", "left"],
  ["Failed", "failed"],
  ["Values lost", "losses"],
];
/** A run that wrote to no site has read, and made nothing. */
const READ: readonly Column[] = [
  ["Read", "updated"],
  ["As they were", "left"],
  ["Failed", "failed"],
];

export type KindTableProps = Pick<RunReport, "kinds" | "target">;

/** What went where, kind by kind. */
export function KindTable({ kinds, target }: KindTableProps): JSX.Element {
  const columns = columnsOf(target);
  return (
    <Table
      label="What went where"
      head={["Kind", ...columns.map(([name]) => name)]}
      rows={kinds.map((row) => [row.kind, ...columns.map(([, of]) => cellOf(of, row[of]))])}
      numbers={columns.map((_column, at) => at + 1)}
    />
  );
}

/** The same over all kinds, failures apart. */
export function kindTotals({ kinds, target }: KindTableProps): readonly Total[] {
  return columnsOf(target)
    .filter(([, of]) => of !== "failed")
    .map(([name, of]) => ({ name, value: kinds.reduce((total, row) => total + row[of], 0) }));
}

function columnsOf(target: RunReport["target"]): readonly Column[] {
  return target === null ? READ : WRITTEN;
}

/** What went wrong is found at a glance. */
function cellOf(of: Column[1], value: number): JSX.Element | string {
  if (value === 0) return "0";
  return of === "failed" ? <strong class="bad">{numberWords(value)}</strong> : numberWords(value);
}
