import { UsageError } from "../../core/errors.js";
import { checkTables, type FleetDatabase, openDatabase } from "../../fleet/database.js";
import { type JobQueue, openJobs } from "../../fleet/jobs.js";
import { createRedactor, passwordsIn, Secret } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { DATABASE_VARIABLE } from "../options/credential-names.js";

/** The database and the queue of a fleet. */
export interface Fleet {
  readonly address: string;
  readonly database: FleetDatabase;
  readonly jobs: JobQueue;
}

/**
 * Opens the fleet of a command, and closes it after its work. Throws FleetDatabaseError unless its
 * tables are those of this program, except with `anyTables`.
 */
export async function withFleet<T>(
  call: CommandCall,
  work: (fleet: Fleet) => Promise<T>,
  { anyTables = false, connections = 4 }: { readonly anyTables?: boolean; readonly connections?: number } = {},
): Promise<T> {
  const address = call.settings.database ?? call.environment[DATABASE_VARIABLE]?.trim() ?? "";
  if (address === "") {
    throw new UsageError(
      `Name the database of the fleet: export ${DATABASE_VARIABLE}=postgres://USER:PASSWORD@HOST:5432/DATABASE, or give --database.`,
    );
  }
  call.hide(createRedactor([new Secret(address), ...passwordsIn(address)]).redact);
  const database = await openDatabase(address, { connections });
  let jobs: JobQueue | undefined;
  try {
    jobs = await openJobs(database);
    if (!anyTables) await checkTables(database);
    return await work({ address, database, jobs });
  } finally {
    await jobs?.close();
    await database.close();
  }
}
