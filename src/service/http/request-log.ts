import { FerryError } from "../../core/errors.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, ResponseHead, Transport } from "./transport.js";

/**
 * Takes one line for a person who asked for more than the summary; secrets are out of it already.
 */
export type Log = (line: string) => void;

/**
 * Writes one line for every request that goes out: `GET https://… 200, 84 ms, 5120 bytes, try 2`.
 */
export function logRequests<Response extends ResponseHead>(
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

/** A log whose lines pass through the redactor first. */
export function redactedLog(log: Log | undefined, redact: Redact): Log | undefined {
  return log === undefined ? undefined : (line) => log(redact(line));
}

function tryOf(request: HttpRequest): string {
  return request.attempt === undefined || request.attempt === 1 ? "" : `, try ${request.attempt}`;
}

function bytesOf(response: ResponseHead): string {
  const bytes = response.bytes ?? response.headers["content-length"];
  return bytes === undefined ? "" : `, ${bytes} bytes`;
}
