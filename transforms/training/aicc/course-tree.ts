import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import type { TableRow } from "./read-table.js";

/** A member of the course in the order in which learners meet it. */
export interface Member {
  /** Its System_ID as the row has it. */
  readonly id: string;
  /** 0: outermost. */
  readonly depth: number;
  readonly isBlock: boolean;
}

/**
 * The structure of a course by its `.cst`: `ROOT` and blocks, each with its members. Ids are compared in small letters. Units that no
 * block has come last: they are in the course and can be opened.
 */
export function courseTree(
  rows: readonly TableRow[],
  unitIds: readonly string[],
  path: string,
  findings: FindingCollector,
): readonly Member[] {
  const blocks = new Map(rows.map((row) => [key(row.fields[0] ?? ""), row]));
  const units = new Map(unitIds.map((id) => [key(id), id]));
  const walk: Walk = { blocks, units, seen: new Set(), members: [], findings };
  const root = blocks.get("root");
  if (root === undefined)
    findings.add("W_MAN_NO_ORGANIZATION", path, "it has no row ROOT; the units are taken in their own order");
  else visit(root, walk);
  const left = unitIds.filter((id) => !walk.seen.has(key(id)));
  return [...walk.members, ...left.map((id) => ({ id, depth: 0, isBlock: false }))];
}

interface Walk {
  readonly blocks: ReadonlyMap<string, TableRow>;
  readonly units: ReadonlyMap<string, string>;
  readonly seen: Set<string>;
  readonly members: Member[];
  readonly findings: FindingCollector;
}

/** Without recursion: blocks may be nested as deep as the table is long. */
function visit(root: TableRow, walk: Walk): void {
  const open = [{ row: root, next: 1 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const id = at.row.fields[at.next];
    at.next += 1;
    if (id === undefined) open.pop();
    else if (id !== "") {
      const block = take(id, at.row, open.length - 1, walk);
      if (block !== undefined) open.push({ row: block, next: 1 });
    }
  }
}

function take(
  id: string,
  row: TableRow,
  depth: number,
  { blocks, units, seen, members, findings }: Walk,
): TableRow | undefined {
  const block = blocks.get(key(id));
  const unit = units.get(key(id));
  if (block === undefined && unit === undefined) {
    findings.add("W_MAN_ITEM_REF_MISSING", row.place, `"${shown(id)}" is neither a unit nor a block`);
    return undefined;
  }
  if (seen.has(key(id))) {
    // A unit twice is harmless; a block in itself has no end.
    if (block !== undefined)
      findings.add("W_MAN_DEPENDENCY_CYCLE", row.place, `the block "${shown(id)}" is there twice, or in itself`);
    return undefined;
  }
  seen.add(key(id));
  members.push({ id: unit ?? id, depth, isBlock: unit === undefined });
  return unit === undefined ? block : undefined;
}

function key(id: string): string {
  return id.trim().toLowerCase();
}
