import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ConnectionError } from "../core/errors.js";
import { connectionError } from "./connection-error.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, HttpResponse, Transport, WholeResponse } from "./transport.js";

const unzip = promisify(gunzip);

export interface ReadLimits {
  /** Largest answer, as sent and unpacked. */
  readonly maximumBytes: number;
  /** Milliseconds for the whole exchange; an upload gets more, by its length. */
  readonly total: number;
}

/** 64 MB: a hundred times the largest guide of the public corpora, and few enough to hold some at a time. */
export const MAXIMUM_ANSWER = 64 * 1024 * 1024;

// Bytes a millisecond: below 20 KB/s an upload of 80 MB, the largest that sites take, would need more than an hour.
const SLOWEST_UPLOAD = 20;

/** One request on its way to a whole answer. */
interface Exchange {
  readonly request: HttpRequest;
  /** `GET https://…`, as messages begin. */
  readonly subject: string;
  readonly maximum: number;
  readonly redact: Redact;
}

/**
 * Reads every answer to its end and parses it. It stands inside retry, so that an answer that breaks off, or whose JSON is
 * damaged, counts as a failed try and not as an answer. So does a web page in the place of JSON once the site has answered
 * JSON: it is a maintenance page, or a proxy's, and passes as a 502 does. Before that the address may be wrong, and the page
 * is an answer.
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
    return withDeadline(exchange, signal, time, async (bounded) => {
      const response = await inner({ ...request, headers: { "accept-encoding": "gzip", ...request.headers } }, bounded);
      const sent = await readBody(exchange, response, bounded);
      const text = (await unpack(exchange, response, sent)).toString("utf8");
      const { status, headers, url } = response;
      const json = parse(exchange, response, text);
      if (json !== undefined) hasSpoken = true;
      else if (hasSpoken && request.verbatim !== true && isWebPage(response, text)) throw webPage(exchange);
      return { status, headers, url, bytes: sent.length, text, json };
    });
  };
}

// AbortSignal.any would keep every bounded signal alive as long as the run's own signal, in Node 20.
async function withDeadline<T>(
  { subject }: Exchange,
  signal: AbortSignal,
  milliseconds: number,
  work: (bounded: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  signal.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => {
    const seconds = Math.round(milliseconds / 1000);
    controller.abort(new ConnectionError(`${subject} failed: no whole answer within ${seconds} s.`));
  }, milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", follow);
  }
}

async function readBody(exchange: Exchange, response: HttpResponse, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > exchange.maximum) throw tooLarge(exchange);
    }
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
      `${exchange.subject} was answered in the encoding "${encoding}", which was not asked for. Is a proxy in between?`,
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
    `${subject} was answered with more than ${megabytes} MB, which no API answer has. Is the address right?`,
    { retriable: false, ...(cause === undefined ? {} : { cause }) },
  );
}

function parse({ request, subject }: Exchange, response: HttpResponse, text: string): unknown {
  const successful = response.status >= 200 && response.status < 300;
  if (text.trim() === "") {
    // Every GET of this API has a body; an empty 200 is what a dying server or proxy leaves of one.
    if (response.status === 200 && request.method === "GET" && request.verbatim !== true) {
      throw new ConnectionError(`${subject} was answered with an empty body.`);
    }
    return undefined;
  }
  const type = response.headers["content-type"]?.toLowerCase() ?? "";
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error is left out: it shows a piece of the text, which can be a piece of a login's token.
    if (successful && request.verbatim !== true && (type === "" || type.includes("json"))) {
      throw new ConnectionError(`${subject} was answered with damaged JSON.`);
    }
    return undefined;
  }
}

/** In the place of what was asked for: a page that goes with an error status is told by that. */
function isWebPage({ status, headers }: HttpResponse, text: string): boolean {
  const isGood = status >= 200 && status < 300;
  const type = headers["content-type"]?.toLowerCase() ?? "";
  return isGood && (type.includes("html") || /^\s*<(?:!doctype html|html)\b/i.test(text));
}

function webPage({ subject }: Exchange): ConnectionError {
  return new ConnectionError(
    `${subject} was answered with a web page, although the site answered with JSON before. Is it under maintenance, or does a proxy stand in between?`,
  );
}
