import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { PageFrame, pageHtml } from "../components/page-frame.js";
import { plainWords, UntrustedText } from "../components/untrusted-text.js";
import { durationWords, momentWords } from "../components/words.js";
import { stageName } from "../report/stages.js";

/** A command for a site or a pair of sites. Times are UNIX milliseconds. */
export interface FleetTask {
  readonly id: string;
  /** null: the id alone names it. */
  readonly name: string | null;
  readonly tenant: string;
  readonly verb: string;
  readonly source: string | null;
  readonly target: string | null;
  readonly state: "waiting" | "running" | "retrying" | "paused" | "scheduled" | "done" | "failed" | "cancelled";
  /** null: once. */
  readonly cron: string | null;
  readonly timeZone: string | null;
  readonly attempt: number;
  readonly worker: string | null;
  readonly started: number | null;
  readonly ended: number | null;
  /** The end of the last run that was done. */
  readonly lastDone: number | null;
  readonly next: number | null;
  /** What the running attempt was asked for, and has not done yet. */
  readonly wanted: "pause" | "cancel" | "drain" | null;
  /** null: it does not run, or has not reported yet. */
  readonly progress: FleetProgress | null;
}

export interface FleetProgress {
  readonly stage: string;
  readonly done: number;
  /** null: not known. */
  readonly total: number | null;
  readonly failed: number;
  /** Milliseconds of the whole run; null: not known. */
  readonly left: number | null;
}

/** `overdue`: two times of the schedule have passed since the last good backup. */
export const SITE_STATES = ["overdue", "failed", "none", "paused", "unscheduled", "good"] as const;
export type SiteState = (typeof SITE_STATES)[number];

/** A site with its backups, from all tasks that back it up. */
export interface FleetSite {
  readonly root: string;
  readonly tenant: string;
  /** The task that its name leads to. */
  readonly task: string;
  readonly state: SiteState;
  readonly isRunning: boolean;
  readonly lastGood: number | null;
  readonly next: number | null;
  /** With `overdue`: since when. */
  readonly overdueSince: number | null;
}

/** Tasks that failed for the same reason. */
export interface FleetFailure {
  /** What the exit code means. */
  readonly meaning: string;
  /** The last message of one of them. */
  readonly message: string;
  readonly remedy: string;
  readonly tasks: readonly Pick<FleetTask, "id" | "name" | "verb" | "source" | "target" | "ended">[];
}

/** The last trial restore of a repository. */
export interface FleetDrill {
  readonly task: string;
  readonly place: string;
  readonly ended: number;
  readonly verdict: "restorable" | "mostly" | "not" | "unknown";
  readonly words: string;
}

export interface FleetWorker {
  readonly name: string;
  readonly version: string;
  readonly slots: number;
  readonly running: number;
  readonly state: "alive" | "draining" | "silent";
  readonly seen: number;
}

/** All that the operators' pages show. Times are UNIX milliseconds of the database's clock. */
export interface FleetFacts {
  readonly now: number;
  readonly tasks: readonly FleetTask[];
  /** The most urgent first. */
  readonly sites: readonly FleetSite[];
  readonly failures: readonly FleetFailure[];
  readonly drills: readonly FleetDrill[];
  readonly workers: readonly FleetWorker[];
}

/** What every page has around its content. */
export interface PageState {
  /** Where the database is, without user and password. */
  readonly place: string;
  /** Why the database did not answer; null: it did. */
  readonly away: string | null;
  /** Proves that a form is one of this session's pages. */
  readonly formToken: string;
  /** What an action did; null: nothing was asked for. */
  readonly notice: string | null;
  /** The path of this page with its query, to which actions return. */
  readonly path: string;
}

/** Only this server's files, its script and its forms. */
export const FLEET_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'";

/** The form for the token; `problem`: why the last one was refused. */
export function signInPage({ asks, problem, back }: SignIn): string {
  const words = asks
    ? "Enter the token of this page. It is the value of GUIDEFERRY_FLEET_UI_TOKEN where the page is served."
    : "Open the address that guideferry fleet ui printed, with its token. It works once; the terminal shows the next one.";
  return pageHtml(
    <PageFrame title="Sign in to the fleet" policy={FLEET_POLICY} head={<Head script={false} />} referrer="same-origin">
      <main class="report sign-in">
        <h1>Sign in to the fleet</h1>
        {problem !== null && (
          <p class="verdict bad" role="alert">
            {problem}
          </p>
        )}
        <p>{words}</p>
        {asks && (
          <form method="post" action="/sign-in">
            <input type="hidden" name="back" value={back} />
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required />
            <button type="submit" class="button strong">
              Sign in
            </button>
          </form>
        )}
      </main>
    </PageFrame>,
  );
}

interface SignIn {
  /** false: there is no permanent token. */
  readonly asks: boolean;
  readonly problem: string | null;
  /** The path to go to. */
  readonly back: string;
}

/** The frame of all pages of signed-in people. */
export function framed(page: PageState, title: string, content: Child): string {
  const { place, away, notice, path, formToken } = page;
  return pageHtml(
    <PageFrame title={title} policy={FLEET_POLICY} head={<Head script />} referrer="same-origin">
      <header class="live fleet-bar" data-state={away === null ? "on" : "away"} data-follow="/events">
        <nav aria-label="Pages of the fleet">
          <a href="/" aria-current={/^\/(?:\?|$)/.test(path) ? "page" : undefined}>
            Fleet
          </a>
          <a href="/tasks" aria-current={/^\/tasks(?:\?|$)/.test(path) ? "page" : undefined}>
            Tasks
          </a>
        </nav>
        <p class="live-state" id="live-state" role="status" tabindex={-1}>
          {away ?? `Database ${place}: connected.`}
        </p>
        <form method="post" action="/sign-out">
          <input type="hidden" name="form" value={formToken} />
          <button type="submit" class="button">
            Sign out
          </button>
        </form>
      </header>
      <main class="report fleet">
        <p class="note" id="live-notice" role="status" hidden={notice === null}>
          {notice ?? ""}
        </p>
        <div id="live-body">{content}</div>
        <noscript>
          <p class="muted">This page needs JavaScript to update itself. Reload it to see the current state.</p>
        </noscript>
      </main>
    </PageFrame>,
  );
}

function Head({ script }: { readonly script: boolean }): JSX.Element {
  return (
    <>
      <link rel="icon" href="/icon.svg" />
      <link rel="stylesheet" href="/style.css" />
      {script && <script src="/live.js" defer />}
    </>
  );
}

/** The words of the buttons, and what the page says after them. */
export const ACTIONS = {
  pause: ["Pause", "Paused. A running command finishes its item, stops, and keeps what it has done."],
  resume: ["Resume", "Resumed. It goes on as soon as a worker is free."],
  cancel: [
    "Cancel",
    "Cancelled. A running command finishes its item and stops. Retry brings the task back, with its schedule.",
  ],
  retry: ["Retry", "Queued. It starts as soon as a worker is free."],
} as const;
export type FleetAction = keyof typeof ACTIONS;

interface ActionFormProps {
  readonly action: FleetAction;
  /** The words of the button. Default: those of the action. */
  readonly words?: string;
  readonly tasks: readonly string[];
  /** What screen readers say after the words. */
  readonly about?: string;
  readonly page: Pick<PageState, "formToken" | "path">;
}

export function ActionForm({ action, words = ACTIONS[action][0], tasks, about, page }: ActionFormProps): JSX.Element {
  return (
    <form method="post" action="/actions" class="fleet-action">
      <input type="hidden" name="form" value={page.formToken} />
      <input type="hidden" name="back" value={page.path} />
      <input type="hidden" name="ask" value={action} />
      <input type="hidden" name="tasks" value={tasks.join(" ")} />
      <button type="submit" class={action === "cancel" ? "button danger" : "button"}>
        {words}
        {about !== undefined && <span class="unseen"> {plainWords(about)}</span>}
      </button>
    </form>
  );
}

const WANTED = { pause: "Pausing", cancel: "Cancelling", drain: "Moving to another worker" } as const;

/** The stage with its bar; no bar without a total, since its length would be a guess. */
export function TaskProgress({ task }: { readonly task: Pick<FleetTask, "progress" | "wanted"> }): JSX.Element {
  const { progress, wanted } = task;
  if (wanted !== null) return <p class="fleet-progress warn">{WANTED[wanted]}…</p>;
  if (progress === null) return <p class="fleet-progress muted">Starting</p>;
  const { stage, done, total, failed, left } = progress;
  const name = plainWords(stageName(stage), 40);
  return (
    <div class="fleet-progress">
      {total !== null && total > 0 && (
        <progress class="bar" aria-label={name} max={String(total)} value={String(Math.min(done, total))} />
      )}
      <p>
        {name}: {total === null ? withCommas(done) : `${withCommas(done)} of ${withCommas(total)}`}
        {failed > 0 && <strong class="bad">, {withCommas(failed)} failed</strong>}
        {left !== null && <span class="muted">, about {durationWords(left)} left</span>}
      </p>
    </div>
  );
}

/** In the order of their urgency, with the kind of their chip. */
export const TASK_STATES = {
  running: "is-note",
  retrying: "is-to-do",
  waiting: "is-note",
  failed: "is-failed",
  paused: "is-to-do",
  scheduled: "is-moved",
  done: "is-moved",
  cancelled: "",
} as const;

/** The chip of a state. */
export function TaskState({ state }: Pick<FleetTask, "state">): JSX.Element {
  return <span class={`chip result ${TASK_STATES[state]}`}>{state}</span>;
}

/** The name of a task, as a link to its page. */
export function TaskLink({
  task,
}: {
  readonly task: Pick<FleetTask, "id" | "name" | "verb" | "source" | "target">;
}): JSX.Element {
  return (
    <>
      <a href={`/tasks/${task.id}`}>
        <UntrustedText text={placesOf(task)} />
      </a>{" "}
      <span class="muted">
        {task.verb}
        {task.name !== null && (
          <>
            {" "}
            <UntrustedText text={task.name} longest={100} />
          </>
        )}
      </span>
    </>
  );
}

/** `a.example`, or `a.example → b.example`. */
export function placesOf({ source, target }: Pick<FleetTask, "source" | "target">): string {
  const places = [source, target].filter((place) => place !== null).map(siteName);
  return places.join(" → ") || "no site";
}

/** The host of a site with its path; other places as they are. */
export function siteName(root: string): string {
  return root.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

/** `3 h ago`, `in 20 min`, with the moment itself. */
export function Ago({ at, now }: { readonly at: number; readonly now: number }): JSX.Element {
  const moment = momentWords(at / 1000);
  const words =
    Math.abs(now - at) < 1000 ? "now" : at <= now ? `${ageWords(now - at)} ago` : `in ${ageWords(at - now)}`;
  return (
    <time datetime={new Date(at).toISOString()} title={moment}>
      {words}
    </time>
  );
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** One unit, so that ages can be compared at a glance. */
export function ageWords(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.max(1, Math.floor(milliseconds / 1000))} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  return `${withCommas(Math.floor(milliseconds / DAY))} days`;
}
