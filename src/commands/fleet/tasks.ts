import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import {
  addTask,
  cancelTask,
  drainWorker,
  findTask,
  pauseTask,
  removeTask,
  resumeTask,
  retryTask,
} from "../../fleet/tasks.js";
import type { CommandCall, FleetVerb } from "../command.js";
import { renameFlags } from "../options/old-names.js";
import { OPTIONS, type OptionName } from "../options/table.js";
import { shellQuote } from "../output/words.js";
import { type Fleet, withFleet } from "./connect.js";
import { defineTask, readCredentialFlags } from "./define-task.js";
import { taskFacts } from "./view.js";

export async function runAdd(call: CommandCall, verbs: ReadonlyMap<string, FleetVerb>): Promise<ExitCode> {
  const { settings, output, options, flags = {} } = call;
  const [verb = "", ...places] = call.arguments;
  const takesTimes = options.includes("cron");
  if (takesTimes && settings.cron === null)
    throw new UsageError("A schedule needs its times: --cron '30 2 * * *' --tz Europe/Berlin (02:30 every day).");
  const task = defineTask(
    {
      verb,
      places,
      options: ofTheVerb(renameFlags(flags, output.warn), verbs),
      credentials: readCredentialFlags(
        { source: settings.sourceTokenReference, target: settings.targetTokenReference },
        settings.credentials,
      ),
      store: settings.store,
      name: settings.taskName,
      tenant: settings.tenant ?? "",
      priority: settings.priority,
      cron: takesTimes ? settings.cron : null,
      timeZone: takesTimes ? settings.timeZone : null,
      managed: false,
    },
    verbs,
  );
  return withFleet(call, async ({ database, jobs }) => {
    const id = await addTask(database, jobs, task);
    const view = await findTask(database, id);
    output.event("task", taskFacts(view));
    const when = view.cron === null ? "A worker runs it next" : `It runs first at ${view.next}`;
    output.say(
      `Task ${id}: ${shellQuote(task.words)}\n${when}. Its state: guideferry fleet show ${view.name ?? id.slice(0, 8)}`,
    );
    return EXIT.ok;
  });
}

/** The flags that are options of a command that a fleet runs, and not of the fleet itself. */
function ofTheVerb(flags: Readonly<Record<string, unknown>>, verbs: ReadonlyMap<string, FleetVerb>) {
  const known = new Set<string>();
  for (const { command } of verbs.values())
    for (const name of command.options) for (const key of keysOf(name)) known.add(key);
  return Object.fromEntries(Object.entries(flags).filter(([key, value]) => value !== undefined && known.has(key)));
}

function keysOf(name: OptionName): readonly string[] {
  const { single } = OPTIONS[name];
  return single === undefined ? [name] : [name, single];
}

type Control = (fleet: Fleet, task: string) => Promise<string>;

const CONTROLS: Readonly<Record<"pause" | "resume" | "cancel" | "retry", Control>> = {
  pause: async ({ database }, task) => {
    await pauseTask(database, task);
    return "is paused";
  },
  resume: async ({ database }, task) => {
    await resumeTask(database, task);
    return "goes on";
  },
  cancel: async ({ database, jobs }, task) => {
    await cancelTask(database, jobs, task);
    return "is cancelled";
  },
  retry: async ({ database, jobs }, task) =>
    (await retryTask(database, jobs, task)) ? "is queued" : "runs already: nothing was queued",
};

export function runControl(call: CommandCall, verb: keyof typeof CONTROLS): Promise<ExitCode> {
  return withFleet(call, async (fleet) => {
    // All names are known before the first task changes.
    const tasks = [];
    for (const named of call.arguments) tasks.push(await findTask(fleet.database, named));
    for (const { id, name } of tasks) {
      if (verb === "cancel" && call.settings.remove) {
        await fleet.database.transaction((queries) => removeTask(queries, fleet.jobs, id));
        call.output.event("task", { id, name, state: "removed" });
        call.output.say(`Task ${name ?? id} is removed.`);
        continue;
      }
      const result = await CONTROLS[verb](fleet, id);
      call.output.event("task", taskFacts(await findTask(fleet.database, id)));
      call.output.say(`Task ${name ?? id} ${result}.`);
    }
    return EXIT.ok;
  });
}

export function runDrain(call: CommandCall): Promise<ExitCode> {
  return withFleet(call, async ({ database }) => {
    for (const name of call.arguments) {
      await drainWorker(database, name);
      call.output.event("worker", { name, draining: true });
      call.output.say(`Worker ${name} takes no new task, stops its runs and ends.`);
    }
    return EXIT.ok;
  });
}
