import { createInterface } from "node:readline/promises";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { type FleetDatabase, grantWorker, migrateTables, type Queries } from "../../fleet/database.js";
import { insertTask, listTasks, removeTask, updateTask } from "../../fleet/tasks.js";
import type { CommandCall, FleetVerb } from "../command.js";
import { count, shellQuote } from "../output/words.js";
import { withFleet } from "./connect.js";
import { compareFleet, type FleetChanges, readFleetFile } from "./fleet-file.js";

/** Creates or updates the tables, and gives a role its rights. */
export function runInit(call: CommandCall): Promise<ExitCode> {
  const { output, settings } = call;
  return withFleet(
    call,
    async ({ database, jobs }) => {
      const { from, to } = await migrateTables(database);
      await jobs.prepare();
      const what = from === 0 ? "created" : from === to ? "were up to date" : `updated from version ${from}`;
      output.say(`The tables of the fleet in ${database.place} are ready: version ${to}, ${what}.`);
      if (settings.workerRole !== null) {
        await grantWorker(database, settings.workerRole);
        output.say(`The user ${settings.workerRole} has the rights of a worker.`);
      }
      output.event("summary", { database: database.place, from, version: to, workerRole: settings.workerRole });
      output.note("Next, on each machine: guideferry worker");
      return EXIT.ok;
    },
    { anyTables: true },
  );
}

export async function runApply(call: CommandCall, verbs: ReadonlyMap<string, FleetVerb>): Promise<ExitCode> {
  const { output, settings } = call;
  const wanted = await readFleetFile(call.arguments[0] ?? "", verbs, settings.store);
  return withFleet(call, async ({ database, jobs }) => {
    const changes = compareFleet(wanted, await listTasks(database), await limitsOf(database));
    printChanges(call, changes);
    const { added, changed, removed, tenants } = changes;
    if (added.length + changed.length + removed.length + tenants.length === 0) {
      output.say("The fleet is as the file has it: nothing to do.");
      return EXIT.ok;
    }
    if (settings.dryRun) return EXIT.ok;
    if (!settings.yes && !(await agrees(call))) {
      output.say("Nothing was changed.");
      return EXIT.stopped;
    }
    const now = await database.now();
    await database.transaction(async (queries) => {
      for (const [name, limit] of tenants) await setLimit(queries, name, limit);
      for (const { id } of removed) await removeTask(queries, jobs, id);
      for (const { id, task } of changed) await updateTask(queries, id, task, now);
      for (const task of added) await insertTask(queries, jobs, task, now);
    });
    output.say("Done: the fleet is as the file has it.");
    return EXIT.ok;
  });
}

function printChanges({ output }: CommandCall, { added, changed, removed, tenants }: FleetChanges): void {
  for (const [name, limit] of tenants) {
    output.say(`~ tenant ${name}: ${limit === null ? "no limit" : `at most ${count(limit, "task")} at the same time`}`);
    output.event("change", { change: "tenant", name, mostRunning: limit });
  }
  for (const { name, words, cron, timeZone } of added) {
    const when = cron === null ? "once" : `${cron} in ${timeZone}`;
    output.say(`+ ${name}: ${shellQuote(words)} (${when})`);
    output.event("change", { change: "add", name, words, cron, timeZone });
  }
  for (const { task, facts } of changed) {
    output.say([`~ ${task.name}`, ...facts.map((fact) => `    ${fact}`)].join("\n"));
    output.event("change", { change: "change", name: task.name, facts });
  }
  for (const { name } of removed) {
    output.say(`- ${name}`);
    output.event("change", { change: "remove", name });
  }
}

async function agrees({ stdin, output }: CommandCall): Promise<boolean> {
  const input = stdin();
  if (!("isTTY" in input) || input.isTTY !== true) {
    throw new UsageError(
      "Nobody can be asked here, and nothing was changed. Look at the changes above, then run the same command with --yes.",
    );
  }
  output.note("Make these changes? Type yes:");
  const lines = createInterface({ input });
  try {
    return (await lines.question("")).trim().toLowerCase() === "yes";
  } finally {
    lines.close();
  }
}

async function limitsOf(database: FleetDatabase): Promise<ReadonlyMap<string, number | null>> {
  const rows = await database.query<{ readonly name: string; readonly most: number | null }>(
    "SELECT name, most_running AS most FROM guideferry.tenant",
  );
  return new Map(rows.map(({ name, most }) => [name, most]));
}

async function setLimit(queries: Queries, name: string, limit: number | null): Promise<void> {
  await queries.query(
    "INSERT INTO guideferry.tenant (name, most_running) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET most_running = excluded.most_running",
    [name, limit],
  );
}
