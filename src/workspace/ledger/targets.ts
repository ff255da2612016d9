import type { SiteIdentity } from "../../contracts.js";
import type { Database } from "../sqlite.js";

/** A target that this workspace was loaded into. */
export interface TargetRow {
  /** Of its row; every table of the ledger begins with it. */
  readonly id: number;
  readonly root: string;
  readonly siteId: string | null;
  readonly name: string;
  /** UNIX seconds. */
  readonly lastUsed: number;
}

/** The target that was used last comes first. */
export function listTargets(database: Database): readonly TargetRow[] {
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
  const known = listTargets(database).filter((row) => row.root === site.root);
  const row =
    known.find((candidate) => candidate.siteId === site.siteId) ??
    known.find((candidate) => candidate.siteId === null || site.siteId === null);
  const values = { siteId: site.siteId ?? row?.siteId ?? null, name: site.name, now: Math.floor(Date.now() / 1000) };
  if (row !== undefined) {
    const sql = "UPDATE target SET site_id = :siteId, name = :name, last_used = :now WHERE id = :id";
    database.run(sql, { ...values, id: row.id });
    return row.id;
  }
  const made = database.get<{ readonly id: number }>(
    "INSERT INTO target (root, site_id, name, last_used) VALUES (:root, :siteId, :name, :now) RETURNING id",
    { ...values, root: site.root },
  );
  return made?.id ?? useTarget(database, site);
}
