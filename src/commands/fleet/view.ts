import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { type Budget, listBudgets } from "../../fleet/rate-budget.js";
import { findTask, listTasks, listWorkers, logOf, runsOf, type TaskView } from "../../fleet/tasks.js";
import { createRedactor, Secret } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { meaningOf } from "../exit-codes.js";
import { untilStopped } from "../interruption.js";
import { FLEET_UI_TOKEN_VARIABLE } from "../options/credential-names.js";
import { count, shellQuote } from "../output/words.js";
import { withFleet } from "./connect.js";

/** What to do about a task that ended with a failure, by exit code. */
const REMEDIES: Readonly<Record<number, string>> = {
  1: "Read its log. Report the defect with the output of the command with --debug; a newer version may have repaired it.",
  2: "Read its log: an option, a file or a credential is wrong. Correct it on the workers, or add the task again with other options.",
  4: "Read its log: each attempt was stopped. Give it more time (--max-duration), or look at what stops the workers.",
  5: "Replace the token or password at its reference, and check that the account may still sign in: guideferry check SITE",
  6: "Read its log and its report: data differs or is damaged. For a repository: guideferry repair REPO",
  8: "Read its log: a safety limit stopped it. If the deletions or failures are right, raise the limit that it names.",
  9: "Check that the site answers: guideferry check SITE",
  10: "Read its log: what the task names does not exist. Create it, or add the task again with the right name.",
  11: "Another program uses the repository or the workspace. End it, or wait for its end.",
};

/** What the end of a run means, and what a person does about it; null: a signal ended it. */
function explainExit(exit: number | null, verb: string): { readonly meaning: string; readonly remedy: string } {
  const meaning = exit === null ? "a signal ended the process, or its worker died, each time" : meaningOf(exit, verb);
  const remedy =
    (exit === null ? undefined : REMEDIES[exit]) ??
    "Read its log. A process that the system ends often needs more memory: run fewer at the same time (--jobs).";
  return { meaning, remedy };
}

/** What a failed task's exit code means, what a person does, and the next command. */
export function remedyFor(task: Pick<TaskView, "exit" | "id" | "name" | "verb">): string {
  const { exit, verb } = task;
  const named = task.name ?? task.id.slice(0, 8);
  const { meaning, remedy } = explainExit(exit, verb);
  return `${exit ?? "signal"}: ${meaning}. ${remedy} Then: guideferry fleet retry ${named}`;
}

/** A task as `--json` prints it; the first facts are those that the guide names. */
export function taskFacts(task: TaskView): object {
  const { id, verb, source, target, state, attempt, exit, worker, progress, name, tenant, priority, cron, timeZone } =
    task;
  const { words, credentials, managed, message, run, started, ended, lastDone, next } = task;
  return {
    id,
    verb,
    source,
    target,
    state,
    attempt,
    exit,
    worker,
    progress,
    name,
    tenant,
    priority,
    cron,
    timeZone,
    words,
    credentials,
    managed,
    message,
    run,
    started,
    ended,
    lastDone,
    next,
    ...(state === "failed" ? { remedy: remedyFor(task) } : {}),
  };
}

export function runList(call: CommandCall): Promise<ExitCode> {
  const { settings, output } = call;
  return withFleet(call, async ({ database }) => {
    if (settings.workers) {
      const workers = await listWorkers(database);
      for (const worker of workers) output.event("worker", worker);
      if (workers.length === 0) output.say("No worker runs. Start one: guideferry worker");
      else
        output.table(
          ["Worker", "Version", "Runs", "State", "Last seen"],
          workers.map(({ name, version, running, slots, draining, alive, seen }) => [
            name,
            version,
            `${running} of ${slots}`,
            !alive ? "silent" : draining ? "draining" : "alive",
            seen,
          ]),
        );
      return EXIT.ok;
    }
    const tasks = (await listTasks(database)).filter(
      ({ state, tenant }) =>
        (!settings.failed || state === "failed") && (settings.tenant === null || tenant === settings.tenant),
    );
    for (const task of tasks) output.event("task", taskFacts(task));
    if (tasks.length === 0) {
      output.say(
        settings.failed ? "No task failed." : "The fleet has no task. Add one: guideferry fleet add COMMAND PLACE",
      );
    } else if (settings.failed) {
      for (const task of tasks) {
        const { id, name, verb, source, message } = task;
        output.say(`${name ?? id.slice(0, 8)} (${verb} ${source ?? ""}): ${message || "no message"}`, "red");
        output.say(`  ${remedyFor(task)}`);
      }
    } else {
      output.table(
        ["Task", "Command", "Source", "Target", "State", "Attempt", "Exit", "Progress", "Worker", "Next"],
        tasks.map((task) => [
          task.name ?? task.id.slice(0, 8),
          task.verb,
          task.source ?? "",
          task.target ?? "",
          task.state,
          task.attempt,
          task.exit ?? "",
          task.state === "running" ? progressInWords(task) : "",
          task.state === "running" ? (task.worker ?? "") : "",
          task.next ?? "",
        ]),
      );
    }
    return EXIT.ok;
  });
}

function progressInWords({ progress }: TaskView): string {
  if (progress === null) return "";
  const { stage, done, total } = progress;
  return `${String(stage ?? "")} ${String(done ?? "")}${total === null || total === undefined ? "" : ` of ${String(total)}`}`;
}

export function runShow(call: CommandCall): Promise<ExitCode> {
  const { output } = call;
  return withFleet(call, async ({ database }) => {
    const task = await findTask(database, call.arguments[0] ?? "");
    const runs = await runsOf(database, task.id);
    const budgets = (await listBudgets(database)).filter((budget) => isOf(budget, task));
    output.event("task", { ...taskFacts(task), budgets: budgets.map((budget) => budget.name), runs });
    const { id, name, tenant, words, credentials, state, priority, cron, timeZone, next, lastDone, message } = task;
    const facts: readonly (readonly [string, string | null])[] = [
      ["Task", name === null ? id : `${name}, ${id}`],
      ["Command", shellQuote(["guideferry", ...words])],
      ["State", task.state === "running" ? `${state} on ${task.worker}: ${progressInWords(task)}` : state],
      [
        "Credentials",
        Object.entries(credentials)
          .map(([key, reference]) => `${key} from ${reference}`)
          .join(", ") || null,
      ],
      ["Tenant", tenant || null],
      ["Priority", priority === 0 ? null : String(priority)],
      ["Schedule", cron === null ? null : `${cron} in ${timeZone}`],
      ["Budget", budgets.map(budgetInWords).join("; ") || null],
      ["Next", next],
      ["Last done", lastDone],
      ["Message", message || null],
      ["What to do", state === "failed" ? remedyFor(task) : null],
    ];
    for (const [label, value] of facts) if (value !== null) output.say(`${label}: ${value}`, "bold");
    if (runs.length > 0) {
      output.table(
        ["Run", "Attempt", "Started", "Ended", "Outcome", "Exit", "Worker"],
        runs.map(({ id: run, attempt, started, ended, outcome, exit, worker }) => [
          run.slice(0, 8),
          attempt,
          started,
          ended ?? "",
          outcome ?? "running",
          exit ?? "",
          worker,
        ]),
      );
    }
    return EXIT.ok;
  });
}

function isOf({ origins }: Budget, { source, target }: TaskView): boolean {
  return [source, target].some((place) => URL.canParse(place ?? "") && origins.includes(new URL(place ?? "").origin));
}

function budgetInWords({ name, origins, requestsPerSecond }: Budget): string {
  return `${name}, at most ${count(requestsPerSecond, "request")} a second to ${count(origins.length, "origin")} together`;
}

export function runLogs(call: CommandCall): Promise<ExitCode> {
  const { output, settings } = call;
  return withFleet(call, async ({ database }) => {
    const task = await findTask(database, call.arguments[0] ?? "");
    const runs = await runsOf(database, task.id);
    const run = settings.run === null ? runs[0] : runs.find(({ id }) => id.startsWith(settings.run ?? ""));
    if (run === undefined) {
      throw new UsageError(
        settings.run === null
          ? "No worker has started this task yet, so it has no messages."
          : `The task has no run ${settings.run} among its last ${runs.length}. guideferry fleet show ${call.arguments[0]} lists them.`,
        { exitCode: EXIT.notFound },
      );
    }
    const text = await logOf(database, run.id);
    output.event("log", { task: task.id, run: run.id, text });
    output.say(text.trimEnd() || "The run has printed nothing yet.");
    return EXIT.ok;
  });
}

/** Serves the operators' pages until a signal ends that. */
export function runUi(call: CommandCall): Promise<never> {
  const { settings, output, environment, stop } = call;
  const given = environment[FLEET_UI_TOKEN_VARIABLE]?.trim() ?? "";
  const token = given === "" ? null : new Secret(given);
  if (token !== null) call.hide(createRedactor([token]).redact);
  return withFleet(call, async ({ database, jobs }) => {
    const { startFleetUi } = await import("../../fleet/ui.js");
    const ui = await startFleetUi({
      database,
      jobs,
      token,
      explain: explainExit,
      port: settings.port,
      host: settings.host ?? "127.0.0.1",
      publicAddress: settings.publicAddress,
      announce: (url) => {
        output.event("fleet-ui", { url });
        output.say(token === null ? `The page of the fleet, for one sign-in: ${url}` : `The page of the fleet: ${url}`);
      },
      report: (problem) => output.warn(problem),
    });
    output.note("Press Ctrl-C to end it. The fleet works on.");
    try {
      return await untilStopped(stop);
    } finally {
      await ui.close();
    }
  });
}
