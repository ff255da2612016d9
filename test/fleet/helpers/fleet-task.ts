import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type FleetDatabase, migrateTables, openDatabase } from "../../../src/fleet/database.js";
import { KeptFiles } from "../../../src/fleet/kept-files.js";
import { Lease, takeLease } from "../../../src/fleet/lease.js";
import { ObjectStore, Seal } from "../../../src/fleet/object-store.js";
import { StateShipping } from "../../../src/fleet/state-shipping.js";
import { Database } from "../../../src/storage/sqlite.js";
import { type Layout, layoutOf } from "../../../src/storage/workspace/layout.js";
import { openWorkspace, type Workspace } from "../../../src/storage/workspace/workspace.js";
import { emptyDatabase } from "../../helpers/postgres-server.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** A task in a database of its own, with a local folder as its storage. */
export interface FleetTask {
  readonly database: FleetDatabase;
  readonly task: string;
  /** The folder of the storage. */
  readonly store: string;
  /** What a worker gives to a child. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Give the test the tag `postgres`. */
export async function fleetTask(verb = "migrate"): Promise<FleetTask> {
  const address = await emptyDatabase();
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  await migrateTables(database);
  const [row] = await database.query<{ readonly id: string }>(
    "INSERT INTO guideferry.task (verb) VALUES ($1) RETURNING id",
    [verb],
  );
  const [task, store] = [row?.id ?? "", await temporaryFolder()];
  const environment = { GUIDEFERRY_DATABASE: address, GUIDEFERRY_STORE: store, GUIDEFERRY_FLEET_TASK: task };
  return { database, task, store, environment };
}

/** A run of a task on a machine of its own. */
export interface FleetRun {
  readonly layout: Layout;
  readonly lease: Lease;
  readonly shipping: StateShipping;
  readonly kept: KeptFiles;
  /** How the state came into the folder. */
  readonly how: string;
  readonly warnings: readonly string[];
  open(): Promise<Workspace>;
}

interface RunOptions {
  /** Default: an empty folder. */
  readonly directory?: string;
  readonly key?: string;
  /** Stands between the run and the database. */
  readonly database?: FleetDatabase;
  readonly store?: string;
  /** Bytes of the parts of files in the storage. */
  readonly part?: number;
}

/** Takes the lease, also from a holder that does not answer, and the state. */
export async function startRun(
  { database, task, store }: FleetTask,
  { directory, key, ...other }: RunOptions = {},
): Promise<FleetRun> {
  await database.query("UPDATE guideferry.lease SET until = clock_timestamp() WHERE task = $1", [task]);
  const lease = await takeLease(database, { task, holder: "test" });
  if (!(lease instanceof Lease)) throw new Error("somebody else has the lease");
  const layout = layoutOf(directory ?? join(await temporaryFolder(), "workspace"));
  const objects = await ObjectStore.open(other.store ?? store, task, new Seal(key), other.part);
  const warnings: string[] = [];
  const shipping = new StateShipping(layout, {
    database: other.database ?? database,
    store: objects,
    task,
    lease,
    warn: (text) => void warnings.push(text),
    failed: () => undefined,
  });
  const kept = new KeptFiles(layout, objects);
  onTestFinished(() => lease.release());
  const how = await shipping.takeUp();
  await kept.takeUp(how === "restored");
  const open = async (): Promise<Workspace> => {
    const options = { create: true, command: "guideferry test", shared: shipping, elsewhere: kept, wait: () => 0 };
    return openWorkspace(layout.directory, options);
  };
  return { layout, lease, shipping, kept, how, warnings, open };
}

/** Everything in a `state.sqlite`. */
export function rowsOf(file: string): unknown {
  const database = new Database(file, { readOnly: true });
  try {
    const tables = database.all<{ readonly name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    );
    const rows = ({ name }: { readonly name: string }) =>
      database.all(`SELECT * FROM ${name}`).map((row) => JSON.stringify(row));
    return tables.map((table) => [table.name, rows(table).sort()]);
  } finally {
    database.close();
  }
}
