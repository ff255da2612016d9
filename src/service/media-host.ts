import { Readable } from "node:stream";
import type { Opened } from "../core/contracts.js";
import { ConnectionError, EXIT, FerryError, RefusedAddressError, StatusError, StoppedError } from "../core/errors.js";
import type { AddressGuard } from "./guard.js";
import { describeMedia, isPageForFile, mediaTypeOf } from "./media-answer.js";
import { type MediaWords, SITE_MEDIA } from "./media-words.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, Transport } from "./transport.js";

/**
 * The bytes at an address that a site's answer named, from position `from` on. A relative address is one of the site.
 * @throws RefusedAddressError for an address that must not be asked; StatusError, ConnectionError, SignInError like a Client.
 * After it resolved, the content itself fails with ConnectionError when it is cut: ask again from where it ended.
 */
export type OpenMedia = (address: string, from: number, signal: AbortSignal) => Promise<Opened>;

export interface MediaHostOptions {
  /** The site's API root. */
  readonly site: URL;
  readonly guard: AddressGuard;
  /** Signed, in the site's own queue. */
  readonly own: Transport;
  /** Unsigned, in the queue of that origin. */
  readonly foreign: (origin: string) => Transport;
  readonly redact: Redact;
  /** For messages. Default: media of a site. */
  readonly words?: MediaWords | undefined;
}

const REDIRECTS = 5;
const REDIRECT = new Set([301, 302, 303, 307, 308]);

export function createOpenMedia(options: MediaHostOptions): OpenMedia {
  const { site, guard, own, foreign, redact, words = SITE_MEDIA } = options;

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
 * Ends every answer but the good ones here, inside retry and limit: what a refusal says in its body is of no use for
 * media, and an unread body would block its connection. Takes one for each origin: a web page in the place of a file is
 * asked for again like a 502 once the origin has answered a file. It is a maintenance page, or a proxy's, then; before
 * that it is an answer, and may be a sign-in page.
 */
export function dropRefusals(inner: Transport, redact: Redact): Transport {
  let hasGivenFile = false;
  return async (request, signal) => {
    const response = await inner(request, signal);
    const isGood = response.status >= 200 && response.status < 300;
    const isPage = isGood && isPageForFile(request, response);
    // A page at an address of one proves nothing: a sign-in page may have it.
    if (isGood && mediaTypeOf(response) !== "text/html") hasGivenFile = true;
    if (isGood && !(isPage && hasGivenFile)) return response;
    response.body.destroy();
    if (isPage) throw pageAfterFiles(request, response.status, redact);
    return { ...response, body: Readable.from([]) };
  };
}

/** Not a failed connection: the host is there, so its circuit breaker counts nothing. */
function pageAfterFiles({ url, attempt = 1 }: HttpRequest, status: number, redact: Redact): StatusError {
  const tried = attempt > 1 ? ` It was tried ${attempt} times.` : "";
  return new StatusError(
    redact(
      `GET ${url.href} was answered with a web page, although ${url.host} answered with files before.${tried} Is it under maintenance, does a proxy stand in between, or does it want a sign-in for this file?`,
    ),
    { status, retriable: true, exitCode: EXIT.someFailed },
  );
}

function mediaRequest(url: URL, from: number): HttpRequest {
  return {
    method: "GET",
    url,
    // Packed bytes could not be continued at a position.
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

// A refusal of the guard knows only the host; the reader wants to know which address led there.
function withAddress(request: HttpRequest, error: unknown, redact: Redact): unknown {
  if (!(error instanceof RefusedAddressError)) return error;
  // The address may be refused for the password in it.
  const address = Object.assign(new URL(request.url), { username: "", password: "" });
  return new RefusedAddressError(redact(`GET ${address.href} was not sent: ${error.message}`), { cause: error });
}

/**
 * The same failure, with the host that it is about. One that would end a run, since a site asks for a long pause, is only about the files
 * of that host.
 */
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
