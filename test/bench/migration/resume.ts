import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../../src/storage/sqlite.js";
import { fillWorkspace } from "../../helpers/fill-workspace.js";
import { megabytes, printTable, seconds, times } from "../backup/print-table.js";
import { runGuideferry, type Took } from "../backup/run.js";
import { startSite } from "./site-process.js";

const PER_GUIDE = 10;

/**
 * Loads a small workspace, then gives its ledger a million operations more, and runs again with
 * nothing to do: what the ledger's size costs. How long it takes to look at as many guides is
 * another matter (`memory`).
 */
export async function benchResume(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const operations = Number(environment["OPERATIONS"] ?? 1_000_000);
  const guides = Number(environment["GUIDES"] ?? 100);
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const workspace = join(folder, "workspace");
  try {
    await fillWorkspace(workspace, guides);
    const site = await startSite();
    const own = { GUIDEFERRY_TARGET_TOKEN: site.token, XDG_STATE_HOME: folder };
    const run = (...words: readonly string[]): Promise<Took> =>
      runGuideferry([...words, "--quiet"], { environment: own, allowed: [0, 1] });
    const load = (): Promise<Took> => run("load", workspace, site.door);
    try {
      await load();
      const small = [await load(), await run("status", workspace)];
      await site.passed();
      addOperations(join(workspace, "state.sqlite"), operations);
      const large = [await load(), await run("status", workspace)];
      const writes = (await site.passed()).filter(({ method }) => method !== "GET").length;
      process.stdout.write(
        `${guides} guides, ${operations} operations more; the second load wrote ${writes} times\n\n`,
      );
      const rows = ["load, nothing to do", "status"].map((name, at) => rowOf(name, small[at], large[at]));
      printTable(["", "small ledger", "large ledger", "", "CPU", "most memory"], rows);
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, small: Took | undefined, large: Took | undefined): readonly string[] {
  if (small === undefined || large === undefined) throw new Error("Nothing was run.");
  const cells = [seconds(small.seconds), seconds(large.seconds), times(large.seconds, small.seconds)];
  return [name, ...cells, seconds(large.cpuSeconds), megabytes(large.peakBytes)];
}

/** Guides that were loaded by earlier runs, each with as many steps. */
function addOperations(file: string, count: number): void {
  const database = new Database(file);
  const values = { count, each: PER_GUIDE };
  database.transaction(() => {
    database.execute("CREATE TEMP TABLE n (n INTEGER PRIMARY KEY)");
    database.run(
      "INSERT INTO n WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < :count) SELECT n FROM counted",
      { count },
    );
    database.run(
      `INSERT INTO operation (target, id, item, kind, label, hash, state, outcome, finished)
       SELECT target.id, 'guide/' || (9000000 + n / :each) || '/step/' || (90000000 + n), 'guide/' || (9000000 + n / :each), 'guide',
         'guide, step', hex(zeroblob(32)), 'done', 'written', 1700000000 FROM n, target WHERE n < :count`,
      values,
    );
    database.run(
      `INSERT INTO written (target, key, item, kind, id, share, revision, left_there, facts, adopted)
       SELECT target.id, 'step/' || (90000000 + n), 'guide/' || (9000000 + n / :each), 'step', 90000000 + n, '', '5', hex(zeroblob(32)), '{}', 0
         FROM n, target WHERE n < :count`,
      values,
    );
    database.run(
      `INSERT INTO left_body (target, key, body)
       SELECT target.id, 'step/' || (90000000 + n), '{"lines":[{"text":"Turn it."}]}' FROM n, target WHERE n < :count`,
      { count },
    );
  });
  database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
