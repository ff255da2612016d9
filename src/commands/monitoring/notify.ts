import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { EXIT, type ExitCode, messageOf } from "../../core/errors.js";
import { createDispatcher, type Environment } from "../../service/http/exchange.js";
import type { Redact } from "../../service/http/secret.js";
import { durationWords } from "../../web/components/words.js";
import { meaningOf } from "../exit-codes.js";
import type { Receiver } from "../options/receivers.js";
import { isSuccess, type RunFacts } from "./run-facts.js";

export interface Notifier {
  /** Sends the start, and does not wait for it. */
  start(facts: RunFacts): void;
  /** Sends the end. Never throws, and takes END_WITHIN at most. */
  end(facts: RunFacts): Promise<void>;
}

/** Milliseconds for one message, with its repetition. */
const START_WITHIN = 10_000;
/** Milliseconds after the run until the program ends, also if a receiver never answers. */
const END_WITHIN = 10_000;
/** The part of END_WITHIN in which a start that is still under way may arrive. */
const START_AFTER_END = 4000;
const REPEAT_AFTER = 1000;

interface NotifierOptions {
  readonly receivers: readonly Receiver[];
  readonly environment: Environment;
  readonly redact: Redact;
  readonly warn: (text: string) => void;
}

interface Delivery {
  /** null: delivered; else why not. */
  readonly failure: Promise<string | null>;
  readonly giveUp: (why: string) => void;
}

/** Tells receivers of one run. What they do has no effect on its exit code. */
export function createNotifier({ receivers, environment, redact, warn }: NotifierOptions): Notifier {
  const timeouts = { connect: START_WITHIN, headers: START_WITHIN, body: START_WITHIN, total: START_WITHIN };
  let dispatcher: Dispatcher | undefined;
  const starts = new Map<Receiver, Delivery>();
  const send = (receiver: Receiver, facts: RunFacts, within: number): Delivery => {
    dispatcher ??= createDispatcher({ connections: receivers.length, timeouts, environment });
    return deliver(receiver, messageFor(receiver, facts), within, dispatcher);
  };
  const finish = async (receiver: Receiver, facts: RunFacts, hurry: AbortSignal): Promise<void> => {
    const began = performance.now();
    const start = starts.get(receiver);
    const late = AbortSignal.any([hurry, AbortSignal.timeout(START_AFTER_END)]);
    onceAborted(late, () => start?.giveUp("no answer before the run ended"));
    const failures: (readonly [RunState, string | null | undefined])[] = [["start", await start?.failure]];
    if (!isLeftOut(receiver, facts)) {
      const end = send(receiver, facts, END_WITHIN - (performance.now() - began));
      onceAborted(hurry, () => end.giveUp("a signal ended the attempt"));
      failures.push([stateOf(facts.exitCode), await end.failure]);
    }
    const lost = failures.flatMap(([state, why]) => (why ? [`${state}: ${why}`] : []));
    if (lost.length === 0) return;
    warn(
      `Not delivered to ${receiver.url.host}: ${redact(lost.join("; "))}. This changes neither the run nor its exit code.`,
    );
  };
  return {
    start: (facts) => {
      for (const receiver of receivers)
        if (!receiver.onlyFailures) starts.set(receiver, send(receiver, facts, START_WITHIN));
    },
    end: async (facts) => {
      const { signal, close } = listenForHurry();
      try {
        await Promise.all(receivers.map((receiver) => finish(receiver, facts, signal)));
      } finally {
        close();
        void dispatcher?.destroy();
      }
    },
  };
}

function onceAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

/** Milliseconds in which a signal is the one that ended the run: some programs send it twice. */
const SAME_WITHIN = 500;

/** Aborted by a signal that comes while the end is told: the program then ends at once. */
function listenForHurry(): { readonly signal: AbortSignal; readonly close: () => void } {
  const [began, controller] = [performance.now(), new AbortController()];
  const listen = (): void => {
    if (performance.now() - began > SAME_WITHIN) controller.abort();
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, listen);
  return {
    signal: controller.signal,
    close: () => {
      for (const name of names) process.off(name, listen);
    },
  };
}

/** Sends a message; tries once more if the receiver failed in a way that may pass. */
function deliver(receiver: Receiver, message: Message, within: number, dispatcher: Dispatcher): Delivery {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(`no answer within ${Math.round(within / 1000)} s`), within);
  const given = new Promise<string>((resolve) => onceAborted(stop.signal, () => resolve(String(stop.signal.reason))));
  const tries = async (): Promise<string | null> => {
    const first = await post(receiver, message, stop.signal, dispatcher);
    if (first === null || !first.mayPass || stop.signal.aborted) return first?.why ?? null;
    await delay(REPEAT_AFTER);
    return (await post(receiver, message, stop.signal, dispatcher))?.why ?? null;
  };
  // What is still under way then is given up with its connection.
  const failure = Promise.race([tries(), given]).finally(() => clearTimeout(timer));
  return { failure, giveUp: (why) => stop.abort(why) };
}

interface Refusal {
  readonly why: string;
  readonly mayPass: boolean;
}

/** null: it was accepted. Follows no redirect: the address of the receiver is a secret. */
async function post(
  { url }: Receiver,
  { path, type, body }: Message,
  signal: AbortSignal,
  dispatcher: Dispatcher,
): Promise<Refusal | null> {
  const goal = new URL(url);
  goal.pathname = goal.pathname.replace(/\/$/, path === "" ? "/" : "") + path;
  try {
    const headers = { "content-type": type, "user-agent": "guideferry" };
    const request = {
      origin: goal.origin,
      path: `${goal.pathname}${goal.search}`,
      method: "POST",
      headers,
      body,
    } as const;
    const { statusCode, body: answer } = await dispatcher.request({ ...request, signal });
    await answer.dump({ limit: 65_536, signal });
    if (statusCode >= 200 && statusCode < 300) return null;
    const why = statusCode < 400 ? "a redirect, which is not followed" : "";
    return {
      why: `it answered ${statusCode}${why === "" ? "" : ` (${why})`}`,
      mayPass: statusCode >= 500 || statusCode === 429,
    };
  } catch (error) {
    return { why: reasonOf(error), mayPass: true };
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: "nothing listens there",
    ENOTFOUND: "its host is unknown",
    EAI_AGAIN: "its host could not be looked up",
    ECONNRESET: "it closed the connection",
    UND_ERR_SOCKET: "it closed the connection",
  };
  return words[code] ?? (code === "" ? messageOf(error) : code);
}

/** How a run is, for people and programs that look at many. */
type RunState = "start" | "success" | "incomplete" | "stopped" | "failure";

/** Finished, but somebody should look. */
const INCOMPLETE: ReadonlySet<number> = new Set([EXIT.someFailed, EXIT.losses]);
/** The same command continues. */
const STOPPED: ReadonlySet<number> = new Set([EXIT.stopped, EXIT.hangUp, EXIT.interrupted, EXIT.terminated]);

function stateOf(exitCode: ExitCode | null): RunState {
  if (exitCode === null) return "start";
  if (isSuccess(exitCode)) return "success";
  if (INCOMPLETE.has(exitCode)) return "incomplete";
  return STOPPED.has(exitCode) ? "stopped" : "failure";
}

function isLeftOut({ onlyFailures }: Receiver, { exitCode }: RunFacts): boolean {
  return onlyFailures && isSuccess(exitCode);
}

interface Message {
  /** Behind the path of the receiver's address. */
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

function messageFor({ kind }: Receiver, facts: RunFacts): Message {
  const json = "application/json";
  if (kind === "json") return { path: "", type: json, body: JSON.stringify(bodyOf(facts)) };
  if (kind === "slack") return { path: "", type: json, body: JSON.stringify({ text: slackText(textOf(facts)) }) };
  const { exitCode } = facts;
  const path = exitCode === null ? "/start" : isSuccess(exitCode) ? "" : `/${exitCode}`;
  return { path, type: "text/plain; charset=utf-8", body: textOf(facts) };
}

/** The body of a JSON message; docs/reference/output.md describes it. */
function bodyOf(facts: RunFacts): object {
  const { command, run, version, host, source, target, workspace, started, ended, exitCode } = facts;
  return {
    state: stateOf(exitCode),
    ...{ command, run, host, source, target, workspace },
    started: new Date(started).toISOString(),
    ended: ended === null ? null : new Date(ended).toISOString(),
    seconds: ended === null ? null : (ended - started) / 1000,
    exitCode,
    meaning: exitCode === null ? null : meaningOf(exitCode, command),
    items: facts.items,
    results: facts.results,
    requests: facts.requests,
    report: facts.report,
    next: facts.next,
    version,
  };
}

/** The same for people, a few lines. */
function textOf(facts: RunFacts): string {
  const { command, host, source, target, started, ended, exitCode, report, next, run } = facts;
  const sites = [source, target].filter((site) => site !== null).join(" to ");
  const sums = Object.entries({ ...facts.items, ...facts.results }).map(([name, count]) => `${count} ${name}`);
  const lines = [
    `guideferry ${command}${sites === "" ? "" : ` ${sites}`} on ${host}: ${stateOf(exitCode)}`,
    ...(exitCode === null ? [] : [`Exit code ${exitCode}: ${meaningOf(exitCode, command)}.`]),
    ...(ended === null ? [] : [`Duration: ${durationWords(ended - started)}. Requests: ${facts.requests}.`]),
    ...(sums.length === 0 ? [] : [`Counts: ${sums.join(", ")}.`]),
    ...(next === null ? [] : [`Next: ${next}`]),
    ...(report === null ? [] : [`Report on ${host}: ${report}`]),
    `Run: ${run}`,
  ];
  return lines.join("\n");
}

/** Slack reads these three signs as markup. */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
