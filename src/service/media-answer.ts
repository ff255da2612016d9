import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Opened } from "../core/contracts.js";
import { ConnectionError, EXIT, StatusError } from "../core/errors.js";
import { connectionError } from "./connection-error.js";
import { type MediaWords, SITE_MEDIA } from "./media-words.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, HttpResponse } from "./transport.js";

export interface MediaAnswerOptions {
  readonly redact: Redact;
  readonly signal: AbortSignal;
  /** For messages. Default: media of a site. */
  readonly words?: MediaWords | undefined;
  /** Says of a failure which host it is about. Default: it is about the site. */
  readonly atHost?: ((error: unknown) => unknown) | undefined;
}

/**
 * Makes an answer to a request for media what the workspace takes in.
 * @throws StatusError for a refusal; ConnectionError for an answer that is not these bytes
 */
export function describeMedia(
  request: HttpRequest,
  response: HttpResponse,
  asked: number,
  options: MediaAnswerOptions,
): Opened {
  const subject = options.redact(`GET ${request.url.href}`);
  try {
    const { status, headers } = response;
    if (status !== 200 && status !== 206) throw refused(subject, status, asked);
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

/** Is this a web page, at an address that names none? */
export function isPageForFile({ url }: HttpRequest, response: HttpResponse): boolean {
  return mediaTypeOf(response) === "text/html" && !/\.x?html?$/i.test(url.pathname);
}

/** Without parameters, in small letters; null: the answer names none. */
export function mediaTypeOf({ headers }: HttpResponse): string | null {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? null;
}

function wholeOf(headers: HttpResponse["headers"]) {
  const length = headers["content-length"];
  return { from: 0, size: length !== undefined && /^\d+$/.test(length) ? Number(length) : null };
}

// RFC 9110, 14.4: `bytes 500-999/1000`, or `/*` when the host doesn't know the whole.
function rangeOf(subject: string, header: string | undefined, asked: number) {
  const [, first, , whole] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || Number(first) !== asked) throw wrongRange(subject, asked, `with "${header ?? ""}"`);
  return { from: asked, size: whole === undefined || whole === "*" ? null : Number(whole) };
}

function isPacked(encoding: string | undefined): boolean {
  return encoding !== undefined && /^x-?gzip$|^gzip$/i.test(encoding.trim());
}

/** The body, unpacked, whose failures name the address. */
function readable(
  request: HttpRequest,
  response: HttpResponse,
  packed: boolean,
  { redact, signal, atHost = (error) => error }: MediaAnswerOptions,
): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* packed ? response.body.compose(createGunzip()) : response.body;
    } catch (error) {
      signal.throwIfAborted();
      throw atHost(connectionError(request, error, redact));
    }
  }
  const content = Readable.from(chunks(), { objectMode: false });
  // A generator that was never asked for anything doesn't notice its end, and the connection would stay taken.
  content.once("close", () => response.body.destroy());
  return content;
}

function refused(subject: string, status: number, asked: number): StatusError {
  const message = `${subject} was answered ${status}`;
  if (status === 416) {
    return new StatusError(`${message}: it has no bytes from position ${asked} on, so it changed. Fetch it anew.`, {
      status,
    });
  }
  const advice =
    status >= 500 ? "The host has a problem of its own: try again later." : "The file is not to be had there.";
  return new StatusError(`${message}. ${advice}`, { status, retriable: status >= 500, exitCode: EXIT.someFailed });
}

function webPage(subject: string, { page }: MediaWords): ConnectionError {
  return new ConnectionError(`${subject} was answered with a web page, not with the file. ${page}`, {
    retriable: false,
  });
}

function wrongRange(subject: string, asked: number, how: string): ConnectionError {
  return new ConnectionError(
    `${subject} was asked for the bytes from position ${asked} on and answered ${how}, so it can't be continued.`,
    { retriable: false },
  );
}
