import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { onAbort } from "../../core/util/concurrency.js";
import type { HttpRequest, HttpResponse, WriteGate } from "./transport.js";

type Headers = Readonly<Record<string, string>>;

interface Sending {
  readonly headers: Headers;
  readonly body: string | Buffer | Readable | null;
  /** For a write request. Default: none. */
  readonly gate?: WriteGate | undefined;
}

type Controller = Dispatcher.DispatchController;

/**
 * Sends a request and returns the head of the answer. Undici's `request` does the same in more
 * time: it parses the address again and makes a stream that other APIs can read too. Throws
 * undici's errors and the signal's reason; the body fails in the same way.
 */
export function dispatch(
  dispatcher: Dispatcher,
  { method, url, onSent }: HttpRequest,
  { headers, body, gate }: Sending,
  signal: AbortSignal,
): Promise<Pick<HttpResponse, "status" | "headers" | "body">> {
  return new Promise((resolve, reject) => {
    let controller: Controller | undefined;
    let answer: AnswerBody | undefined;
    const forget = onAbort(signal, () => {
      const reason = asError(signal.reason);
      controller?.abort(reason);
      fail(reason);
    });
    const fail = (error: Error): void => {
      forget();
      reject(error);
      answer?.destroy(error);
      if (body instanceof Readable) body.on("error", leaveToReader).destroy(error);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (given) => {
        controller = given;
        try {
          // It waited for a connection meanwhile.
          signal.throwIfAborted();
          gate?.();
          onSent?.();
        } catch (error) {
          given.abort(asError(error));
        }
      },
      onResponseStart: (given, status, fields) => {
        if (status < 200) return;
        answer = new AnswerBody(given);
        answer.once("close", forget);
        resolve({ status, headers: joinValues(fields), body: answer });
      },
      onResponseData: (given, piece) => {
        if (answer?.push(piece) === false) given.pause();
      },
      onResponseEnd: () => answer?.end(),
      onResponseError: (_controller, error) => fail(error),
    };
    const path = `${url.pathname}${url.search}`;
    try {
      dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, handler);
    } catch (error) {
      fail(asError(error));
    }
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Destroyed before its end, it ends the connection. */
class AnswerBody extends Readable {
  readonly #controller: Controller;
  #isComplete = false;

  constructor(controller: Controller) {
    super();
    this.#controller = controller;
    // An unread body that fails would end the process; its reader gets the error.
    this.on("error", leaveToReader);
  }

  end(): void {
    this.#isComplete = true;
    this.push(null);
  }

  override _read(): void {
    this.#controller.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isComplete) this.#controller.abort(error ?? new Error("The body was not read to its end."));
    callback(error);
  }
}

function leaveToReader(): void {
  return;
}

function joinValues(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const joined: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) joined[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  return joined;
}

/** Makes a stream fail with another error than its own. */
export function failingWith(stream: Readable, errorFor: (error: Error) => unknown): Readable {
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, callback) =>
    destroy(error, (left) => callback(left == null ? left : asError(errorFor(left))));
  return stream;
}
