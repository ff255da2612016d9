import { Readable } from "node:stream";
import { type Dispatcher, request as send } from "undici";
import { oneBehind } from "../core/util/one-behind.js";
import { connectionError } from "./connection-error.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, HttpResponse, Transport } from "./transport.js";

/** The innermost transport: one request, one answer, over undici. A redirect is an answer like any other. */
export function undiciTransport(dispatcher: Dispatcher, redact: Redact): Transport {
  return async (request, signal) => {
    signal.throwIfAborted();
    const upload = openBody(request);
    try {
      const { onSent } = request;
      const response = await send(request.url, {
        dispatcher: onSent === undefined ? dispatcher : dispatcher.compose(noticing(onSent)),
        signal,
        method: request.method,
        headers: withLength(request),
        body: upload.body,
      });
      response.body.on("error", leaveToReader);
      return {
        status: response.statusCode,
        headers: joinValues(response.headers),
        url: request.url,
        bytes: null,
        body: response.body,
      };
    } catch (error) {
      signal.throwIfAborted();
      throw upload.failure() ?? connectionError(request, error, redact);
    }
  };
}

/** Calls `onSent` when undici has a connection for a request and is about to write it. */
function noticing(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...facts) => {
        onSent();
        handler.onRequestStart?.(...facts);
      },
      onRequestUpgrade: (...facts) => handler.onRequestUpgrade?.(...facts),
      onResponseStart: (...facts) => handler.onResponseStart?.(...facts),
      onResponseData: (...facts) => handler.onResponseData?.(...facts),
      onResponseEnd: (...facts) => handler.onResponseEnd?.(...facts),
      onResponseError: (...facts) => handler.onResponseError?.(...facts),
    });
}

// A body that fails, or is destroyed, before anybody reads it would end the process; whoever reads it gets the error.
function leaveToReader(): void {
  return;
}

interface Upload {
  readonly body: string | Readable | null;
  /** The error of the stream itself: undici reports it as if the connection had failed. */
  failure(): Error | undefined;
}

function openBody(request: HttpRequest): Upload {
  if (typeof request.body !== "function") return { body: request.body ?? null, failure: () => undefined };
  const bytes = request.body();
  let failure: Error | undefined;
  bytes.once("error", (error) => {
    failure = error;
  });
  // A content that turns out to be damaged at its end may not have gone out whole by then: the site would take it for good.
  return { body: Readable.from(oneBehind(bytes), { objectMode: false }), failure: () => failure };
}

function withLength(request: HttpRequest): Readonly<Record<string, string>> {
  return request.length === undefined
    ? request.headers
    : { ...request.headers, "content-length": String(request.length) };
}

function joinValues(headers: HttpResponseHeaders): HttpResponse["headers"] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

type HttpResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;
