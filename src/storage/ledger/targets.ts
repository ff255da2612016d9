import type { SiteIdentity } from "../../core/contracts.js";
import type { Database } from "../workspace/sqlite.js";

/** A target that this workspace was loaded into. */
export interface TargetRow {
  /** Of its row; every table of the ledger begins with it. */
  readonly id: number;
  readonly root: string;
  readonly siteId: string | null;
  readonly name: string;
  /** UNIX seconds; 0: training packages went there, and nothing was ever loaded. */
  readonly lastUsed: number;
}

/** The target that was used last comes first. Sites that only training packages went into are none: no load is meant for them. */
export function listTargets(database: Database): readonly TargetRow[] {
  return allRows(database).filter(({ lastUsed }) => lastUsed > 0);
}

function allRows(database: Database): readonly TargetRow[] {
  return database
    .all<TargetRow>(
      "SELECT id, root, site_id AS siteId, name, last_used AS lastUsed FROM target ORDER BY last_used DESC, id DESC",
    )
    .map((row) => ({ ...row }));
}

/**
 * The target's number, made at its first use. It is known by API root and site id together; an empty site does not tell its id, so
 * one that tells it now is the one that did not tell it before, and one that does not is the last one of that root.
 */
export function useTarget(database: Database, site: SiteIdentity): number {
  return targetAt(database, site, Math.floor(Date.now() / 1000));
}

/** The same for training packages: which target was loaded into last stays as it is, so that `retry` and the like don't turn to another site. */
export function targetOfModules(database: Database, site: SiteIdentity): number {
  return targetAt(database, site, 0);
}

function targetAt(database: Database, site: SiteIdentity, now: number): number {
  const known = allRows(database).filter((row) => row.root === site.root);
  const row =
    known.find((candidate) => candidate.siteId === site.siteId) ??
    known.find((candidate) => candidate.siteId === null || site.siteId === null);
  const values = { siteId: site.siteId ?? row?.siteId ?? null, name: site.name, now };
  if (row !== undefined) {
    const sql = "UPDATE target SET site_id = :siteId, name = :name, last_used = max(last_used, :now) WHERE id = :id";
    database.run(sql, { ...values, id: row.id });
    return row.id;
  }
  const made = database.get<{ readonly id: number }>(
    "INSERT INTO target (root, site_id, name, last_used) VALUES (:root, :siteId, :name, :now) RETURNING id",
    { ...values, root: site.root },
  );
  return made?.id ?? targetAt(database, site, now);
}
