import { setMaxListeners } from "node:events";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import type { Bandwidth } from "../../core/util/bandwidth.js";
import type { Clock } from "../../core/util/clock.js";
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
import { createOriginLine, type OriginLine, redactedLog } from "./origin-limit.js";
import type { PauseState } from "./pause.js";
import { DEFAULT_RATE, type SharedBudget } from "./request-rate.js";
import type { QueueUse } from "./request-statistics.js";
import type { RetryPolicy } from "./retry.js";
import { createRedactor, hidingQueries, type Redact, type Redactor, Secret } from "./secret.js";
import { authorize, type Credentials, createLogin, secretsOf } from "./sign-in.js";
import type { Log, ObserveRequest, ResponseHead, Transport, WholeResponse, WriteGate } from "./transport.js";

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
  return proxyUrls(environment)
    .filter((url) => url.password !== "")
    .flatMap((url) => [new Secret(url.password), new Secret(decodeURIComponent(url.password))]);
}
