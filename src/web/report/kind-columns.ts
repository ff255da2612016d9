import type { KindRow, RunReport } from "./run-report.js";

/** A column of the table of what went where. */
export interface KindColumn {
  readonly name: string;
  readonly of: Exclude<keyof KindRow, "kind">;
}

/** `always`: also where all of it is 0. */
type Column = KindColumn & { readonly always?: true };

const READ: readonly Column[] = [
  { name: "read", of: "read", always: true },
  { name: "unchanged", of: "unchanged", always: true },
  { name: "failed", of: "failed", always: true },
];
const WRITTEN: readonly Column[] = [
  { name: "read", of: "read" },
  { name: "created", of: "created", always: true },
  { name: "updated", of: "updated", always: true },
  { name: "deleted", of: "deleted" },
  { name: "unchanged", of: "unchanged" },
  { name: "linked", of: "linked" },
  { name: "left", of: "left" },
  { name: "left out", of: "leftOut" },
  { name: "not supported", of: "unsupported" },
  { name: "not sent", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
  { name: "values not supported", of: "losses", always: true },
];
const COMPARED: readonly Column[] = [
  { name: "read", of: "read" },
  { name: "compared", of: "unchanged", always: true },
  { name: "linked", of: "linked" },
  { name: "of others", of: "left" },
  { name: "left out", of: "leftOut" },
  { name: "not supported", of: "unsupported" },
  { name: "not sent", of: "notSent" },
  { name: "failed", of: "failed", always: true },
];
/** It takes away what was made, puts back what was changed, and brings back what was deleted. */
const UNDONE: readonly Column[] = [
  { name: "deleted", of: "deleted", always: true },
  { name: "put back", of: "updated", always: true },
  { name: "brought back", of: "created" },
  { name: "as before already", of: "unchanged" },
  { name: "left", of: "left" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];
/** To the site that the snapshot is of. */
const RESTORED: readonly Column[] = [
  { name: "brought back", of: "created", always: true },
  { name: "put back", of: "updated", always: true },
  { name: "as they were", of: "unchanged", always: true },
  { name: "left", of: "left" },
  { name: "not to be had", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];

const IMPORTED: readonly Column[] = [
  { name: "new modules", of: "created", always: true },
  { name: "new versions", of: "updated", always: true },
  { name: "there already", of: "unchanged" },
  { name: "refused", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  undo: UNDONE,
  verify: COMPARED,
  "import-training": IMPORTED,
};

/** The columns of the table of what went where, in words for a heading: what a run of the kind does always, and of the rest what there is any of. */
export function kindColumns({
  kinds,
  run,
  source,
  target,
}: Pick<RunReport, "kinds" | "source" | "target"> & {
  readonly run: Pick<RunReport["run"], "command">;
}): readonly KindColumn[] {
  const own = COLUMNS[run.command];
  const isHome = run.command === "restore" && source !== null && source.root === target?.root;
  const columns = target?.reached !== true ? READ : (own ?? (isHome ? RESTORED : WRITTEN));
  return columns.filter(({ of, always }) => always === true || kinds.some((row) => row[of] > 0));
}
