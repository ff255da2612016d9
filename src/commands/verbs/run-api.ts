import { STATUS_CODES } from "node:http";
import { hideTokens } from "../../service/hide-tokens.js";
import { rawAddress } from "../../service/raw-address.js";
import { type RawCall, rawCall } from "../../service/raw-call.js";
import type { Redact } from "../../service/secret.js";
import type { HttpRequest, WholeResponse } from "../../service/transport.js";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import type { CommandCall } from "../command.js";
import { readSite } from "../location.js";
import type { Side } from "../options/credential-names.js";
import { answerText } from "../output/answer-text.js";
import { writeStream } from "./convert/write-stream.js";
import { readJsonBody } from "./read-json-body.js";
import { sideOf } from "./side-of.js";
import { siteOf, talkOf } from "./sites.js";

/** Makes one call to a site and prints what comes back. */
export async function runApi(call: CommandCall): Promise<ExitCode> {
  const [site = "", method = "", path = ""] = call.arguments;
  const root = readSite(site, call.settings.insecureHttp);
  const request = await requestOf(call, methodOf(method), rawAddress(root, path));
  const side = sideOf(call);
  const { connectRaw } = await import("../compose-tools.js");
  const { exchange, redact, close } = connectRaw(
    siteOf(call, side, root),
    talkOf({ call, workspace: null, previous: null }, side),
  );
  call.hide(redact);
  try {
    const answer = await rawCall(exchange, request, call.abort);
    return await tell(call, request, answer, redact, side);
  } finally {
    await close();
  }
}

const METHODS: readonly HttpRequest["method"][] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function methodOf(text: string): HttpRequest["method"] {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is no method of the API: it is one of ${METHODS.join(", ")}.`);
}

async function requestOf(call: CommandCall, method: RawCall["method"], url: URL): Promise<RawCall> {
  const { data, write } = call.settings;
  if (method === "GET" && data !== null)
    throw new UsageError("A GET has no body. Leave --data out, or name another method.");
  if (method !== "GET" && !write) {
    throw new UsageError(
      `${method} may change or delete things at ${url.origin}, and nothing can be taken back. Nothing was sent. If that is meant, give --write as well.`,
    );
  }
  return { method, url, body: data === null ? null : await readJsonBody(data, call) };
}

/** What helps to understand an answer; cookies are secrets, and the rest is noise. */
const TOLD = [
  "content-type",
  "content-length",
  "allow",
  "date",
  "etag",
  "last-modified",
  "link",
  "location",
  "retry-after",
  "server",
  "via",
  "www-authenticate",
  "x-request-id",
  "x-total-count",
];

async function tell(
  call: CommandCall,
  { method, url }: RawCall,
  answer: WholeResponse,
  redact: Redact,
  side: Side,
): Promise<ExitCode> {
  const { output, stdout, settings, given } = call;
  const { status } = answer;
  const headers = TOLD.flatMap((name) => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const exitCode = exitCodeOf(status);
  output.note(`${method} ${url.href}`);
  output.note(`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd());
  for (const [name, value] of headers) output.note(`${name}: ${value}`);
  output.event("summary", { exitCode, status, headers: Object.fromEntries(headers) });
  if (status === 401) output.warn(`${url.origin} wants another sign-in: set GUIDEFERRY_${side.toUpperCase()}_TOKEN.`);
  const isTerminal = "isTTY" in stdout && stdout.isTTY === true;
  const text = answerText(answer, given.has("pretty") ? settings.pretty : isTerminal, isTerminal);
  if (text === undefined) {
    output.warn("The body is no text, so it is not printed. Fetch such files with a browser.");
    return exitCode === EXIT.ok ? EXIT.someFailed : exitCode;
  }
  await writeStream(stdout, once(redact(hideTokens(text))));
  return exitCode;
}

function exitCodeOf(status: number): ExitCode {
  if (status >= 200 && status < 300) return EXIT.ok;
  return status === 401 ? EXIT.signInRefused : EXIT.someFailed;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
