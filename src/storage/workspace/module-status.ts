import { DEAD_ENDS, type PackageState } from "../../core/training.js";
import { readRow } from "./module-row.js";
import type { Database } from "./sqlite.js";

/** How far the training packages are that went into one site. */
export interface ModuleStatus {
  readonly name: string;
  readonly root: string;
  /** Packages by their state; states without one are absent. */
  readonly states: Readonly<Partial<Record<PackageState, number>>>;
  /** Those that did not come to the end of their way, by source. */
  readonly stuck: readonly StuckPackage[];
}

export interface StuckPackage {
  readonly source: string;
  readonly title: string;
  readonly state: PackageState;
  readonly reason: string;
}

interface CountRow {
  readonly target: number;
  readonly name: string;
  readonly root: string;
  readonly state: PackageState;
  readonly count: number;
}

const COUNTS = `SELECT t.id AS target, t.name, t.root, json_extract(m.body, '$.state') AS state, count(*) AS count
  FROM module_import AS m JOIN target AS t ON t.id = m.target GROUP BY t.id, state ORDER BY t.id, state`;
const STUCK = `SELECT digest, body FROM module_import
  WHERE target = :target AND json_extract(body, '$.state') IN (${DEAD_ENDS.map((state) => `'${state}'`).join(", ")}) ORDER BY source, digest`;

/** For each site that training packages went into, what its journal says. Throws WorkspaceError where a row can't be read. */
export function listModuleStatus(database: Database): readonly ModuleStatus[] {
  const sites = new Map<number, ModuleStatus>();
  for (const { target, name, root, state, count } of database.all<CountRow>(COUNTS)) {
    const { states } = sites.get(target) ?? { states: {} };
    sites.set(target, { name, root, states: { ...states, [state]: count }, stuck: [] });
  }
  return [...sites].map(([target, site]) => ({ ...site, stuck: stuckAt(database, target) }));
}

function stuckAt(database: Database, target: number): readonly StuckPackage[] {
  const rows = database.all<{ readonly digest: string; readonly body: string }>(STUCK, { target });
  return rows.map(({ digest, body }) => {
    const { source, module, state, reason } = readRow(body, digest, database.file);
    return { source, title: module.title, state, reason };
  });
}
