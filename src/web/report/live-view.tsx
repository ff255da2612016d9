import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { JSX } from "hono/jsx/jsx-runtime";
import { messageOf } from "../../core/errors.js";
import { alreadySent } from "../../core/util/already-sent.js";
import { withCommas } from "../../core/util/printable-text.js";
import type { Pause } from "../../service/http/pause.js";
import { Secret } from "../../service/http/secret.js";
import type { LossCount } from "../../storage/ledger/note-rows.js";
import { assetFile } from "../components/asset-files.js";
import { Table } from "../components/elements.js";
import { COMMON_HEADERS, isOwnHost, isSameToken, listenLocally } from "../components/http.js";
import { codeMeaning } from "../components/issue-words.js";
import { PageFrame, pageHtml } from "../components/page-frame.js";
import { UntrustedText } from "../components/untrusted-text.js";
import { countWords, durationWords, sizeWords } from "../components/words.js";
import type { RunCourse } from "./course.js";
import type { FailureTally, RunMessages } from "./failures.js";
import { FailureList } from "./outcome-lists.js";
import { RateCharts } from "./rate-charts.js";
import { Part, RunHead, requestTotals, Totals } from "./run-head.js";
import type { RunReport } from "./run-report.js";
import { isOver, runTimeLeft, type StageTime, stageName, timeLeft } from "./stages.js";

interface LiveState {
  readonly state: "on" | "paused" | "over";
  readonly words: string;
}

/** Only this server's files, and only its script. */
const LIVE_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** `browser/live.ts` keeps the loaded page up to date. */
export function livePage(facts: LiveFacts, { state, words }: LiveState): string {
  return pageHtml(
    <PageFrame title={titleOf(facts)} policy={LIVE_POLICY} head={<Head />}>
      <div class="live" data-state={state}>
        <p class="live-state" id="live-state" role="status" tabindex={-1}>
          {words}
        </p>
        <button type="button" id="live-pause" hidden>
          Pause
        </button>
      </div>
      <main class="report" id="live-body">
        <LiveBody facts={facts} />
      </main>
      <noscript>
        <p class="live-note">This page needs JavaScript to update itself. Reload it to see the current state.</p>
      </noscript>
    </PageFrame>,
  );
}

function Head(): JSX.Element {
  return (
    <>
      <link rel="icon" href="/icon.svg" />
      <link rel="stylesheet" href="/style.css" />
      <script src="/live.js" defer />
    </>
  );
}

function titleOf({ run, source, target }: LiveFacts): string {
  return `${run.command}: ${source?.name ?? "source not read yet"}${target === null ? "" : ` to ${target.name}`}`;
}

/** Shows a running run from memory alone. */
function LiveBody({ facts }: { readonly facts: LiveFacts }): JSX.Element {
  const { run, source, target, now, failures, losses, messages, timeline, limits, isPaused } = facts;
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  const failed = { name: "Failures", value: failures.count, isBad: failures.count > 0 };
  return (
    <>
      <RunHead run={run} source={source} target={target} time={durationWords(now - Date.parse(run.started))}>
        <p class="limits">{isPaused ? "The run was paused manually." : <UntrustedText text={limitWords(limits)} />}</p>
        <LeftInAll {...facts} />
      </RunHead>
      <Totals totals={[failed, ...requestTotals(timeline)]} />
      <Part id="stages" title="Stages">
        <LiveStages {...facts} />
      </Part>
      <Part id="requests" title="Requests">
        <RateCharts timeline={timeline} />
      </Part>
      <Part id="failures" title={`Failures in this run (${withCommas(failures.count)})`}>
        <FailureList failures={{ count: failures.count, causes: failures.causes() }} />
      </Part>
      {target !== null && (
        <Part id="losses" title={`Losses and notes so far (${withCommas(lost)})`}>
          <LossCounts losses={losses} />
        </Part>
      )}
      {messages.count > 0 && (
        <Part id="messages" title={`Warnings and notes (${withCommas(messages.count)})`}>
          <MessageList messages={messages} />
        </Part>
      )}
    </>
  );
}

function LeftInAll({ stages, now, paused, isPaused }: LiveFacts): JSX.Element | null {
  const left = isPaused ? null : runTimeLeft(stages, now, paused);
  return left === null || left < 1000 ? null : <p class="left">Time left: about {durationWords(left)}.</p>;
}

function limitWords(limits: string | null): string {
  if (limits === null) return "The limiting factor is not known yet.";
  return `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}.`;
}

function liveBodyHtml(facts: LiveFacts): string {
  return String(<LiveBody facts={facts} />);
}

type LiveStagesProps = Pick<LiveFacts, "stages" | "now" | "paused" | "isPaused">;

function LiveStages({ stages, ...when }: LiveStagesProps): JSX.Element {
  if (stages.length === 0) return <p>No stage has started yet.</p>;
  return (
    <Table
      label="Progress of each stage"
      head={["Stage", "Progress", "Time left", "Done", "Failed", "Data"]}
      rows={stages.map((stage) => [
        stageName(stage.stage),
        <Bar stage={stage} isOver={isOver(stage, stages)} />,
        isOver(stage, stages) ? "done" : leftWords(stage, when),
        doneWords(stage),
        stage.failed === 0 ? "0" : <strong class="bad">{withCommas(stage.failed)}</strong>,
        stage.bytes === null ? "" : sizeWords(stage.bytes),
      ])}
      numbers={[2, 3, 4, 5]}
    />
  );
}

interface BarProps {
  readonly stage: StageTime;
  readonly isOver: boolean;
}

function doneWords({ done, total, estimate }: StageTime): string {
  if (total !== null) return `${withCommas(done)} of ${withCommas(total)}`;
  return estimate === null || estimate <= done
    ? withCommas(done)
    : `${withCommas(done)} of about ${withCommas(estimate)}`;
}

/** No bar without a total: its length would be a guess. */
function Bar({ stage: { stage, done, total }, isOver }: BarProps): JSX.Element {
  if (total === null) return <span class="muted">{isOver ? "" : "total not known"}</span>;
  const most = Math.max(1, total);
  return <progress class="bar" aria-label={stageName(stage)} max={String(most)} value={String(isOver ? most : done)} />;
}

function leftWords(stage: StageTime, { now, paused, isPaused }: Omit<LiveStagesProps, "stages">): string {
  const left = timeLeft(stage, now, paused);
  if (left === 0) return "done";
  if (isPaused) return "paused";
  return left === null ? "" : durationWords(left);
}

/** What is known of a running run, from memory. */
export interface LiveFacts extends Pick<RunReport, "source">, RunCourse {
  /** As the command line named it. */
  readonly target: RunReport["source"];
  readonly run: Pick<RunReport["run"], "id" | "command" | "started">;
  /** UNIX milliseconds. */
  readonly now: number;
  /** `limited by …`; null: not known yet. */
  readonly limits: string | null;
  readonly isPaused: boolean;
  /** Milliseconds of pauses by a person between two times (UNIX milliseconds). */
  readonly paused: (from: number, to: number) => number;
  readonly failures: Pick<FailureTally, "count" | "causes">;
  /** Of all runs; may be some seconds old. */
  readonly losses: readonly LossCount[];
  readonly messages: Pick<RunMessages, "count" | "last">;
}

/** Characters of a message. */
const LONGEST_MESSAGE = 200;

/** Listed kinds of losses; the report has all. */
const NAMED = 30;
function LossCounts({ losses }: { readonly losses: readonly LossCount[] }): JSX.Element {
  if (losses.length === 0) return <p>No losses and no notes so far.</p>;
  return (
    <>
      <Table
        label="Losses and notes so far"
        head={["Kind", "What happened", "Level", "Count"]}
        rows={losses.slice(0, NAMED).map(({ kind, code, level, count, message }) => [
          kind,
          <>
            {/* Where no table explains a code, its message does. */}
            <UntrustedText text={codeMeaning(code) || message} longest={LONGEST_MESSAGE} />{" "}
            <code class="muted">
              <UntrustedText text={code} />
            </code>
          </>,
          <span class={`chip is-${level}`}>{level}</span>,
          withCommas(count),
        ])}
        numbers={[3]}
      />
      {losses.length > NAMED && (
        <p class="muted">
          The {NAMED} most frequent of {withCommas(losses.length)} issue codes.
        </p>
      )}
    </>
  );
}

function MessageList({ messages }: { readonly messages: Pick<RunMessages, "count" | "last"> }): JSX.Element {
  const last = messages.last();
  return (
    <>
      {messages.count > last.length && (
        <p class="muted">
          The last {last.length} of {countWords(messages.count, "message")}.
        </p>
      )}
      <ul class="messages card">
        {last.map(({ at, level, text }) => (
          <li>
            <time datetime={new Date(at).toISOString()}>{new Date(at).toISOString().slice(11, 19)}</time>{" "}
            {level === "warning" && <strong class="warn">Warning: </strong>}
            <UntrustedText text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface LiveViewOptions {
  /** The state of the run; called only for viewers, at most once a second. Must be cheap. */
  readonly facts: () => LiveFacts;
  readonly pause: Pause;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /** Called with problems for the terminal. */
  readonly report: (problem: string) => void;
}

interface LiveEnd {
  readonly words: string;
  /** The last content; absent: the content before. */
  readonly html?: string;
}

export interface LiveView {
  /** `http://127.0.0.1:PORT/?token=…`: the address allows pausing the run. */
  readonly url: string;
  readonly token: Secret;
  /** Sends the end and closes all connections; waits at most 250 ms for browsers. */
  close(end: LiveEnd): Promise<void>;
}

/** Milliseconds between two updates. */
const TELL_EVERY = 1000;
const PATIENCE = 250;

/** Shows a run on 127.0.0.1. Throws UsageError when the port is taken or not allowed. */
export async function startLiveView({ facts, pause, port = 0, report }: LiveViewOptions): Promise<LiveView> {
  const token = new Secret(randomBytes(24).toString("base64url"));
  const viewers = new Viewers();
  let page = { made: Number.NEGATIVE_INFINITY, html: "" };
  let shown = "";
  const state = (): LiveState => (pause.isPaused ? PAUSED : ON);

  /** Browsers that connect at about the same time get the same content; a timer may be early. */
  function bodyHtml(): string {
    if (Math.abs(performance.now() - page.made) >= TELL_EVERY / 2)
      page = { made: performance.now(), html: liveBodyHtml(facts()) };
    return page.html;
  }

  function show(): void {
    if (viewers.isEmpty) return;
    try {
      const html = bodyHtml();
      if (html !== shown) viewers.send("page", { ...state(), html });
      shown = html;
    } catch (error) {
      report(messageOf(error));
      clearInterval(timer);
    }
  }

  const timer = setInterval(show, TELL_EVERY);
  const forget = pause.onChange(() => viewers.send("state", state()));
  const app = liveApp({
    token,
    viewers,
    report,
    page: () => livePage(facts(), state()),
    onViewer: () => viewers.send("page", { ...state(), html: bodyHtml() }),
    pause: pause.pause,
    resume: pause.resume,
  });
  const quiet = (): void => {
    clearInterval(timer);
    forget();
  };
  const server = await listenLocally({ fetch: app.fetch, port, name: "The live view", report }).catch((error) => {
    quiet();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${server.port}/?token=${token.reveal()}`,
    token,
    close: async (end) => {
      quiet();
      await viewers.end("over", { state: "over", ...end }, PATIENCE);
      await server.close();
    },
  };
}

const ON: LiveState = { state: "on", words: "Running." };
const PAUSED: LiveState = {
  state: "paused",
  words: "Paused: no new requests are sent. Work that needs no requests, such as reading files, continues.",
};

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

interface LiveAppParts {
  readonly token: Secret;
  readonly viewers: Viewers;
  readonly page: () => string;
  /** Called for each new connection. */
  readonly onViewer: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly report: (problem: string) => void;
}

const HEADERS = {
  ...COMMON_HEADERS,
  "content-security-policy": `${LIVE_POLICY}; frame-ancestors 'none'`,
  "cache-control": "no-store",
};

/** Public: these files contain no data of the run. */
const FILES: Readonly<Record<string, { readonly asset: string; readonly contentType: string }>> = {
  "/style.css": { asset: "components/style.css", contentType: "text/css; charset=utf-8" },
  "/icon.svg": { asset: "components/icon.svg", contentType: "image/svg+xml" },
  "/live.js": { asset: "report/browser/live.js", contentType: "text/javascript; charset=utf-8" },
};

/** Answers this machine's names, with the token, and changes only for its own pages. */
function liveApp(parts: LiveAppParts): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use("*", async (call, next) => refusal(call, parts.token) ?? (await next()));
  app.get("/", (call) => call.html(parts.page(), 200, HEADERS));
  for (const [path, { asset, contentType }] of Object.entries(FILES)) {
    app.get(path, async (call) =>
      call.body(await readFile(assetFile(asset), "utf8"), 200, { ...HEADERS, "content-type": contentType }),
    );
  }
  app.get("/events", (call) => openEvents(call, parts));
  app.post("/pause", (call) => changed(call, parts.pause));
  app.post("/resume", (call) => changed(call, parts.resume));
  app.notFound((call) => call.text("Page not found.\n", 404, HEADERS));
  app.onError((error, call) => {
    parts.report(`${call.req.path}: ${error.message}`);
    return call.text("This page cannot be shown because of a defect in guideferry. The run continues.\n", 500, HEADERS);
  });
  return app;
}

/** undefined: the request is allowed. */
function refusal(call: Call, token: Secret): Response | undefined {
  const { req } = call;
  const host = req.header("host");
  // With DNS rebinding the page of another site sends that site's name.
  if (!isOwnHost(host)) return call.text("The Host header of this request does not name this machine.\n", 421, HEADERS);
  if (!Object.hasOwn(FILES, req.path) && !isSameToken(req.query("token") ?? "", token.reveal()))
    return call.text("Open the complete address that guideferry printed, including its token.\n", 403, HEADERS);
  if (req.method === "GET" || req.method === "HEAD") return undefined;
  if (req.method !== "POST") return call.text("Method not allowed.\n", 405, { ...HEADERS, allow: "GET, HEAD, POST" });
  if (req.header("origin") === `http://${host}`) return undefined;
  return call.text("Only this page may send this request.\n", 403, HEADERS);
}

function openEvents(call: Call, { viewers, onViewer }: LiveAppParts): Response {
  if (call.req.method !== "GET") return call.body(null, 200, HEADERS);
  if (!viewers.add(call.env.outgoing, HEADERS))
    return call.text("Too many browser windows show this run. Close one and reload this page.\n", 503, HEADERS);
  onViewer();
  return alreadySent();
}

function changed(call: Call, change: () => void): Response {
  change();
  return call.body(null, 204, HEADERS);
}

/** Connections at most. */
const MOST = 16;

/** Open connections of browsers (server-sent events). */
export class Viewers {
  readonly #all = new Set<ServerResponse>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** false: too many connections. */
  add(outgoing: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#all.size >= MOST) return false;
    const forget = (): void => void this.#all.delete(outgoing);
    outgoing.on("close", forget).on("error", forget);
    outgoing.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
    outgoing.flushHeaders();
    this.#all.add(outgoing);
    return true;
  }

  /** Skips connections that still buffer an event, so that each holds one at most. */
  send(event: string, facts: object): void {
    const frame = frameOf(event, facts);
    for (const outgoing of this.#all) if (!outgoing.writableNeedDrain) outgoing.write(frame);
  }

  /** Sends the last event. Resolves when all have it, or after `patience` milliseconds. */
  async end(event: string, facts: object, patience: number): Promise<void> {
    const frame = frameOf(event, facts);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    const each = [...this.#all].map(
      (outgoing) =>
        new Promise<void>((resolve) => {
          outgoing.on("close", () => resolve());
          outgoing.end(frame, () => resolve());
        }),
    );
    await Promise.race([Promise.all(each), late]);
    clearTimeout(timer);
  }
}

/** The format of the HTML standard (9.2); JSON has no line breaks. */
function frameOf(event: string, facts: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(facts)}\n\n`;
}

/** Share of the time that calls may take. */
const SHARE = 0.02;

/** Limits calls to 2 % of the time and returns the last answer in between. `now`: milliseconds. */
export function sparing<T>(ask: () => T, now: () => number = () => performance.now()): () => T {
  let last: { readonly answer: T; readonly until: number } | undefined;
  return () => {
    const begun = now();
    if (last !== undefined && begun < last.until) return last.answer;
    const answer = ask();
    last = { answer, until: begun + (now() - begun) / SHARE };
    return answer;
  };
}
