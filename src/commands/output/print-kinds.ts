import type { RunReport } from "../../report/run-report.js";
import type { Output } from "./output.js";

type Kinds = RunReport["kinds"];
type Column = readonly [name: string, of: Exclude<keyof Kinds[number], "kind">];

const WRITTEN: readonly Column[] = [
  ["created", "created"],
  ["updated", "updated"],
  ["deleted", "deleted"],
  ["left", "left"],
  ["failed", "failed"],
  ["values lost", "losses"],
];
const READ: readonly Column[] = [
  ["read", "updated"],
  ["unchanged", "left"],
  ["failed", "failed"],
];

/** What the runs of a command did with items. Others only look, or tell it in words of their own. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  migrate: WRITTEN,
  load: WRITTEN,
  apply: WRITTEN,
  retry: WRITTEN,
  restore: WRITTEN,
  demo: WRITTEN,
  backup: READ,
};

/** The closing table of a run: what became of the items of each kind. None where the run did nothing with any. */
export function printKinds({ kinds, target, run }: RunReport, output: Output): void {
  const columns = COLUMNS[run.command] ?? [];
  if (kinds.length === 0 || columns.length === 0 || (columns === WRITTEN && target === null)) return;
  const shown = columns.filter(([, of]) => of !== "deleted" || kinds.some((row) => row.deleted > 0));
  output.say("");
  output.table(
    ["kind", ...shown.map(([name]) => name)],
    kinds.map((row) => [row.kind, ...shown.map(([, of]) => row[of])]),
  );
  output.say("");
}
