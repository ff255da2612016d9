import { setMaxListeners } from "node:events";
import type { LookupFunction } from "node:net";
import { performance } from "node:perf_hooks";
import { setImmediate as atEndOfTurn } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { FerryError, type StoppedError } from "../../core/errors.js";
import type { Bandwidth } from "../../core/util/bandwidth.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { isLoopback } from "./address.js";
import { type AddressGuard, createAddressGuard, type MediaWords, SITE_MEDIA } from "./address-guard.js";
import { type Client, createClient } from "./client.js";
import {
  createDispatcher,
  DEFAULT_TIMEOUTS,
  type Environment,
  MAXIMUM_ANSWER,
  proxyUrls,
  readAnswers,
  type Timeouts,
  undiciTransport,
} from "./exchange.js";
import { createHostBreaker, createOpenMedia, dropRefusals, type OpenMedia } from "./media-download.js";
import type { PauseState } from "./pause.js";
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from "./request-queue.js";
import { DEFAULT_RATE, type RateFacts, type SharedBudget } from "./request-rate.js";
import { type AnswerTimes, createAnswerTimes, createStartCounts, type QueueUse } from "./request-statistics.js";
import { comeBackLater, LONGEST_WAIT, type RetryPolicy, retry, retryAfter } from "./retry.js";
import { createRedactor, hidingQueries, passwordsIn, type Redact, type Redactor, type Secret } from "./secret.js";
import { authorize, type Credentials, createLogin, secretsOf } from "./sign-in.js";
import type {
  HttpRequest,
  Log,
  ObserveRequest,
  ResponseHead,
  Transport,
  WholeResponse,
  Wrap,
  WriteGate,
} from "./transport.js";

// From the outside in: authorize → retry → limit → log → read → undici.

/** Starts per second at other hosts of media; on loopback there is no limit. */
const DEFAULT_MEDIA_RATE = 50;

export interface StackOptions {
  readonly root: string;
  readonly credentials: Credentials;
  /** Prefix of this site's variables, for messages: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** Active requests, and connections to one origin. */
  readonly concurrency: number;
  /** Starts per second; default DEFAULT_RATE, without limit on loopback. */
  readonly rate?: number | undefined;
  /** Starts per second at each other host; default DEFAULT_MEDIA_RATE, none on loopback. */
  readonly mediaRate?: number | undefined;
  /** Divides both rates among the processes of this machine or fleet. Default: not shared. */
  readonly budget?: SharedBudget | undefined;
  /** For the bytes of files, to and from the site and its media hosts. Default: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
  readonly environment: Environment;
  readonly lastActivity?: number | undefined;
  /** Holds all requests, to the site and to media hosts. Default: never. */
  readonly pause?: PauseState | undefined;
  /** Called for every request, to the site and to media hosts. */
  readonly onStart?: ((startedAt: number) => void) | undefined;
  /** Asked before each write request, also before a sign-in. Default: none. */
  readonly gate?: WriteGate | undefined;
  /** For --verbose: a line for every request, wait and sign-in, without secrets. */
  readonly log?: Log | undefined;
  /** Told of every request, to the site and to media hosts. */
  readonly observe?: ObserveRequest | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly retry?: Pick<RetryPolicy, "tries" | "firstDelay" | "longestDelay"> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** Private hosts that media may be on. Default: only the site's own. */
  readonly allowedHosts?: ReadonlySet<string> | undefined;
  readonly lookup?: LookupFunction | undefined;
  /** How messages name what `openMedia` fetches. Default: as media of the site. */
  readonly mediaWords?: MediaWords | undefined;
}

export interface Stack {
  readonly client: Client;
  readonly openMedia: OpenMedia;
  /** One signed request through the client's queue; every status is an answer. */
  readonly exchange: Transport<WholeResponse>;
  readonly redact: Redact;
  /** The site's queue first, then those of media hosts. */
  use(): readonly QueueUse[];
  /** Sends nothing to the site before this time, UNIX milliseconds. */
  pauseUntil(time: number): void;
  close(): Promise<void>;
}

interface Shared extends StackOptions {
  readonly site: URL;
  readonly timeouts: Timeouts;
  readonly redactor: Redactor;
  readonly guard: AddressGuard;
  readonly closing: AbortSignal;
}

/** The connections to one site and to the hosts of its media. */
export function createStack(options: StackOptions): Stack {
  const { environment, root, variables, bandwidth, mediaWords: words = SITE_MEDIA } = options;
  const site = new URL(root);
  const secrets = createRedactor([...secretsOf(options.credentials), ...proxySecrets(environment)]);
  const redactor = words.hidesQueries ? hidingQueries(secrets) : secrets;
  const { redact } = redactor;
  const closing = new AbortController();
  const { lookup, allowedHosts: allowed } = options;
  const guard = createAddressGuard({ site, proxied: proxyUrls(environment).length > 0, lookup, allowed, words });
  const shared: Shared = {
    ...options,
    site,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    redactor,
    guard,
    closing: closing.signal,
    log: redactedLog(options.log, redact),
  };
  const own = siteSide(shared);
  const mediaHosts = mediaHostSide(shared);
  return {
    client: createClient({
      root,
      transport: own.answers,
      redact,
      variables,
      signedIn: options.credentials.kind !== "none",
    }),
    exchange: own.answers,
    openMedia: createOpenMedia({ site, guard, own: own.media, foreign: mediaHosts.media, redact, words, bandwidth }),
    // For texts of other code: it removes secrets, and keeps the queries of addresses.
    redact: secrets.redact,
    use: () => [own.line, ...mediaHosts.lines()].map((line) => line.use()),
    pauseUntil: own.line.queue.pauseUntil,
    async close() {
      closing.abort();
      await Promise.all([own.close(), mediaHosts.close()]);
    },
  };
}

/** The site itself: signed requests, one queue for reads, writes, logins and its own media. */
function siteSide(shared: Shared) {
  const { site, redactor, log, clock, bandwidth, gate } = shared;
  const dispatcher = pool(shared, shared.guard.siteLookup);
  // A file that waits for bandwidth keeps its connection; calls must not wait for that.
  const mediaDispatcher = bandwidth === undefined ? dispatcher : pool(shared, shared.guard.siteLookup);
  const line = lineTo(site, shared, rateFor(site, shared.rate, DEFAULT_RATE), shared.lastActivity);
  const unsigned = line.wrap;
  const wire = undiciTransport(dispatcher, redactor.redact, { bandwidth, gate });
  const mediaWire = undiciTransport(mediaDispatcher, redactor.redact);
  const limits = { maximumBytes: MAXIMUM_ANSWER, total: shared.timeouts.total };
  const transport = unsigned(readAnswers(wire, limits, redactor.redact));
  const signed = authorize(createLogin({ ...shared, transport, hold: line.queue.hold, clock, log }));
  return {
    answers: shareSignal(signed(transport)),
    media: shareSignal(signed(unsigned(dropRefusals(mediaWire, redactor.redact)))),
    line,
    close: () => closeAll([line], dispatcher, mediaDispatcher),
  };
}

/** Other hosts: never signed, only public addresses, one queue and one circuit breaker for each. */
function mediaHostSide(shared: Shared) {
  const { redact } = shared.redactor;
  const dispatcher = pool(shared, shared.guard.lookup);
  const wire = undiciTransport(dispatcher, redact);
  const known = new Map<string, { readonly line: OriginLine; readonly media: Transport }>();
  const lines = (): readonly OriginLine[] => [...known.values()].map(({ line }) => line);
  return {
    lines,
    media(origin: string): Transport {
      const existing = known.get(origin);
      if (existing !== undefined) return existing.media;
      const url = new URL(origin);
      const line = lineTo(url, shared, rateFor(url, shared.mediaRate, DEFAULT_MEDIA_RATE));
      const breaker = createHostBreaker({ host: url.host, clock: shared.clock });
      const media = shareSignal(breaker(line.wrap(dropRefusals(wire, redact))));
      known.set(origin, { line, media });
      return media;
    },
    close: () => closeAll(lines(), dispatcher),
  };
}

function lineTo({ origin }: URL, shared: Shared, rate: number | undefined, lastActivity?: number): OriginLine {
  return createOriginLine({ ...shared, redact: shared.redactor.redact, origin, rate, lastActivity });
}

function pool({ concurrency, timeouts, environment }: Shared, lookup: LookupFunction): Dispatcher {
  return createDispatcher({ connections: concurrency, timeouts, environment, lookup });
}

async function closeAll(lines: readonly OriginLine[], ...dispatchers: readonly Dispatcher[]): Promise<void> {
  for (const { queue } of lines) queue.close();
  await Promise.all([...new Set(dispatchers)].map((dispatcher) => dispatcher.destroy()));
}

function rateFor(url: URL, asked: number | undefined, usual: number): number | undefined {
  return asked ?? (isLoopback(url.hostname) ? undefined : usual);
}

// Node warns about a leak at more than ten listeners of a signal.
function shareSignal<Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> {
  return (request, signal) => {
    setMaxListeners(0, signal);
    return inner(request, signal);
  };
}

function proxySecrets(environment: Environment): readonly Secret[] {
  return proxyUrls(environment).flatMap((url) => passwordsIn(url.href));
}

interface OriginLineOptions
  extends Pick<RequestQueueOptions, "rate" | "concurrency" | "lastActivity" | "onStart" | "pause"> {
  readonly origin: string;
  /** Default: the rate is not shared. Without a rate there is nothing to share. */
  readonly budget?: SharedBudget | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly redact: Redact;
  readonly log?: Log | undefined;
  readonly observe?: ObserveRequest | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

interface OriginLine {
  readonly queue: RequestQueue;
  /** Retry is outside of the queue, so that each repetition waits again. */
  readonly wrap: Wrap;
  use(): QueueUse;
}

function createOriginLine(options: OriginLineOptions): OriginLine {
  const { origin, rate, budget, redact, log, observe, clock, random } = options;
  const times = createAnswerTimes();
  const counts = { starts: 0, refusals: 0 };
  const starts = createStartCounts();
  const queue = createRequestQueue({
    ...options,
    lease: rate === undefined ? undefined : budget?.join(origin, rate),
    onStart: (startedAt) => {
      counts.starts += 1;
      starts.note(startedAt);
      options.onStart?.(startedAt);
    },
    onRate: (facts) => log?.(`${origin}: ${describeRate(facts)}`),
  });
  const retried = retry({ ...options.retry, clock, random, log });
  const limited = limit(queue, {
    clock,
    random,
    log,
    times,
    onRefused: () => {
      counts.refusals += 1;
    },
  });
  return {
    queue,
    wrap: (inner) => retried(limited(observed(logRequests(inner, log, redact, clock), observe))),
    use: () => ({ origin, ...queue.use(), latency: times.median(), ...counts, startsBySecond: starts.seconds() }),
  };
}

function describeRate({ rate, given, slowedBy }: RateFacts): string {
  const why = { refusal: "because the site refused more", latency: "because its answers became slow" };
  return `${rate.toFixed(1)} requests a second of ${given}${slowedBy === null ? "" : `, ${why[slowedBy]}`}`;
}

interface LimitOptions {
  readonly clock?: Clock | undefined;
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined;
  readonly log?: Log | undefined;
  readonly times?: AnswerTimes | undefined;
  readonly onRefused?: (() => void) | undefined;
}

// Milliseconds.
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
// Above this share of CPU time, the time of an answer shows this process, not the site.
const BUSY = 0.5;

/**
 * Sends requests through the queue of their origin. A 429, and a 503 with Retry-After, pauses the
 * whole queue: as asked, else for a time that doubles with every 429 in a row. More than
 * LONGEST_WAIT ends the run with StoppedError. All that shares the queue needs the same wrap.
 */
export function limit(queue: RequestQueue, options: LimitOptions = {}): Wrap {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const times = options.times ?? createAnswerTimes();
  let pauses = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let ended: { readonly until: number; readonly error: StoppedError } | undefined;

  function pause(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    options.onRefused?.();
    const now = clock.now();
    const asked = retryAfter(response.headers, now);
    if (asked !== undefined && asked > LONGEST_WAIT) {
      ended = { until: now + asked, error: comeBackLater(request, response.status, asked, now) };
      throw ended.error;
    }
    // Several 429 to requests that were active together are one event.
    if (startedAt > pausedAt) {
      pauses += 1;
      queue.adaptTo({ kind: "refused", at: now });
    }
    pausedAt = now;
    const backOff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (pauses - 1)) * (0.5 + random() / 2);
    const wait = asked === undefined || asked === 0 ? backOff : asked;
    options.log?.(
      `${request.url.origin} answered ${response.status}: guideferry sends nothing there for ${Math.round(wait)} ms`,
    );
    queue.pauseUntil(now + wait);
  }

  function note(request: HttpRequest, response: ResponseHead, startedAt: number): void {
    const unavailable = response.status === 503 && response.headers["retry-after"] !== undefined;
    if (response.status === 429 || unavailable) pause(request, response, startedAt);
    else if (startedAt > pausedAt) pauses = 0;
  }

  /** Uploads, failures and times of a busy process show nothing about the site. */
  function noteTime(request: HttpRequest, { status }: ResponseHead, startedAt: number, busy: number): void {
    const at = clock.now();
    const tells = status < 400 && typeof request.body !== "function";
    const slowness = tells ? times.note(request, at - startedAt) : null;
    if (startedAt > pausedAt) queue.adaptTo({ kind: "answered", at, slowness: busy > BUSY ? null : slowness });
  }

  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      const answer = await queue.run(
        async (onSent) => {
          if (ended !== undefined && clock.now() < ended.until) throw ended.error;
          const startedAt = clock.now();
          const work = performance.eventLoopUtilization();
          const response = await inner({ ...request, onSent }, signal);
          note(request, response, startedAt);
          noteTime(request, response, startedAt, performance.eventLoopUtilization(work).utilization);
          return response;
        },
        signal,
        request.urgent,
      );
      // A stream that fails before it is used would fail with an error of the socket.
      await ("body" in answer ? endOfTurn() : ownTurn());
      return answer;
    };
}

/** What waits for answers, in the order in which they came. */
const arrived: (() => void)[] = [];

/**
 * Fulfilled in a turn of the event loop of its own, after the turn in which the answer came. The
 * use of an answer takes milliseconds, and answers often come together: so the connections take
 * their next requests first, and further answers are read in between.
 */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (arrived.push(resolve) === 1) atEndOfTurn(() => atEndOfTurn(handOver));
  });
}

function handOver(): void {
  arrived.shift()?.();
  if (arrived.length > 0) atEndOfTurn(handOver);
}

/** One line for every request: `GET https://… 200, 84 ms, 5120 bytes, try 2`. */
function logRequests<Response extends ResponseHead>(
  inner: Transport<Response>,
  log: Log | undefined,
  redact: Redact,
  clock: Clock = systemClock,
): Transport<Response> {
  if (log === undefined) return inner;
  return async (request, signal) => {
    const started = clock.now();
    const line = (result: string) =>
      log(redact(`${request.method} ${request.url.href} ${result}, ${clock.now() - started} ms${tryOf(request)}`));
    try {
      const response = await inner(request, signal);
      line(`${response.status}${bytesOf(response)}`);
      return response;
    } catch (error) {
      line(`no answer (${error instanceof FerryError ? error.message : String(error)})`);
      throw error;
    }
  };
}

function observed<Response extends ResponseHead>(
  inner: Transport<Response>,
  observe: ObserveRequest | undefined,
): Transport<Response> {
  if (observe === undefined) return inner;
  return async (request, signal) => {
    const end = observe(request);
    try {
      const response = await inner(request, signal);
      const length = Number(response.bytes ?? response.headers["content-length"] ?? Number.NaN);
      end({ status: response.status, bytes: Number.isNaN(length) ? null : length });
      return response;
    } catch (error) {
      end({ error });
      throw error;
    }
  };
}

function redactedLog(log: Log | undefined, redact: Redact): Log | undefined {
  return log === undefined ? undefined : (line) => log(redact(line));
}

function tryOf(request: HttpRequest): string {
  return request.attempt === undefined || request.attempt === 1 ? "" : `, try ${request.attempt}`;
}

function bytesOf(response: ResponseHead): string {
  const bytes = response.bytes ?? response.headers["content-length"];
  return bytes === undefined ? "" : `, ${bytes} bytes`;
}
