import { STATUS_CODES } from "node:http";
import { ConnectionError, EXIT, type ExitCode, type FerryError, StatusError } from "../../core/errors.js";
import { isObject, type JsonObject, listIn } from "../../core/util/json.js";
import type { Redact } from "./secret.js";
import type { HttpRequest, WholeResponse } from "./transport.js";

interface StatusErrorOptions {
  readonly redact?: Redact | undefined;
  readonly variables?: string | undefined;
  /** Default: yes. It decides the advice for a refusal. */
  readonly signedIn?: boolean | undefined;
}

/** The error of an answer: redirect, refusal, or a web page. undefined: a good answer. */
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

// Statuses after which the same call may succeed later.
const PASSING = new Set([429, 500, 502, 503, 504]);

function refused(request: HttpRequest, response: WholeResponse, options: StatusErrorOptions): StatusError {
  const { status } = response;
  const redact = options.redact ?? ((text) => text);
  const reported = messageOf(response.json ?? response.text);
  const parts = [
    `${request.method} ${request.url.href} was answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(),
    reported === undefined ? "." : `: ${reported.replace(/\.?$/, ".")}`,
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

// The body of a 409 is compared with what was sent, so it is not changed.
function redactedBody(response: WholeResponse, redact: Redact): unknown {
  if (response.status === 409 && response.json !== undefined) return response.json;
  const safe = redact(response.text);
  return safe === response.text && response.json !== undefined ? response.json : safe;
}

const variable = (options: StatusErrorOptions, name: string) => `${options.variables ?? "GUIDEFERRY_SOURCE"}_${name}`;

const ADVICE: Readonly<Record<number, (options: StatusErrorOptions) => string>> = {
  400: (options) =>
    `The site did not understand the request. If the answer mentions an app id, set ${variable(options, "APP_ID")}.`,
  401: (options) => `The site requires a sign-in: set ${variable(options, "TOKEN")}.`,
  403: (options) =>
    options.signedIn === false
      ? `This request needs a sign-in: set ${variable(options, "TOKEN")} to the token of an account that is allowed to do this.`
      : `The account of ${variable(options, "TOKEN")} is not allowed to do this: give it the right, or use another account.`,
  404: () => "It does not exist, or this account may not see it.",
  405: () => "This part of the API is disabled on the site.",
  409: () => "Somebody changed it since it was last read or written.",
  413: () => "It is larger than the site accepts.",
  415: () => "The site does not accept this type of file.",
  420: () => "The account's reputation is too low for this.",
  422: () => "The site refuses these values.",
  501: () => "The site does not have this part of the API.",
  429: () => "The site accepts no more requests for now: run the same command again later, with a lower --rate.",
};

function adviceFor(status: number, options: StatusErrorOptions): string {
  const advice = ADVICE[status]?.(options);
  if (advice !== undefined) return advice;
  return status >= 500 ? "The site has a problem: run the same command again later." : "";
}

function redirected(request: HttpRequest, response: WholeResponse, options: StatusErrorOptions): StatusError {
  const { status } = response;
  const goal = response.headers["location"] ?? "an address that the answer does not name";
  const login = /log_?in|sign_?in/i.test(goal);
  const exitCode: ExitCode = login ? EXIT.signInRefused : EXIT.usage;
  const advice = login
    ? `The site requires a sign-in: set ${variable(options, "TOKEN")}.`
    : "The API never redirects: is the API root right? Use the address of the redirect.";
  const message = `${request.method} ${request.url.href} was answered ${status}, a redirect to ${goal}. ${advice}`;
  return new StatusError(options.redact?.(message) ?? message, { status, exitCode });
}

function webPage(request: HttpRequest, options: StatusErrorOptions): ConnectionError {
  const message = `${request.method} ${request.url.href} was answered with a web page, not with the API's JSON. Is the API root right, and is a proxy or a sign-in page in between?`;
  return new ConnectionError(options.redact?.(message) ?? message, { retriable: false });
}

// A message is one line of a terminal.
const LONGEST = 300;

/**
 * The message of an error body, and the complaints of a 422 (api-facts 1.4), without control
 * characters; undefined: none. `body`: parsed JSON, or a text, which is XML for a request for XML
 * (1.1).
 */
export function messageOf(body: unknown): string | undefined {
  if (typeof body === "string") return messageOf(errorIn(body));
  if (!isObject(body)) return undefined;
  const general = textOf(body["message"]) ?? textOf(body["msg"]);
  const complaints = listIn(body["errors"]).flatMap(complaintOf);
  const privileges = listIn(body["requiredPrivileges"]).flatMap(asText);
  const parts = [
    ...(general === undefined ? [] : [general]),
    ...complaints.filter((complaint) => complaint !== general),
    ...(privileges.length === 0 ? [] : [`needs ${privileges.join(" or ")}`]),
  ];
  return parts.length === 0 ? undefined : shorten(parts.join("; "));
}

// Limits the search in a large page with an error status.
const MOST_XML = 20_000;

/** The fields of an error in XML, as attributes or elements (omanual 8), without a parser. */
function errorIn(text: string): JsonObject | undefined {
  const xml = text.slice(0, MOST_XML).trimStart();
  if (!/^<[?A-Za-z]/.test(xml) || /<html[\s>]/i.test(xml)) return undefined;
  const list = /<errors(?:\s[^<>]*)?>([\s\S]*?)<\/errors>/.exec(xml);
  const complaints = [...(list?.[1] ?? "").matchAll(/<(\w+)[^<>]*?(?:\/>|>([\s\S]*?)<\/\1>)/g)].map(
    ([whole, , inner]) => {
      const fields = Object.fromEntries(["message", "code", "field"].map((name) => [name, fieldIn(whole, name)]));
      return fields["message"] === undefined && fields["code"] === undefined ? wordsOf(inner ?? "") : fields;
    },
  );
  const rest = list === null ? xml : xml.replace(list[0], "");
  return { message: fieldIn(rest, "message"), msg: fieldIn(rest, "msg"), errors: complaints };
}

function fieldIn(xml: string, name: string): string | undefined {
  const element = new RegExp(`<${name}(?:\\s[^<>]*)?>([\\s\\S]*?)</${name}>`).exec(xml)?.[1];
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`).exec(xml);
  const written = element ?? attribute?.[1] ?? attribute?.[2];
  return written === undefined ? undefined : wordsOf(written);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function wordsOf(xml: string): string {
  const plain = xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  );
  return plain
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,6})|([a-z]+));/g, (whole, number?: string, name = "") =>
      number === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(number)),
    );
}

function complaintOf(error: unknown): readonly string[] {
  if (!isObject(error)) return asText(error);
  const message = textOf(error["message"]) ?? textOf(error["code"]);
  const field = textOf(error["field"]);
  const index = typeof error["index"] === "number" ? ` ${error["index"] + 1}` : "";
  if (message === undefined) return [];
  return [field === undefined ? message : `${field}${index}: ${message}`];
}

function asText(value: unknown): readonly string[] {
  const text = textOf(value);
  return text === undefined ? [] : [text];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function shorten(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}

/** The site does not have a call, or a family of calls. No failure of a run. */
export const NOT_AVAILABLE: readonly number[] = [404, 405, 501];

/** Not on this site, or not for this account. */
export const REFUSED: readonly number[] = [401, 403, ...NOT_AVAILABLE];

/** A site refuses one write of a signed-in account, or a request about it, with these. */
export const WRITE_REFUSED: readonly number[] = [400, 403, ...NOT_AVAILABLE, 409, 422];
