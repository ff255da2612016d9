import { resolve } from "node:path";
import { EXIT, type ExitCode } from "../../core/errors.js";
import { childStarter } from "../../fleet/child.js";
import { removeLeftovers } from "../../fleet/kept-files.js";
import { removeOldRuns } from "../../fleet/tasks.js";
import { serveHealth, Worker } from "../../fleet/worker.js";
import type { CommandCall } from "../command.js";
import {
  DATABASE_VARIABLE,
  FLEET_UI_TOKEN_VARIABLE,
  SECRET_FORMS,
  SIDES,
  secretVariables,
} from "../options/credential-names.js";
import { withFleet } from "./connect.js";

const FOLDER = "guideferry-fleet";

/** Variables that a child never gets from the worker's environment, but from its task. */
const WITHHELD: ReadonlySet<string> = new Set(
  [...secretVariables(SIDES), DATABASE_VARIABLE, FLEET_UI_TOKEN_VARIABLE].flatMap((name) => [
    name,
    ...SECRET_FORMS.map((form) => `${name}_${form}`),
  ]),
);

export function runWorker(call: CommandCall): Promise<ExitCode> {
  const { settings, output, environment, version, stop, abort } = call;
  const workspaces = resolve(settings.workspaces ?? FOLDER);
  return withFleet(call, async ({ address, database, jobs }) => {
    const start = childStarter({
      program: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
      environment,
      fleet: {
        [DATABASE_VARIABLE]: address,
        ...(settings.store === null ? {} : { GUIDEFERRY_STORE: settings.store }),
      },
      withheld: WITHHELD,
      workspaces,
    });
    const worker = new Worker({
      database,
      jobs,
      start,
      tidy: async (over) => {
        await removeOldRuns(database);
        await removeLeftovers({ database, store: settings.store, workspaces, stop: over, say: output.note });
      },
      version,
      slots: settings.jobs,
      drainTimeout: settings.drainTimeout * 1000,
      stop,
      abort,
      say: (text) => {
        output.note(text);
        output.event("worker", { message: text, ...worker.state, ended: Object.fromEntries(worker.state.ended) });
      },
      warn: output.warn,
    });
    const health =
      settings.healthPort === null ? undefined : await serveHealth(settings.healthPort, () => worker.state, database);
    if (health !== undefined) output.note(`Health and metrics: http://localhost:${health.port}/healthz and /metrics`);
    try {
      await worker.run();
    } finally {
      await health?.close();
    }
    return EXIT.ok;
  });
}
