import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Opened } from "../../core/contracts.js";
import {
  ConnectionError,
  EXIT,
  FerryError,
  RefusedAddressError,
  StatusError,
  StoppedError,
} from "../../core/errors.js";
import type { Bandwidth } from "../../core/util/bandwidth.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { type AddressGuard, type MediaWords, SITE_MEDIA } from "./address-guard.js";
import { connectionError } from "./connection-error.js";
import { failingWith } from "./dispatch.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, HttpResponse, ResponseHead, Transport, Wrap } from "./transport.js";

/**
 * Opens the file at an address from a site's answer, from position `from` on. A relative address
 * belongs to the site. Later the content fails with ConnectionError when it is cut: ask again from
 * where it ended.
 *
 * @throws RefusedAddressError for a forbidden address; StatusError, ConnectionError, SignInError
 * like a Client
 */
export type OpenMedia = (address: string, from: number, signal: AbortSignal) => Promise<Opened>;

interface MediaHostOptions {
  readonly site: URL;
  readonly guard: AddressGuard;
  /** Signed, in the site's own queue. */
  readonly own: Transport;
  /** Unsigned, in the queue of that origin. */
  readonly foreign: (origin: string) => Transport;
  readonly redact: Redact;
  /** For messages. Default: media of a site. */
  readonly words?: MediaWords | undefined;
  /** Default: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
}

const REDIRECTS = 5;
const REDIRECT = new Set([301, 302, 303, 307, 308]);

export function createOpenMedia(options: MediaHostOptions): OpenMedia {
  const { site, guard, own, foreign, redact, bandwidth, words = SITE_MEDIA } = options;

  async function ask(url: URL, from: number, signal: AbortSignal) {
    const request = mediaRequest(url, from);
    try {
      await guard.check(url);
      const transport = url.origin === site.origin ? own : foreign(url.origin);
      return { request, response: await transport(request, signal) };
    } catch (error) {
      throw atHost(withAddress(request, error, redact), hostOf(url));
    }
  }

  /** undefined: the site's own, whose failures are the site's. */
  const hostOf = (url: URL): string | undefined => (url.origin === site.origin ? undefined : url.host);

  return async (address, from, signal) => {
    let url = parseAddress(address, site, options);
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const { request, response } = await ask(url, from, signal);
      const goal = REDIRECT.has(response.status) ? response.headers["location"] : undefined;
      if (goal === undefined) {
        return describeMedia(request, response, from, {
          redact,
          signal,
          words,
          bandwidth,
          atHost: (error) => atHost(error, hostOf(url)),
        });
      }
      url = parseAddress(goal, url, options);
    }
    throw new ConnectionError(redact(`GET ${address} was redirected more than ${REDIRECTS} times.`), {
      retriable: false,
    });
  };
}

/**
 * Ends every answer but good ones, since an unread body blocks its connection. After the first file
 * of an origin, a web page instead of a file is tried again like a 502: maintenance, or a proxy.
 * Before that it may be a sign-in page.
 */
export function dropRefusals(inner: Transport, redact: Redact): Transport {
  let hasGivenFile = false;
  return async (request, signal) => {
    const response = await inner(request, signal);
    const isGood = response.status >= 200 && response.status < 300;
    const isPage = isGood && isPageForFile(request, response);
    // A page at the address of a page proves nothing: a sign-in page may be there.
    if (isGood && mediaTypeOf(response) !== "text/html") hasGivenFile = true;
    if (isGood && !(isPage && hasGivenFile)) return response;
    response.body.destroy();
    if (isPage) throw pageAfterFiles(request, response.status, redact);
    return { ...response, body: Readable.from([]) };
  };
}

/** Not a ConnectionError: the host answers, so its circuit breaker does not count it. */
function pageAfterFiles({ url, attempt = 1 }: HttpRequest, status: number, redact: Redact): StatusError {
  const tried = attempt > 1 ? ` It was tried ${attempt} times.` : "";
  return new StatusError(
    redact(
      `GET ${url.href} was answered with a web page, although ${url.host} answered with files before. Is the host under maintenance, is a proxy in between, or does the host require a sign-in for this file?${tried}`,
    ),
    { status, retriable: true, exitCode: EXIT.someFailed },
  );
}

function mediaRequest(url: URL, from: number): HttpRequest {
  return {
    method: "GET",
    url,
    // Packed bytes can't be continued at a position.
    headers: {
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "guideferry",
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    },
    retry: "always",
  };
}

function parseAddress(address: string, base: URL, { redact, words = SITE_MEDIA }: MediaHostOptions): URL {
  if (URL.canParse(address, base.href)) return new URL(address, base);
  throw new RefusedAddressError(
    redact(
      `${JSON.stringify(address)} is not an address that ${words.what.toLowerCase()} can be fetched from. ${words.remedy}`,
    ),
  );
}

// A refusal of the guard knows only the host.
function withAddress(request: HttpRequest, error: unknown, redact: Redact): unknown {
  if (!(error instanceof RefusedAddressError)) return error;
  // The address may be refused for the password in it.
  const address = Object.assign(new URL(request.url), { username: "", password: "" });
  return new RefusedAddressError(redact(`GET ${address.href} was not sent: ${error.message}`), { cause: error });
}

/** The same failure with its host. A long pause of a media host does not end the run. */
function atHost(error: unknown, mediaHost: string | undefined): unknown {
  if (mediaHost === undefined || !(error instanceof FerryError)) return error;
  const { message, retriable, exitCode, cause } = error;
  const facts = { retriable, exitCode, cause, mediaHost };
  if (error instanceof ConnectionError) return new ConnectionError(message, { ...facts, unsent: error.unsent });
  if (error instanceof StatusError)
    return new StatusError(message, { ...facts, status: error.status, body: error.body });
  if (error instanceof StoppedError) return new ConnectionError(message, { ...facts, exitCode: EXIT.unreachable });
  return error;
}

interface MediaAnswerOptions {
  readonly redact: Redact;
  readonly signal: AbortSignal;
  /** For messages. Default: media of a site. */
  readonly words?: MediaWords | undefined;
  readonly bandwidth?: Bandwidth | undefined;
  /** Adds the host to a failure. Default: the failure is the site's. */
  readonly atHost?: ((error: unknown) => unknown) | undefined;
}

/** Throws StatusError for a refusal, ConnectionError for an answer with other bytes. */
function describeMedia(
  request: HttpRequest,
  response: HttpResponse,
  asked: number,
  options: MediaAnswerOptions,
): Opened {
  const subject = options.redact(`GET ${request.url.href}`);
  try {
    const { status, headers } = response;
    if (status !== 200 && status !== 206) throw mediaStatusError(subject, status, asked);
    if (isPageForFile(request, response)) throw webPage(subject, options.words ?? SITE_MEDIA);
    const packed = isPacked(headers["content-encoding"]);
    if (packed && status === 206) throw wrongRange(subject, asked, "in packed form");
    const { from, size } = status === 206 ? rangeOf(subject, headers["content-range"], asked) : wholeOf(headers);
    return {
      content: readable(request, response, packed, options),
      from,
      size: packed ? null : size,
      type: mediaTypeOf(response),
    };
  } catch (error) {
    response.body.destroy();
    throw options.atHost?.(error) ?? error;
  }
}

function isPageForFile({ url }: HttpRequest, response: HttpResponse): boolean {
  return mediaTypeOf(response) === "text/html" && !/\.x?html?$/i.test(url.pathname);
}

/** Lower case, without parameters; null: none. */
function mediaTypeOf({ headers }: HttpResponse): string | null {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? null;
}

function wholeOf(headers: HttpResponse["headers"]) {
  const length = headers["content-length"];
  return { from: 0, size: length !== undefined && /^\d+$/.test(length) ? Number(length) : null };
}

// RFC 9110, 14.4: `bytes 500-999/1000`, or `/*` when the host doesn't know the size.
function rangeOf(subject: string, header: string | undefined, asked: number) {
  const [, first, , whole] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || Number(first) !== asked) throw wrongRange(subject, asked, `with "${header ?? ""}"`);
  return { from: asked, size: whole === undefined || whole === "*" ? null : Number(whole) };
}

function isPacked(encoding: string | undefined): boolean {
  return encoding !== undefined && /^x-?gzip$|^gzip$/i.test(encoding.trim());
}

function readable(
  request: HttpRequest,
  response: HttpResponse,
  packed: boolean,
  { redact, signal, bandwidth, atHost = (error) => error }: MediaAnswerOptions,
): Readable {
  const asFailure = (error: unknown): unknown =>
    signal.aborted ? signal.reason : atHost(connectionError(request, error, redact));
  if (!packed && bandwidth === undefined) return failingWith(response.body, asFailure);
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      const sent = bandwidth?.throttle(response.body, signal) ?? response.body;
      yield* packed ? Readable.from(sent).compose(createGunzip()) : sent;
    } catch (error) {
      throw asFailure(error);
    }
  }
  const content = Readable.from(chunks(), { objectMode: false });
  // A generator that was never read doesn't notice its end and keeps the connection.
  content.once("close", () => response.body.destroy());
  return content;
}

function mediaStatusError(subject: string, status: number, asked: number): StatusError {
  const message = `${subject} was answered ${status}`;
  if (status === 416) {
    return new StatusError(
      `${message}: it has no bytes from position ${asked} on, so the file changed. Download the whole file again.`,
      {
        status,
      },
    );
  }
  const advice =
    status >= 500 ? "The host has a problem: run the same command again later." : "The host does not have the file.";
  return new StatusError(`${message}. ${advice}`, { status, retriable: status >= 500, exitCode: EXIT.someFailed });
}

function webPage(subject: string, { page }: MediaWords): ConnectionError {
  return new ConnectionError(`${subject} was answered with a web page, not with the file. ${page}`, {
    retriable: false,
  });
}

function wrongRange(subject: string, asked: number, how: string): ConnectionError {
  return new ConnectionError(
    `${subject} was asked for the bytes from position ${asked} on and answered ${how}, so the download cannot continue.`,
    { retriable: false },
  );
}

interface HostBreakerOptions {
  readonly host: string;
  readonly clock?: Clock | undefined;
}

const FAILURES = 5;
/** Milliseconds until one request tries the host again. */
const REST = 60_000;

/**
 * A circuit breaker outside of retry, one for each host: after some failed requests in a row
 * (connection, or status 500 and above) further ones fail at once; after a rest, one request tries
 * again.
 */
export function createHostBreaker({ host, clock = systemClock }: HostBreakerOptions): Wrap {
  let inARow = 0;
  let restUntil = 0;

  function failed(): void {
    inARow += 1;
    restUntil = clock.now() + REST;
  }

  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      if (inARow >= FAILURES) {
        if (clock.now() < restUntil) throw breakerIsOpen(host, inARow);
        // Only this request is sent until its result is known.
        restUntil = clock.now() + REST;
      }
      try {
        const response = await inner(request, signal);
        if (response.status >= 500) failed();
        else inARow = 0;
        return response;
      } catch (error) {
        if (error instanceof ConnectionError && !signal.aborted) failed();
        throw error;
      }
    };
}

function breakerIsOpen(host: string, inARow: number): ConnectionError {
  return new ConnectionError(
    `No request was sent to ${host}: the last ${inARow} requests got no answer there, each after all tries. The next run tries the host again.`,
    { unsent: true, retriable: false },
  );
}
