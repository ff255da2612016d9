import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { Table } from "../components/elements.js";
import { UntrustedText, visibleText } from "../components/untrusted-text.js";
import { countWords, durationWords, secondWords } from "../components/words.js";
import { Part } from "../report/run-head.js";
import {
  ActionForm,
  Ago,
  ageWords,
  type FleetDrill,
  type FleetFacts,
  type FleetFailure,
  type FleetTask,
  framed,
  type PageState,
  placesOf,
  SITE_STATES,
  type SiteState,
  siteName,
  TASK_STATES,
  TaskLink,
  TaskProgress,
  TaskState,
} from "./parts.js";

/** What the reader of a list chose; all may be empty. */
export interface Choice {
  readonly find: string;
  readonly state: string;
  /** The first shown row, from 0. */
  readonly from: number;
}

/** Rows of a list on one page. */
const WINDOW = 50;
/** Running tasks and tasks of a cause that are shown. */
const MOST_SHOWN = 50;
const LONGEST_MESSAGE = 1000;

/** Sites, failures, running tasks, trial restores and workers. */
export function fleetPage(facts: FleetFacts, choice: Choice, page: PageState): string {
  const running = facts.tasks.filter(({ state }) => state === "running");
  return framed(
    page,
    "Fleet",
    <>
      <Overview facts={facts} running={running.length} />
      {facts.failures.length > 0 && (
        <Part id="failures" title="Failures by cause">
          <FailureCards failures={facts.failures} now={facts.now} page={page} />
        </Part>
      )}
      <Part id="running" title={`Running (${withCommas(running.length)})`}>
        <RunningTasks tasks={running} now={facts.now} page={page} />
      </Part>
      <Part id="sites" title="Sites">
        <SiteList facts={facts} choice={choice} />
      </Part>
      <Part id="drills" title="Trial restores">
        <DrillList drills={facts.drills} now={facts.now} />
      </Part>
      <Part id="workers" title={`Workers (${withCommas(facts.workers.length)})`}>
        <WorkerList workers={facts.workers} now={facts.now} />
      </Part>
    </>,
  );
}

/** All tasks, with a filter. */
export function tasksPage(facts: FleetFacts, choice: Choice, page: PageState): string {
  return framed(
    page,
    "Tasks of the fleet",
    <>
      <h1>Tasks</h1>
      <TaskList facts={facts} choice={choice} />
    </>,
  );
}

function Overview({ facts, running }: { readonly facts: FleetFacts; readonly running: number }): JSX.Element {
  const { sites, now, workers } = facts;
  const count = (state: SiteState): number => sites.filter((site) => site.state === state).length;
  const failed = facts.failures.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const [good, overdue] = [count("good"), count("overdue")];
  const alive = workers.filter(({ state }) => state === "alive").length;
  const tiles: readonly Tile[] = [
    { value: sites.length, words: sites.length === 1 ? "site" : "sites", href: "/#sites" },
    { value: good, words: "with a good backup on schedule", href: "/?state=good#sites" },
    { value: overdue, words: "overdue", href: "/?state=overdue#sites", kind: "bad" },
    { value: running, words: "running", href: "/#running" },
    { value: failed, words: failed === 1 ? "task failed" : "tasks failed", href: "/#failures", kind: "bad" },
  ];
  return (
    <header class="report-head">
      <p class="muted">State of {secondWords(now / 1000)}</p>
      <h1>Fleet</h1>
      {alive === 0 && (
        <p class="verdict bad">
          No worker is alive, so nothing runs. Start one on any machine: <code>guideferry worker</code>
        </p>
      )}
      <ul class="totals">
        {tiles.map(({ value, words, href, kind }) => (
          <li class={value > 0 ? kind : undefined}>
            <a href={href}>
              <strong>{withCommas(value)}</strong> {words}
            </a>
          </li>
        ))}
      </ul>
    </header>
  );
}

interface Tile {
  readonly value: number;
  readonly words: string;
  readonly href: string;
  /** Unless the value is 0. */
  readonly kind?: "bad";
}

interface FailureCardsProps {
  readonly failures: readonly FleetFailure[];
  readonly now: number;
  readonly page: PageState;
}

function FailureCards({ failures, now, page }: FailureCardsProps): JSX.Element {
  return (
    <div class="stack">
      {failures.map(({ meaning, message, remedy, tasks }) => (
        <section class="card cause bad-edge">
          <h3>
            {countWords(tasks.length, "task")}: {meaning}
          </h3>
          {message !== "" && (
            <p>
              <UntrustedText text={message} longest={LONGEST_MESSAGE} />
            </p>
          )}
          <p>
            <strong>What to do:</strong> {remedy}
          </p>
          <ul class="fleet-failed">
            {tasks.slice(0, MOST_SHOWN).map((task) => (
              <li id={`failed-${task.id}`}>
                <TaskLink task={task} />{" "}
                <span class="muted">{task.ended !== null && <Ago at={task.ended} now={now} />}</span>
              </li>
            ))}
          </ul>
          {tasks.length > MOST_SHOWN && (
            <p class="muted">
              The first {MOST_SHOWN} of {withCommas(tasks.length)}.
            </p>
          )}
          <ActionForm
            action="retry"
            words={tasks.length === 1 ? "Retry" : `Retry all ${withCommas(tasks.length)}`}
            tasks={tasks.map(({ id }) => id)}
            page={page}
          />
        </section>
      ))}
    </div>
  );
}

interface RunningProps {
  readonly tasks: readonly FleetTask[];
  readonly now: number;
  readonly page: PageState;
}

function RunningTasks({ tasks, now, page }: RunningProps): JSX.Element {
  if (tasks.length === 0) return <p class="muted">Nothing runs now.</p>;
  const oldest = tasks.toSorted((one, other) => (one.started ?? 0) - (other.started ?? 0));
  return (
    <>
      <ul class="fleet-runs card">
        {oldest.slice(0, MOST_SHOWN).map((task) => (
          <li id={`running-${task.id}`}>
            <div>
              <TaskLink task={task} />
              <p class="muted">
                <UntrustedText text={task.worker ?? ""} />
                {task.started !== null && <>, for {durationWords(Math.max(0, now - task.started))}</>}
                {task.attempt > 1 && `, attempt ${withCommas(task.attempt)}`}
              </p>
            </div>
            <TaskProgress task={task} />
            {task.wanted === null && <ActionForm action="pause" tasks={[task.id]} about={nameOf(task)} page={page} />}
          </li>
        ))}
      </ul>
      {tasks.length > MOST_SHOWN && (
        <p class="muted">
          The {MOST_SHOWN} that run longest. <a href="/tasks?state=running">Show all {withCommas(tasks.length)}</a>
        </p>
      )}
    </>
  );
}

/** Words and kind of each state; the words alone tell states apart, the colour repeats it. */
const SITES: Readonly<Record<SiteState, readonly [words: string, kind: string]>> = {
  overdue: ["overdue", "is-failed"],
  failed: ["last run failed", "is-failed"],
  none: ["no backup yet", "is-to-do"],
  paused: ["paused", "is-to-do"],
  unscheduled: ["no schedule", "is-note"],
  good: ["good", "is-moved"],
};

function SiteList({ facts, choice }: { readonly facts: FleetFacts; readonly choice: Choice }): JSX.Element {
  const { sites, now } = facts;
  if (sites.length === 0) {
    return (
      <p class="muted">
        No site is backed up yet. Add one:{" "}
        <code class="command">guideferry fleet schedule backup https://SITE --cron '30 2 * * *'</code>
      </p>
    );
  }
  return (
    <FilteredTable
      path="/"
      part="sites"
      label="Sites"
      choice={choice}
      states={SITE_STATES.map((state) => [state, SITES[state][0]])}
      entries={sites}
      textsOf={({ root, tenant }) => [root, tenant]}
      head={["Site", "State", "Last good backup", "Next run"]}
      rowOf={(site) => [
        <>
          <a href={`/tasks/${site.task}`}>
            <UntrustedText text={siteName(site.root)} />
          </a>
          {site.tenant !== "" && (
            <span class="muted">
              {" "}
              <UntrustedText text={site.tenant} />
            </span>
          )}
        </>,
        <>
          <span class={`chip result ${SITES[site.state][1]}`}>
            {SITES[site.state][0]}
            {site.overdueSince !== null && ` by ${ageWords(now - site.overdueSince)}`}
          </span>
          {site.isRunning && <span class="chip result is-note">running</span>}
        </>,
        <TimeOrNone at={site.lastGood} now={now} />,
        <TimeOrNone at={site.next} now={now} />,
      ]}
    />
  );
}

function TaskList({ facts, choice }: { readonly facts: FleetFacts; readonly choice: Choice }): JSX.Element {
  const { tasks, now } = facts;
  const order = Object.keys(TASK_STATES);
  return (
    <FilteredTable
      path="/tasks"
      part="tasks"
      label="Tasks"
      choice={choice}
      states={order.map((state) => [state, state])}
      entries={tasks.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))}
      textsOf={({ name, verb, source, target, tenant, id }) => [name, verb, source, target, tenant, id]}
      head={["Task", "State", "Last good run", "Next run"]}
      rowOf={(task) => [
        <TaskLink task={task} />,
        <TaskState state={task.state} />,
        <TimeOrNone at={task.lastDone} now={now} />,
        <TimeOrNone at={task.next} now={now} />,
      ]}
    />
  );
}

function TimeOrNone({ at, now }: { readonly at: number | null; readonly now: number }): JSX.Element {
  return at === null ? <span class="muted">none</span> : <Ago at={at} now={now} />;
}

interface FilteredTableProps<Entry> {
  readonly path: string;
  readonly part: string;
  readonly label: string;
  readonly choice: Choice;
  readonly states: readonly (readonly [state: string, words: string])[];
  readonly entries: readonly Entry[];
  /** What a search looks at. */
  readonly textsOf: (entry: Entry) => readonly (string | null)[];
  readonly head: readonly string[];
  readonly rowOf: (entry: Entry) => readonly Child[];
}

/** A table with its search, the states to choose from, and its pages: all of it are addresses. */
function FilteredTable<Entry extends { readonly state: string }>(props: FilteredTableProps<Entry>): JSX.Element {
  const { path, part, label, choice, states, entries, textsOf, head, rowOf } = props;
  const address = (change: Partial<Choice>): string => {
    const { find, state, from } = { ...choice, from: 0, ...change };
    const query = new URLSearchParams({
      ...(find !== "" && { find }),
      ...(state !== "" && { state }),
      ...(from > 0 && { from: `${from}` }),
    });
    return `${path}${query.size > 0 ? `?${query}` : ""}#${part}`;
  };
  const chips = states
    .map(([state, words]) => [state, words, entries.filter((entry) => entry.state === state).length] as const)
    .filter(([state, , count]) => count > 0 || state === choice.state);
  const found = entries.filter(
    (entry) => (choice.state === "" || choice.state === entry.state) && isFound(textsOf(entry), choice.find),
  );
  const last = Math.min(found.length, choice.from + WINDOW);
  return (
    <>
      <form method="get" action={path} class="entries-form" data-filter="">
        <label for={`${part}-find`}>Filter {part}</label>
        <input
          id={`${part}-find`}
          type="search"
          name="find"
          value={choice.find}
          autocomplete="off"
          spellcheck={false}
        />
        {choice.state !== "" && <input type="hidden" name="state" value={choice.state} />}
        <button type="submit" class="button">
          Search
        </button>
      </form>
      <ul class="chips fleet-states">
        {[["", "all", entries.length] as const, ...chips].map(([state, words, count]) => (
          <li>
            <a class="chip" href={address({ state })} aria-current={state === choice.state ? "true" : undefined}>
              {words} {withCommas(count)}
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 ? (
        <p class="muted">Nothing matches.</p>
      ) : (
        <Table stacked label={label} head={head} rows={found.slice(choice.from, last).map(rowOf)} />
      )}
      {found.length > WINDOW && (
        <p class="entries-pages">
          <span class="muted">
            {withCommas(choice.from + 1)} to {withCommas(last)} of {withCommas(found.length)}.
          </span>
          {choice.from > 0 && <a href={address({ from: Math.max(0, choice.from - WINDOW) })}>Previous {WINDOW}</a>}
          {last < found.length && <a href={address({ from: last })}>Next {WINDOW}</a>}
        </p>
      )}
    </>
  );
}

/** Every word has to be part of one of the texts. */
function isFound(texts: readonly (string | null)[], find: string): boolean {
  const all = texts.join(" ").toLowerCase();
  const words = find.toLowerCase().split(/\s+/);
  return words.every((word) => all.includes(word));
}

const VERDICTS: Readonly<Record<FleetDrill["verdict"], readonly [words: string, kind: string]>> = {
  not: ["NOT restorable", "is-failed"],
  unknown: ["no result", "is-to-do"],
  mostly: ["mostly restorable", "is-to-do"],
  restorable: ["restorable", "is-moved"],
};

function DrillList({ drills, now }: Pick<FleetFacts, "drills" | "now">): JSX.Element {
  if (drills.length === 0) {
    return (
      <p class="muted">
        No backup was restored on trial yet. Schedule it:{" "}
        <code class="command">guideferry fleet schedule drill https://SITE --cron '0 6 * * sun'</code>
      </p>
    );
  }
  const order = Object.keys(VERDICTS);
  const sorted = drills.toSorted(
    (one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict) || one.ended - other.ended,
  );
  return (
    <>
      <Table
        stacked
        label="The last trial restore of each backup"
        head={["Backup", "Result", "What was compared", "When"]}
        rows={sorted.slice(0, MOST_SHOWN).map(({ task, place, verdict, words, ended }) => [
          <a href={`/tasks/${task}`}>
            <UntrustedText text={siteName(place)} />
          </a>,
          <span class={`chip result ${VERDICTS[verdict][1]}`}>{VERDICTS[verdict][0]}</span>,
          <UntrustedText text={words} longest={300} />,
          <Ago at={ended} now={now} />,
        ])}
      />
      {sorted.length > MOST_SHOWN && (
        <p class="muted">
          {MOST_SHOWN} of {withCommas(sorted.length)}, the worst and oldest. <a href="/tasks?find=drill">Show all</a>
        </p>
      )}
    </>
  );
}

const WORKERS = {
  alive: ["alive", "is-moved"],
  draining: ["draining", "is-to-do"],
  silent: ["no sign of life", "is-failed"],
} as const;

function WorkerList({ workers, now }: Pick<FleetFacts, "workers" | "now">): JSX.Element {
  if (workers.length === 0) return <p class="muted">No worker has been seen in the last day.</p>;
  return (
    <Table
      stacked
      label="Workers"
      head={["Worker", "State", "Runs", "Version", "Last sign of life"]}
      rows={workers.map(({ name, state, running, slots, version, seen }) => [
        <UntrustedText text={name} />,
        <span class={`chip result ${WORKERS[state][1]}`}>{WORKERS[state][0]}</span>,
        `${withCommas(running)} of ${withCommas(slots)}`,
        <UntrustedText text={version} />,
        <Ago at={seen} now={now} />,
      ])}
      numbers={[2]}
    />
  );
}

function nameOf(task: Pick<FleetTask, "verb" | "source" | "target">): string {
  return visibleText(`${task.verb} ${placesOf(task)}`, 200);
}
