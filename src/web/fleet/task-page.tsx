import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { Table } from "../components/elements.js";
import { plainWords, UntrustedLines, UntrustedText } from "../components/untrusted-text.js";
import { durationWords, secondWords } from "../components/words.js";
import { Fact, Part } from "../report/run-head.js";
import {
  ACTIONS,
  ActionForm,
  Ago,
  type FleetAction,
  type FleetTask,
  framed,
  type PageState,
  placesOf,
  TaskProgress,
  TaskState,
} from "./parts.js";

/** A task with what only its own page shows. */
export interface TaskDetail extends FleetTask {
  /** The command line without the program. */
  readonly words: readonly string[];
  /** Where each credential comes from, by variable: never its value. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly priority: number;
  /** After a failure; null: there is none. */
  readonly remedy: string | null;
  /** Newest first; null: the database did not answer. */
  readonly runs: readonly FleetRun[] | null;
  /** The chosen run, or the last one. */
  readonly log: FleetLog | null;
}

/** One attempt of a task. Times are UNIX milliseconds. */
export interface FleetRun {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string;
  readonly started: number;
  /** null: it runs. */
  readonly ended: number | null;
  readonly outcome: "done" | "retry" | "failed" | "stopped" | "lost" | null;
  /** What the exit code means; null: a signal ended it, or it runs. */
  readonly meaning: string | null;
  readonly exit: number | null;
  readonly message: string | null;
}

export interface FleetLog {
  readonly run: string;
  /** The last lines. */
  readonly text: string;
  /** Lines before them. */
  readonly leftOut: number;
}

const LONGEST_LOG = 200_000;
const LONGEST_MESSAGE = 600;

/** A task with its runs, the messages of one of them, and what can be done. */
export function taskPage(task: TaskDetail, now: number, page: PageState): string {
  return framed(
    page,
    plainWords(`${task.verb} ${placesOf(task)}`),
    <>
      <TaskHead task={task} now={now} page={page} />
      <Part id="runs" title="Runs">
        <Runs task={task} now={now} />
      </Part>
      {task.log !== null && (
        <Part id="log" title={`Messages of run ${task.log.run.slice(0, 8)}`}>
          <Log log={task.log} />
        </Part>
      )}
    </>,
  );
}

/** The page of a task that the fleet does not have. */
export function unknownTaskPage(page: PageState): string {
  return framed(
    page,
    "No such task",
    <>
      <h1>The fleet has no such task</h1>
      <p>
        It was removed, or the address is incomplete. <a href="/tasks">Show all tasks</a>
      </p>
    </>,
  );
}

interface TaskHeadProps {
  readonly task: TaskDetail;
  readonly now: number;
  readonly page: PageState;
}

function TaskHead({ task, now, page }: TaskHeadProps): JSX.Element {
  const { verb, name, state, cron, timeZone, next, lastDone, tenant, priority, words, credentials, remedy, id } = task;
  const references = Object.entries(credentials);
  return (
    <header class="report-head">
      <p class="muted">
        <a href="/tasks">Tasks</a> / {verb} {name !== null && <UntrustedText text={name} longest={100} />}
      </p>
      <h1>
        <UntrustedText text={placesOf(task)} />
      </h1>
      <div class="fleet-state">
        <TaskState state={state} />
        {state === "running" && <TaskProgress task={task} />}
      </div>
      {remedy !== null && (
        <p class="note warn">
          <strong>What to do:</strong> {remedy}
        </p>
      )}
      <Actions task={task} page={page} />
      <dl class="facts">
        <Fact name="Last good run">{lastDone === null ? "none" : <Ago at={lastDone} now={now} />}</Fact>
        <Fact name="Next run">{next === null ? "none" : <Ago at={next} now={now} />}</Fact>
        <Fact name="Schedule">
          {cron === null ? (
            "once"
          ) : (
            <>
              <code>
                <UntrustedText text={cron} />
              </code>{" "}
              <UntrustedText text={timeZone ?? "UTC"} />
            </>
          )}
        </Fact>
        {tenant !== "" && (
          <Fact name="Tenant">
            <UntrustedText text={tenant} />
          </Fact>
        )}
        {priority !== 0 && <Fact name="Priority">{withCommas(priority)}</Fact>}
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
        <Fact name="Command">
          <code>
            guideferry <UntrustedText text={words.join(" ")} />
          </code>
        </Fact>
        {references.length > 0 && (
          <Fact name="Credentials">
            {references.map(([variable, reference]) => (
              <code class="fleet-reference">
                <UntrustedText text={`${variable} from ${reference}`} />
              </code>
            ))}
          </Fact>
        )}
      </dl>
    </header>
  );
}

/** What can be done in each state. */
const POSSIBLE: Readonly<Record<FleetTask["state"], readonly FleetAction[]>> = {
  waiting: ["pause", "cancel"],
  running: ["pause", "cancel"],
  retrying: ["retry", "pause", "cancel"],
  paused: ["resume", "cancel"],
  scheduled: ["retry", "pause", "cancel"],
  done: ["retry"],
  failed: ["retry"],
  cancelled: ["retry"],
};

function Actions({ task, page }: Pick<TaskHeadProps, "task" | "page">): JSX.Element {
  const { state, cron, wanted, id } = task;
  const possible = wanted === null ? POSSIBLE[state] : [];
  // A schedule goes on after a failure.
  const actions = state === "failed" && cron !== null ? POSSIBLE.scheduled : possible;
  return (
    <div class="fleet-actions">
      {actions.map((action) =>
        action === "cancel" ? (
          <details>
            <summary class="button">Cancel…</summary>
            <div class="card">
              <p>
                {cron === null ? "The task ends." : "The task and its schedule end."} A running command stops within 10
                s. What it did so far stays, and Retry brings the task back.
              </p>
              <ActionForm action="cancel" words="Cancel this task" tasks={[id]} page={page} />
            </div>
          </details>
        ) : (
          <ActionForm action={action} words={wordsOf(action, state)} tasks={[id]} page={page} />
        ),
      )}
    </div>
  );
}

function wordsOf(action: FleetAction, state: FleetTask["state"]): string {
  if (action !== "retry" || state === "failed") return ACTIONS[action][0];
  return state === "done" || state === "cancelled" ? "Run again" : "Run now";
}

const OUTCOMES = {
  done: ["done", "is-moved"],
  retry: ["failed, is repeated", "is-to-do"],
  failed: ["failed", "is-failed"],
  stopped: ["stopped", "is-note"],
  lost: ["moved to another worker", "is-to-do"],
} as const;

function Runs({ task: { runs, log, id }, now }: Pick<TaskHeadProps, "task" | "now">): JSX.Element {
  if (runs === null) return <p class="muted">The database does not answer, so the runs cannot be shown.</p>;
  if (runs.length === 0) return <p class="muted">It has not run yet.</p>;
  return (
    <Table
      stacked
      label="Runs, the newest first"
      head={["Started", "Result", "Duration", "Attempt", "Worker", "Messages"]}
      rows={runs.map((run) => [
        <Ago at={run.started} now={now} />,
        <>
          {run.outcome === null ? (
            <span class="chip result is-note">running</span>
          ) : (
            <span class={`chip result ${OUTCOMES[run.outcome][1]}`}>{OUTCOMES[run.outcome][0]}</span>
          )}
          {run.exit !== null && run.exit !== 0 && (
            <p class="muted">
              Exit code {run.exit}
              {run.meaning !== null && `: ${run.meaning}`}
            </p>
          )}
          {run.message !== null && run.outcome !== "done" && run.message !== "" && (
            <p class="fleet-message">
              <UntrustedText text={run.message} longest={LONGEST_MESSAGE} />
            </p>
          )}
        </>,
        durationWords(Math.max(0, (run.ended ?? now) - run.started)),
        withCommas(run.attempt),
        <UntrustedText text={run.worker} longest={100} />,
        run.id === log?.run ? (
          "below"
        ) : (
          <a
            href={`/tasks/${id}?run=${run.id}#log`}
            aria-label={`Messages of the run of ${secondWords(run.started / 1000)}`}
          >
            show
          </a>
        ),
      ])}
      numbers={[2, 3]}
    />
  );
}

function Log({ log: { text, leftOut } }: { readonly log: FleetLog }): JSX.Element {
  if (text === "") return <p class="muted">The run has reported nothing yet.</p>;
  return (
    <>
      {leftOut > 0 && (
        <p class="muted">The last lines. {withCommas(leftOut)} before them are in: guideferry fleet logs</p>
      )}
      <section class="fleet-log card" aria-label="Messages" tabindex={0}>
        <pre>
          <UntrustedLines text={text} longest={LONGEST_LOG} />
        </pre>
      </section>
    </>
  );
}
