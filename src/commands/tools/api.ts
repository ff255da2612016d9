import { STATUS_CODES } from "node:http";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { hideTokens, type RawCall, rawAddress, rawCall } from "../../service/http/raw-call.js";
import type { Redact } from "../../service/http/secret.js";
import type { HttpRequest, WholeResponse } from "../../service/http/transport.js";
import type { CommandCall } from "../command.js";
import { decodeText, readInput, writeStream } from "../input-output.js";
import { readSite } from "../location.js";
import type { Side } from "../options/credential-names.js";
import { printable } from "../output/writer.js";
import { sideOf, siteOf, talkOf } from "../session/sites.js";

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
    return await printAnswer(call, request, answer, redact, side);
  } finally {
    await close();
  }
}

const METHODS: readonly HttpRequest["method"][] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function methodOf(text: string): HttpRequest["method"] {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is not a method of the API. Use one of ${METHODS.join(", ")}.`);
}

async function requestOf(call: CommandCall, method: RawCall["method"], url: URL): Promise<RawCall> {
  const { data, write } = call.settings;
  if (method === "GET" && data !== null)
    throw new UsageError("A GET has no body. Leave out --data, or use another method.");
  if (method !== "GET" && !write) {
    throw new UsageError(
      `${method} can change or delete content on ${url.origin}, without an undo. Nothing was sent. To send it, add --write.`,
    );
  }
  return { method, url, body: data === null ? null : await readJsonBody(data, call) };
}

/** The headers that explain an answer; cookies are secrets. */
const SHOWN_HEADERS = [
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

async function printAnswer(
  call: CommandCall,
  { method, url }: RawCall,
  answer: WholeResponse,
  redact: Redact,
  side: Side,
): Promise<ExitCode> {
  const { output, stdout, settings, given } = call;
  const { status } = answer;
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const exitCode = exitCodeOf(status);
  output.note(`${method} ${url.href}`);
  output.note(`HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd());
  for (const [name, value] of headers) output.note(`${name}: ${value}`);
  output.event("summary", { exitCode, status, headers: Object.fromEntries(headers) });
  if (status === 401) output.warn(`${url.origin} refused the sign-in. Set GUIDEFERRY_${side.toUpperCase()}_TOKEN.`);
  const isTerminal = "isTTY" in stdout && stdout.isTTY === true;
  const text = answerText(answer, given.has("pretty") ? settings.pretty : isTerminal, isTerminal);
  if (text === undefined) {
    output.warn("The body is not text, so it is not printed. Download such files with a browser.");
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

/**
 * The body to print, unchanged or as `indented` JSON. For a terminal it ends with a line end and
 * has escaped control characters. undefined: not text.
 */
export function answerText(
  { text, json, headers }: Pick<WholeResponse, "text" | "json" | "headers">,
  indented: boolean,
  isTerminal: boolean,
): string | undefined {
  if (text === "") return "";
  const type = headers["content-type"] ?? "";
  if (json === undefined && (text.includes("\0") || !TEXT.test(type))) return undefined;
  const body = indented && json !== undefined ? laidOut(text) : text;
  if (!isTerminal) return body;
  const visible = printable(body);
  return visible.endsWith("\n") ? visible : `${visible}\n`;
}

const TEXT = /^$|^text\/|json|xml|javascript|x-www-form-urlencoded/i;

/**
 * JSON with a line for each value, two blanks a level. Numbers and texts keep their spelling
 * (`12345678901234567890`, `1.0`), which parsing would change. `text` has to be JSON.
 */
export function laidOut(text: string): string {
  let out = "";
  let depth = 0;
  let before = "";
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === "}" || token === "]";
    if (closes) depth -= 1;
    if (startsLine(before, closes)) out += `\n${"  ".repeat(depth)}`;
    out += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return `${out}\n`;
}

function startsLine(before: string, closes: boolean): boolean {
  const opened = before === "{" || before === "[";
  return closes ? !opened : opened || before === ",";
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
const MAXIMUM = 32 * 1024 * 1024;
/** The body of `--data`, checked and unchanged. Throws UsageError, which does not repeat it. */
async function readJsonBody(given: string, call: Pick<CommandCall, "stdin" | "stop">): Promise<string> {
  const [text, name] = await textOf(given, call);
  try {
    JSON.parse(text);
    return text;
  } catch {
    // No `cause`: the parser's message repeats a part of the text, which may be a password.
    throw new UsageError(
      `${name} is not JSON. Nothing was sent. In a shell, put the JSON into single quotes, or into a file: --data @FILE.`,
    );
  }
}

async function textOf(given: string, call: Pick<CommandCall, "stdin" | "stop">): Promise<readonly [string, string]> {
  if (given === "-") return [decodeText(await whole(undefined, call), "stdin"), "The text from stdin"];
  if (!given.startsWith("@")) return [given, "The text of --data"];
  const file = given.slice(1);
  return [decodeText(await whole(file, call), file), file];
}

async function whole(file: string | undefined, { stdin, stop }: Pick<CommandCall, "stdin" | "stop">): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of readInput(file, stdin, stop)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAXIMUM)
      throw new UsageError(
        `${file ?? "stdin"} has more than ${MAXIMUM / 1024 / 1024} MB, which is too large for a request. Nothing was sent.`,
      );
  }
  return Buffer.concat(pieces);
}
