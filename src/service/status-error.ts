import { STATUS_CODES } from "node:http";
import { ConnectionError, EXIT, type ExitCode, type FerryError, StatusError } from "../core/errors.js";
import { messageOf } from "./error-message.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, WholeResponse } from "./transport.js";

export interface StatusErrorOptions {
  readonly redact?: Redact | undefined;
  readonly variables?: string | undefined;
  /** Default: yes. It decides what a refusal advises. */
  readonly signedIn?: boolean | undefined;
}

/**
 * The error that an answer stands for: a redirect, a refusal, a web page in place of the API. undefined: it is a good one.
 */
export function statusError(
  request: HttpRequest,
  response: WholeResponse,
  options: StatusErrorOptions,
): FerryError | undefined {
  const { status } = response;
  if (status >= 400) return refused(request, response, options);
  if (status >= 300) return redirected(request, response, options);
  const type = response.headers["content-type"]?.toLowerCase() ?? "";
  return response.json === undefined && type.includes("html") ? webPage(request, options) : undefined;
}

// May the same call be tried again later, unchanged?
const PASSING = new Set([429, 500, 502, 503, 504]);

function refused(request: HttpRequest, response: WholeResponse, options: StatusErrorOptions): StatusError {
  const { status } = response;
  const redact = options.redact ?? ((text) => text);
  const said = messageOf(response.json ?? response.text);
  const parts = [
    `${request.method} ${request.url.href} was answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(),
    said === undefined ? "." : `: ${said.replace(/\.?$/, ".")}`,
    PASSING.has(status) && response.attempts !== undefined && response.attempts > 1
      ? ` It was tried ${response.attempts} times.`
      : "",
    ` ${adviceFor(status, options)}`,
  ];
  return new StatusError(redact(parts.join("")).trimEnd(), {
    status,
    body: redactedBody(response, redact),
    retriable: PASSING.has(status),
  });
}

// The body of a 409 is the current resource, which is compared with what was sent: it must stay what it is.
function redactedBody(response: WholeResponse, redact: Redact): unknown {
  if (response.status === 409 && response.json !== undefined) return response.json;
  const safe = redact(response.text);
  return safe === response.text && response.json !== undefined ? response.json : safe;
}

const variable = (options: StatusErrorOptions, name: string) => `${options.variables ?? "GUIDEFERRY_SOURCE"}_${name}`;

const ADVICE: Readonly<Record<number, (options: StatusErrorOptions) => string>> = {
  400: () => "The site did not understand the request; if it speaks of an app id, set the variable for it.",
  401: (options) => `The site wants a sign-in: set ${variable(options, "TOKEN")}.`,
  403: (options) =>
    options.signedIn === false
      ? `The public may not do this: set ${variable(options, "TOKEN")} to the token of an account that may.`
      : `The account of ${variable(options, "TOKEN")} may not do this: give it the right, or use another one.`,
  404: () => "It is not there, or this account may not see it.",
  405: () => "The site has this part of the API switched off.",
  409: () => "Somebody changed it since it was last read or written.",
  413: () => "It is larger than the site takes.",
  415: () => "The site does not take this kind of file.",
  420: () => "The account's reputation is too low for this.",
  422: () => "The site refuses these values.",
  501: () => "The site does not have this part of the API.",
  429: () => "The site takes no more requests for now: run the same command again later, with a lower --rate.",
};

function adviceFor(status: number, options: StatusErrorOptions): string {
  const advice = ADVICE[status]?.(options);
  if (advice !== undefined) return advice;
  return status >= 500 ? "The site has a problem of its own: run the same command again later." : "";
}

function redirected(request: HttpRequest, response: WholeResponse, options: StatusErrorOptions): StatusError {
  const { status } = response;
  const goal = response.headers["location"] ?? "an address that it did not name";
  const login = /log_?in|sign_?in/i.test(goal);
  const exitCode: ExitCode = login ? EXIT.signInRefused : EXIT.usage;
  const advice = login
    ? `The site wants a sign-in: set ${variable(options, "TOKEN")}.`
    : "The API itself never redirects: is the root right? Use the address that it leads to.";
  const message = `${request.method} ${request.url.href} was answered ${status}, a redirect to ${goal}. ${advice}`;
  return new StatusError(options.redact?.(message) ?? message, { status, exitCode });
}

function webPage(request: HttpRequest, options: StatusErrorOptions): ConnectionError {
  const message = `${request.method} ${request.url.href} was answered with a web page, not with the API's JSON. Is the root right, and does a proxy or a sign-in page stand in between?`;
  return new ConnectionError(options.redact?.(message) ?? message, { retriable: false });
}
