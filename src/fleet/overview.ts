import { isObject, objectIn } from "../core/util/json.js";
import { withCommas } from "../core/util/printable-text.js";
import { countWords } from "../web/components/words.js";
import type {
  FleetDrill,
  FleetFacts,
  FleetFailure,
  FleetProgress,
  FleetSite,
  FleetTask,
  SiteState,
} from "../web/fleet/parts.js";
import { SITE_STATES } from "../web/fleet/parts.js";
import type { TaskDetail } from "../web/fleet/task-page.js";
import { nextRun, readCron } from "./cron.js";
import type { Queries } from "./database.js";
import { listTasks, listWorkers, logOf, runsOf, type TaskView } from "./tasks.js";

/** What an exit code means, and what a person does about it. */
interface ExitExplanation {
  readonly meaning: string;
  readonly remedy: string;
}
export type ExplainExit = (exit: number | null, verb: string) => ExitExplanation;

/** A task that knows when it was made. */
interface KnownTask extends TaskView {
  /** UNIX milliseconds. */
  readonly created: number;
  readonly wanted: FleetTask["wanted"];
}

/** The state of a fleet in four queries. Throws FleetDatabaseError. */
export class FleetReader {
  readonly #queries: Queries;
  readonly #explain: ExplainExit;
  /** Times from which backups are overdue, by schedule and last good end: nextRun takes 0.1 ms. */
  #due = new Map<string, number | null>();
  #tasks: ReadonlyMap<string, KnownTask> = new Map();

  constructor(queries: Queries, explain: ExplainExit) {
    this.#queries = queries;
    this.#explain = explain;
  }

  /** All facts, by the clock of the database. */
  async read(): Promise<FleetFacts> {
    const [views, workers, created, drills] = await Promise.all([
      listTasks(this.#queries),
      listWorkers(this.#queries),
      this.#queries.query<CreatedRow>(CREATED),
      this.#queries.query<DrillRow>(DRILLS),
    ]);
    const now = created[0]?.now ?? Date.now();
    const more = new Map(created.map((row) => [row.id, row]));
    const tasks = views.map((task): KnownTask => {
      const { created: at = now, wanted = null } = more.get(task.id) ?? {};
      return { ...task, created: at, wanted };
    });
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    const before = this.#due;
    this.#due = new Map();
    const overdue = (task: KnownTask): number | null => {
      const key = `${task.cron} ${task.timeZone} ${task.lastDone ?? task.created}`;
      const known = this.#due.get(key) ?? before.get(key);
      const at = known === undefined ? overdueFrom(task) : known;
      this.#due.set(key, at);
      return at;
    };
    return {
      now,
      tasks: tasks.map(factsOf),
      sites: sitesOf(tasks, now, overdue),
      failures: failuresOf(tasks, this.#explain),
      drills: drills.map(drillOf),
      workers: workers.map(({ alive, draining, seen, ...worker }) => ({
        ...worker,
        state: alive ? (draining ? "draining" : "alive") : "silent",
        seen: Date.parse(seen),
      })),
    };
  }

  /**
   * A task with its runs and the messages of one.
   *
   * @param run the run whose messages are wanted; default: the last one
   * @returns undefined: there was no such task when `read` was called last
   */
  async readTask(id: string, run: string | undefined): Promise<TaskDetail | undefined> {
    const runs = await runsOf(this.#queries, id);
    const chosen = runs.find((each) => each.id === run) ?? runs[0];
    const text = chosen === undefined ? "" : await logOf(this.#queries, chosen.id);
    const task = this.knownTask(id);
    if (task === undefined) return undefined;
    return {
      ...task,
      runs: runs.map((each) => ({
        ...each,
        started: Date.parse(each.started),
        ended: timeOf(each.ended),
        meaning: each.exit === null ? null : this.#explain(each.exit, task.verb).meaning,
      })),
      log: chosen === undefined ? null : { run: chosen.id, ...lastLines(text) },
    };
  }

  /** As it was when `read` was called last, without its runs. */
  knownTask(id: string): TaskDetail | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    const { words, credentials, priority, state, exit, verb } = task;
    const remedy = state === "failed" ? this.#explain(exit, verb).remedy : null;
    return { ...factsOf(task), words, credentials, priority, remedy, runs: null, log: null };
  }
}

interface CreatedRow {
  readonly id: string;
  readonly created: number;
  readonly now: number;
  readonly wanted: FleetTask["wanted"];
}

const CREATED = `
  SELECT task.id, (extract(epoch FROM task.created) * 1000)::float8 AS created,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, run.wanted
  FROM guideferry.task LEFT JOIN guideferry.run ON run.task = task.id AND run.ended IS NULL`;

interface DrillRow {
  readonly task: string;
  readonly place: string | null;
  readonly ended: number;
  readonly outcome: string | null;
  readonly words: string | null;
  readonly summary: unknown;
}

const DRILLS = `
  SELECT DISTINCT ON (task.id) task.id AS task, task.source AS place, run.outcome, run.words, run.summary,
    (extract(epoch FROM run.ended) * 1000)::float8 AS ended
  FROM guideferry.task JOIN guideferry.run ON run.task = task.id
  WHERE task.verb = 'drill' AND NOT task.cancelled AND run.outcome IN ('done', 'failed')
  ORDER BY task.id, run.started DESC`;

/**
 * The time at which the backups of a task become overdue: one interval after the first time of the
 * schedule that brought no good backup. null: it has no schedule, or none that comes.
 */
export function overdueFrom(task: Pick<KnownTask, "cron" | "timeZone" | "lastDone" | "created">): number | null {
  const { cron, timeZone, lastDone, created } = task;
  if (cron === null) return null;
  const times = readCron(cron);
  const due = nextRun(times, timeZone ?? "UTC", timeOf(lastDone) ?? created);
  return due === null ? null : nextRun(times, timeZone ?? "UTC", due);
}

function factsOf(task: KnownTask): FleetTask {
  const { id, name, tenant, verb, source, target, state, cron, timeZone, attempt, worker, wanted } = task;
  return {
    ...{ id, name, tenant, verb, source, target, state, cron, timeZone, attempt, worker },
    started: timeOf(task.started),
    ended: timeOf(task.ended),
    lastDone: timeOf(task.lastDone),
    next: state === "cancelled" || state === "paused" ? null : timeOf(task.next),
    wanted: state === "running" ? wanted : null,
    progress: state === "running" ? progressOf(task.progress) : null,
  };
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/** A child writes it, so its form is checked. */
function progressOf(progress: unknown): FleetProgress | null {
  if (!isObject(progress) || typeof progress["stage"] !== "string") return null;
  const { stage, done, total, failed, runSecondsLeft } = progress;
  const left = numberIn(runSecondsLeft);
  return {
    stage,
    done: numberIn(done) ?? 0,
    total: numberIn(total),
    failed: numberIn(failed) ?? 0,
    left: left === null ? null : left * 1000,
  };
}

function numberIn(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

// localeCompare with options makes one for each comparison.
const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** Sites that some task backs up, the most urgent first. */
function sitesOf(
  tasks: readonly KnownTask[],
  now: number,
  overdue: (task: KnownTask) => number | null,
): readonly FleetSite[] {
  const bySite = new Map<string, KnownTask[]>();
  for (const task of tasks) {
    if (task.verb !== "backup" || task.source === null || task.state === "cancelled") continue;
    bySite.set(task.source, [...(bySite.get(task.source) ?? []), task]);
  }
  const sites = [...bySite].map(([root, own]) => siteOf(root, own, now, overdue));
  const rank = ({ state }: FleetSite): number => SITE_STATES.indexOf(state);
  return sites.sort(
    (one, other) =>
      rank(one) - rank(other) || (one.lastGood ?? 0) - (other.lastGood ?? 0) || BY_NUMBER.compare(one.root, other.root),
  );
}

function siteOf(
  root: string,
  tasks: readonly KnownTask[],
  now: number,
  overdue: (task: KnownTask) => number | null,
): FleetSite {
  const scheduled = tasks.filter(({ cron }) => cron !== null);
  const main = scheduled[0] ?? tasks.at(-1);
  const good = tasks.flatMap(({ lastDone }) => timeOf(lastDone) ?? []);
  const next = tasks.flatMap((task) => factsOf(task).next ?? []);
  const since = scheduled
    .filter(({ state }) => state !== "paused")
    .flatMap((task) => overdue(task) ?? [])
    .filter((at) => at <= now);
  const lastGood = good.length === 0 ? null : Math.max(...good);
  const overdueSince = since.length === 0 ? null : Math.min(...since);
  return {
    root,
    tenant: main?.tenant ?? "",
    task: main?.id ?? "",
    state: stateOf(scheduled.length === 0 ? tasks : scheduled, lastGood, overdueSince),
    isRunning: tasks.some(({ state }) => state === "running"),
    lastGood,
    next: next.length === 0 ? null : Math.min(...next),
    overdueSince,
  };
}

function stateOf(tasks: readonly KnownTask[], lastGood: number | null, overdueSince: number | null): SiteState {
  if (overdueSince !== null) return "overdue";
  if (tasks.some(({ state }) => state === "failed")) return "failed";
  if (tasks.every(({ state }) => state === "paused")) return "paused";
  if (lastGood === null) return "none";
  return tasks.every(({ cron }) => cron === null) ? "unscheduled" : "good";
}

/** Failed tasks by exit code and message, the most frequent cause first. */
function failuresOf(tasks: readonly KnownTask[], explain: ExplainExit): readonly FleetFailure[] {
  const causes = new Map<string, KnownTask[]>();
  for (const task of tasks) {
    if (task.state !== "failed") continue;
    const key = `${task.exit} ${withoutPlaces(task)}`;
    causes.set(key, [...(causes.get(key) ?? []), task]);
  }
  return [...causes.values()]
    .map((own) => {
      const last = own.toSorted((one, other) => (one.ended ?? "").localeCompare(other.ended ?? "")).at(-1);
      const { exit = null, verb = "", message = null } = last ?? {};
      return { ...explain(exit, verb), message: message ?? "", tasks: own.map(factsOf) };
    })
    .sort((one, other) => other.tasks.length - one.tasks.length);
}

/** A message without what differs from site to site: addresses, and numbers such as ids. */
function withoutPlaces({ message, source, target }: KnownTask): string {
  const hosts = [source, target].flatMap((place) => (place !== null && URL.canParse(place) ? new URL(place).host : []));
  const words = (message ?? "").replaceAll(/\b[a-z0-9]+:\/\/[^\s"'<>]+/gi, "ADDRESS");
  return hosts
    .filter((host) => host !== "")
    .reduce((text, host) => text.replaceAll(host, "HOST"), words)
    .replaceAll(/\d+/g, "0");
}

/** The object `summary` of a drill: docs/reference/output.md. */
function drillOf({ task, place, ended, outcome, words, summary }: DrillRow): FleetDrill {
  const { restorable, items, fields, equal, refused, snapshot } = objectIn(summary);
  const counts = { items: numberIn(items), fields: numberIn(fields), equal: numberIn(equal) };
  const [isWhole, left] = [restorable === true, numberIn(refused) ?? 0];
  const verdict = restorable === false ? "not" : !isWhole ? "unknown" : left > 0 ? "mostly" : "restorable";
  const shown = [
    typeof snapshot === "string" ? `backup of ${snapshot.slice(0, 10)}` : "",
    counts.items === null ? "" : countWords(counts.items, "item"),
    counts.fields === null || counts.equal === null
      ? ""
      : `${withCommas(counts.equal)} of ${withCommas(counts.fields)} fields equal`,
    left === 0 ? "" : `${withCommas(left)} refused`,
  ].filter((part) => part !== "");
  const text = shown.length > 0 ? shown.join(", ") : (words ?? (outcome === "failed" ? "The drill failed." : ""));
  return { task, place: place ?? "", ended, verdict, words: text };
}

/** Lines of a log that a page shows. */
const MOST_LINES = 500;

function lastLines(text: string): { readonly text: string; readonly leftOut: number } {
  const lines = text.split("\n");
  const leftOut = Math.max(0, lines.length - MOST_LINES);
  return { text: lines.slice(leftOut).join("\n"), leftOut };
}
