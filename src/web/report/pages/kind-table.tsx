import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import { totalOf } from "../count-run.js";
import { type KindColumn, kindColumns } from "../kind-columns.js";
import type { RunReport } from "../run-report.js";
import type { Total } from "./totals.js";

export interface KindTableProps {
  readonly report: Pick<RunReport, "kinds" | "run" | "source" | "target">;
}

/** What went where, kind by kind. */
export function KindTable({ report }: KindTableProps): JSX.Element {
  const columns = kindColumns(report);
  return (
    <Table
      label="What went where"
      head={["Kind", ...columns.map(nameOf)]}
      rows={report.kinds.map((row) => [row.kind, ...columns.map(({ of }) => cellOf(of, row[of]))])}
      numbers={columns.map((_column, at) => at + 1)}
    />
  );
}

/** The same over all kinds, failures apart. */
export function kindTotals(report: KindTableProps["report"]): readonly Total[] {
  return kindColumns(report)
    .filter(({ of }) => of !== "failed")
    .map((column) => ({
      name: nameOf(column),
      value: totalOf(report.kinds, column.of),
      isWarning: column.of === "leftOut",
    }));
}

function nameOf({ name }: KindColumn): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** What went wrong is found at a glance. */
function cellOf(of: KindColumn["of"], value: number): JSX.Element | string {
  if (value === 0) return "0";
  if (of === "leftOut") return <strong class="warn">{numberWords(value)}</strong>;
  return of === "failed" ? <strong class="bad">{numberWords(value)}</strong> : numberWords(value);
}
