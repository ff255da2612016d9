import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { ConnectionError, UsageError } from "../../core/errors.js";
import type { Bandwidth } from "../../core/util/bandwidth.js";
import { AbortSource, onAbort } from "../../core/util/concurrency.js";
import { oneBehind, readPieces } from "../../core/util/iterables.js";
import { connectionError, ProxyFailure } from "./connection-error.js";
import { dispatch } from "./dispatch.js";
import { hasReadableSignIn, type Redact } from "./secret.js";
import type { HttpRequest, HttpResponse, Transport, WholeResponse, WriteGate } from "./transport.js";

interface TransportOptions {
  /** For bodies that are files. Default: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
  /** Default: every request is sent. */
  readonly gate?: WriteGate | undefined;
}

/** The innermost transport: one request, one answer. It follows no redirect. */
export function undiciTransport(
  dispatcher: Dispatcher,
  redact: Redact,
  { bandwidth, gate }: TransportOptions = {},
): Transport {
  return async (request, signal) => {
    signal.throwIfAborted();
    const { body: open = null } = request;
    const upload = typeof open === "function" ? await openFile(open(), request, { bandwidth, signal }) : whole(open);
    try {
      const sending = {
        headers: withLength(request),
        body: upload.body,
        gate: request.method === "GET" ? undefined : gate,
      };
      return { ...(await dispatch(dispatcher, request, sending, signal)), url: request.url, bytes: null };
    } catch (error) {
      signal.throwIfAborted();
      throw upload.failure() ?? connectionError(request, error, redact);
    }
  };
}

interface Upload {
  readonly body: string | Buffer | Readable | null;
  /** The error of the stream itself: undici reports it like a failed connection. */
  failure(): Error | undefined;
}

function whole(body: Upload["body"]): Upload {
  return { body, failure: () => undefined };
}

/** Bytes of a file that is read before it is sent, which takes less than sending a stream. */
const READ_FIRST = 256 * 1024;

async function openFile(
  content: Readable | Buffer,
  { length, onWait }: HttpRequest,
  { bandwidth, signal }: { readonly bandwidth: Bandwidth | undefined; readonly signal: AbortSignal },
): Promise<Upload> {
  if (bandwidth === undefined && Buffer.isBuffer(content)) return whole(content);
  const bytes = Buffer.isBuffer(content) ? Readable.from([content], { objectMode: false }) : content;
  if (bandwidth === undefined && length !== undefined && length <= READ_FIRST)
    return whole(await wholeOf(bytes, signal));
  let failure: Error | undefined;
  bytes.once("error", (error) => {
    failure = error;
  });
  // If the content is damaged at its end, a part must be unsent: else the site accepts it.
  const untilEnd = oneBehind(bytes);
  const pieces = bandwidth?.throttle(untilEnd, signal, onWait) ?? untilEnd;
  return { body: Readable.from(pieces, { objectMode: false }), failure: () => failure };
}

async function wholeOf(bytes: Readable, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    await readPieces(bytes, signal, (piece) => pieces.push(piece));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(pieces);
}

function withLength(request: HttpRequest): Readonly<Record<string, string>> {
  return request.length === undefined
    ? request.headers
    : { ...request.headers, "content-length": String(request.length) };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** In milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** Until the head of the answer: a site may work long on a large guide. */
  readonly headers: number;
  readonly body: number;
  /** For a whole API answer; media have no limit. */
  readonly total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 20_000, headers: 90_000, body: 60_000, total: 300_000 };

interface DispatcherOptions {
  /** Connections to one origin; undici's own default opens one for every active request. */
  readonly connections: number;
  readonly timeouts: Timeouts;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY; lower case wins, as with curl. Empty: unset. */
  readonly environment: Environment;
  /** Resolves hosts of direct connections, also those written as an address. */
  readonly lookup?: LookupFunction | undefined;
}

/**
 * One pool of connections without redirects, cookies and cache. NODE_EXTRA_CA_CERTS works through
 * Node, whose certificates undici uses. Throws UsageError when a proxy variable has no valid
 * address; the value is not shown, since it may have a password.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { connections, timeouts, environment, lookup } = options;
  const settings = {
    connections,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    connect: connectorBy(timeouts.connect, lookup),
  };
  const proxies = proxySettings(environment);
  // The other one parses the address of each request.
  if (proxies.httpProxy === "" && proxies.httpsProxy === "") return new Agent(settings);
  return new EnvHttpProxyAgent({
    ...settings,
    clientFactory: (proxy) => new Pool(proxy, { connect: connectorTo(proxy, timeouts.connect) }),
    ...proxies,
  });
}

// Node calls no look-up for a host that is written as an address.
function connectorBy(timeout: number, lookup: LookupFunction | undefined): buildConnector.connector {
  if (lookup === undefined) return buildConnector({ timeout });
  const connect = buildConnector({ timeout, lookup });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) === 0) connect(options, callback);
    else lookup(host, { all: true }, (error) => (error === null ? connect(options, callback) : callback(error, null)));
  };
}

// The error of the connection itself does not name the proxy.
function connectorTo(proxy: URL, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout });
  return (options, callback) =>
    connect(options, (...[error, socket]: buildConnector.CallbackArgs) =>
      error === null ? callback(null, socket) : callback(new ProxyFailure(proxy, error), null),
    );
}

/** The proxies of the environment, for finding the secrets in them. */
export function proxyUrls(environment: Environment): readonly URL[] {
  return ["https_proxy", "http_proxy"].flatMap((name) => proxyUrl(environment, name) ?? []);
}

// undici reads the process's environment for a setting that is left out.
function proxySettings(environment: Environment) {
  return {
    httpProxy: proxyUrl(environment, "http_proxy")?.href ?? "",
    httpsProxy: (proxyUrl(environment, "https_proxy") ?? proxyUrl(environment, "http_proxy"))?.href ?? "",
    noProxy: noProxy(variable(environment, "no_proxy") ?? ""),
  };
}

// No proxy reaches the loopback addresses of this machine.
const NEVER_PROXIED = "localhost,127.0.0.1,[::1]";

function noProxy(value: string): string {
  if (value === "*") return value;
  return value === "" ? NEVER_PROXIED : `${value},${NEVER_PROXIED}`;
}

function proxyUrl(environment: Environment, name: string): URL | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  // `proxy.example:3128` is a common spelling.
  const address = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(address)) {
    throw new UsageError(
      `The environment variable ${name.toUpperCase()} is not the address of a proxy. Write it as http://host:port, or unset it.`,
    );
  }
  const url = new URL(address);
  if (!hasReadableSignIn(url)) {
    throw new UsageError(
      `The user or the password in the environment variable ${name.toUpperCase()} has a percent sign without two hexadecimal digits. Write %25 for each percent sign.`,
    );
  }
  return url;
}

function variable(environment: Environment, name: string): string | undefined {
  return [name, name.toUpperCase()]
    .map((one) => environment[one]?.trim())
    .find((value) => value !== undefined && value !== "");
}

const unzip = promisify(gunzip);

interface ReadLimits {
  readonly maximumBytes: number;
  /** Milliseconds for the whole exchange; an upload gets more, by its length. */
  readonly total: number;
}

/** A hundred times the largest guide of the public corpora. */
export const MAXIMUM_ANSWER = 64 * 1024 * 1024;

// Bytes per millisecond: an upload of 80 MB, the largest that sites accept, ends within an hour.
const SLOWEST_UPLOAD = 20;

interface Exchange {
  readonly request: HttpRequest;
  /** `GET https://…`, the beginning of messages. */
  readonly subject: string;
  readonly maximum: number;
  readonly redact: Redact;
}

/**
 * Reads and parses every answer inside retry: a broken answer or damaged JSON is a failed try. So
 * is a web page after the first JSON answer: maintenance, or a proxy. Before that, the address may
 * be wrong.
 */
export function readAnswers(
  inner: Transport<HttpResponse>,
  limits: ReadLimits,
  redact: Redact,
): Transport<WholeResponse> {
  let hasSpoken = false;
  return (request, signal) => {
    const subject = redact(`${request.method} ${request.url.href}`);
    const exchange: Exchange = { request, subject, maximum: limits.maximumBytes, redact };
    const time = limits.total + (request.length ?? 0) / SLOWEST_UPLOAD;
    return withDeadline(exchange, signal, time, async (bounded, onWait) => {
      const headers = { "accept-encoding": "gzip", ...request.headers };
      const response = await inner({ ...request, headers, onWait }, bounded);
      const sent = await readBody(exchange, response, bounded);
      const text = (await unpack(exchange, response, sent)).toString("utf8");
      const json = parse(exchange, response, text);
      if (json !== undefined) hasSpoken = true;
      else if (hasSpoken && request.verbatim !== true && isWebPage(response, text)) throw webPage(exchange);
      const { status, url } = response;
      return { status, headers: response.headers, url, bytes: sent.length, text, json };
    });
  };
}

// `extend` adds milliseconds in which the site had nothing to answer.
// In Node 20, AbortSignal.any keeps every bounded signal alive as long as the run's own.
async function withDeadline<T>(
  { subject }: Exchange,
  signal: AbortSignal,
  milliseconds: number,
  work: (bounded: AbortSignal, extend: (milliseconds: number) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortSource();
  const forget = onAbort(signal, () => controller.abort(signal.reason));
  let added = 0;
  const end = (): void => {
    const seconds = Math.round(milliseconds / 1000);
    if (added === 0)
      controller.abort(new ConnectionError(`${subject} failed: no complete answer within ${seconds} s.`));
    else timer = setTimeout(end, added);
    added = 0;
  };
  let timer = setTimeout(end, milliseconds);
  try {
    return await work(controller.signal, (more) => {
      added += more;
    });
  } finally {
    clearTimeout(timer);
    forget();
  }
}

async function readBody(exchange: Exchange, response: HttpResponse, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    await readPieces(response.body, signal, (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > exchange.maximum) throw tooLarge(exchange);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(exchange.request, error, exchange.redact);
  }
  return Buffer.concat(chunks);
}

async function unpack(exchange: Exchange, response: HttpResponse, sent: Buffer): Promise<Buffer> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "" || sent.length === 0) return sent;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new ConnectionError(
      `${exchange.subject} was answered in the encoding "${encoding}", which guideferry did not request. Is a proxy in between?`,
      { retriable: false },
    );
  }
  try {
    return await unzip(sent, { maxOutputLength: exchange.maximum });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(exchange, error);
    throw connectionError(exchange.request, error, exchange.redact);
  }
}

function tooLarge({ subject, maximum }: Exchange, cause?: unknown): ConnectionError {
  const megabytes = Math.round(maximum / 1024 / 1024);
  return new ConnectionError(
    `${subject} was answered with more than ${megabytes} MB, which is more than any API answer. Is the address right?`,
    { retriable: false, ...(cause === undefined ? {} : { cause }) },
  );
}

function parse({ request, subject }: Exchange, response: HttpResponse, text: string): unknown {
  const successful = response.status >= 200 && response.status < 300;
  if (text.trim() === "") {
    // Every GET of this API has a body; an empty 200 comes from a failing server or proxy.
    if (response.status === 200 && request.method === "GET" && request.verbatim !== true) {
      throw new ConnectionError(`${subject} was answered with an empty body.`);
    }
    return undefined;
  }
  const type = response.headers["content-type"]?.toLowerCase() ?? "";
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error shows a piece of the text, which can be a piece of a token.
    if (successful && request.verbatim !== true && (type === "" || type.includes("json"))) {
      throw new ConnectionError(`${subject} was answered with damaged JSON.`);
    }
    return undefined;
  }
}

/** A page with an error status is reported as that status. */
function isWebPage({ status, headers }: HttpResponse, text: string): boolean {
  const isGood = status >= 200 && status < 300;
  const type = headers["content-type"]?.toLowerCase() ?? "";
  return isGood && (type.includes("html") || /^\s*<(?:!doctype html|html)\b/i.test(text));
}

function webPage({ subject }: Exchange): ConnectionError {
  return new ConnectionError(
    `${subject} was answered with a web page, although the site answered with JSON before. Is the site under maintenance, or is a proxy in between?`,
  );
}
