import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type * as Sdk from "@aws-sdk/client-s3";
import { EnvHttpProxyAgent } from "undici";
import { ArchiveError, EXIT, type ExitCode, type FerryError, messageOf, UsageError } from "../../../core/errors.js";
import type { Bandwidth } from "../../../core/util/bandwidth.js";
import { isObject, textIn } from "../../../core/util/json.js";
import { printable } from "../../../core/util/printable-text.js";
import { NotRemovableError } from "./repository-storage.js";

/** `s3://bucket/prefix`: the objects of a repository have the keys `prefix/NAME`. */
export interface BucketPlace {
  readonly bucket: string;
  /** Empty, or with `/` at its end. */
  readonly prefix: string;
  /** As a person writes it, without `/` at its end. */
  readonly address: string;
}

/** The bucket and the prefix of `s3://bucket/prefix`. Throws UsageError for anything else. */
export function parseBucket(address: string): BucketPlace {
  const [, bucket = "", rest = ""] = /^s3:\/\/([^/]*)\/*(.*)$/i.exec(address) ?? [];
  const parts = rest.split("/").filter((part) => part !== "");
  const isPlain = parts.every((part) => /^[\w.!*'() @&$=+,:-]+$/.test(part) && part !== "." && part !== "..");
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(bucket) || !isPlain) {
    throw new UsageError(
      `${printable(address)} is not an address of object storage. Write s3://BUCKET/PREFIX, for example s3://backups/site.example. ` +
        "Give the server, region and credentials in AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in a profile (AWS_PROFILE).",
    );
  }
  const prefix = parts.map((part) => `${part}/`).join("");
  return { bucket, prefix, address: `s3://${[bucket, ...parts].join("/")}` };
}

/** Tries of one request by the SDK, with growing delays up to 20 seconds each. */
const TRIES = 8;
const TIMEOUTS = { headersTimeout: 90_000, bodyTimeout: 90_000, connect: { timeout: 15_000 } } as const;

const PACKAGE = "@aws-sdk/client-s3";

async function loadSdk(): Promise<typeof Sdk> {
  // It would print that a later version needs a later Node.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  try {
    return await import("@aws-sdk/client-s3");
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw cause;
    throw new UsageError(
      `Addresses with s3:// need the package ${PACKAGE}, which is not installed. Install it next to guideferry: npm install ${PACKAGE} ` +
        `(for a global installation: npm install --global ${PACKAGE}). Then run the same command again.`,
      { cause },
    );
  }
}

export interface Connection {
  readonly sdk: typeof Sdk;
  readonly wire: Wire;
  readonly client: Sdk.S3Client;
}

/**
 * Loads the SDK and finds server, region and credentials by its usual chain. Sends no request.
 * Throws UsageError when the SDK is not installed.
 */
export async function connect(bandwidth: Bandwidth | undefined): Promise<Connection> {
  const sdk = await loadSdk();
  const wire = new Wire(bandwidth);
  const maxAttempts = Number(process.env["AWS_MAX_ATTEMPTS"]) || TRIES;
  const settings = { requestHandler: wire, maxAttempts, followRegionRedirects: true };
  const probe = new sdk.S3Client(settings);
  const endpoint = await configuredEndpoint(probe);
  const region = await probe.config.region().catch(() => undefined);
  const client = new sdk.S3Client({
    ...settings,
    // Servers other than AWS rarely have a host name for each bucket, and no regions.
    ...(endpoint === undefined ? {} : { forcePathStyle: true }),
    ...(region === undefined && endpoint !== undefined ? { region: "us-east-1" } : {}),
  });
  return { sdk, wire, client };
}

/** The server of the environment or the profile; undefined: AWS. */
async function configuredEndpoint(client: Sdk.S3Client): Promise<unknown> {
  const configured: unknown = Reflect.get(client.config, "serviceConfiguredEndpoint");
  return typeof configured === "function" ? await configured() : undefined;
}

/** What the SDK gives a handler. */
interface WireRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface WireOptions {
  readonly abortSignal?: unknown;
}

/** The HTTP of the SDK by undici: the same proxies (HTTPS_PROXY, NO_PROXY) as for sites. */
export class Wire {
  readonly metadata = { handlerProtocol: "http/1.1" };
  readonly #agent = new EnvHttpProxyAgent(TIMEOUTS);
  readonly #bandwidth: Bandwidth | undefined;
  #clock: { readonly server: number; readonly at: number } | undefined;
  /** The host of the last request, for messages. */
  host = "the server";

  constructor(bandwidth: Bandwidth | undefined) {
    this.#bandwidth = bandwidth;
  }

  now(): number {
    return this.#clock === undefined ? Date.now() : this.#clock.server + performance.now() - this.#clock.at;
  }

  async handle(request: WireRequest, { abortSignal }: WireOptions = {}) {
    const { method, protocol, hostname, port, path, query = {}, headers, body } = request;
    const origin = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`;
    this.host = origin;
    const search = queryText(query);
    const signal = abortSignal instanceof AbortSignal ? abortSignal : null;
    try {
      const answer = await this.#agent.request({
        origin,
        method: method as "GET",
        path: search === "" ? path : `${path}?${search}`,
        // undici sends no body before it is asked, so the header has no use.
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "expect")),
        body: this.#slowly(body, signal ?? NEVER),
        signal,
      });
      const lines = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? "")] as const);
      const fields = Object.fromEntries(lines);
      const date = Date.parse(fields["date"] ?? "");
      if (!Number.isNaN(date)) this.#clock = { server: date, at: performance.now() };
      const reason = STATUS_CODES[answer.statusCode] ?? "";
      // The SDK does not try again when a body breaks off, so only contents are left as streams.
      const isStream = query["x-id"] === "GetObject" && answer.statusCode < 300;
      const stream = (): Readable => {
        const sent = this.#bandwidth?.throttle(answer.body, signal ?? NEVER);
        return sent === undefined ? answer.body : Readable.from(sent);
      };
      const content = isStream ? stream() : new Uint8Array(await answer.body.arrayBuffer());
      return { response: { statusCode: answer.statusCode, reason, headers: fields, body: content } };
    } catch (error) {
      signal?.throwIfAborted();
      throw repeatable(error);
    }
  }

  /** The body of a request, within the limit of bytes a second. */
  #slowly(body: unknown, signal: AbortSignal): Readable | Buffer | string | null {
    if (body === undefined) return null;
    if (this.#bandwidth === undefined || !(body instanceof Uint8Array)) return body as Buffer | string;
    return Readable.from(this.#bandwidth.throttle([Buffer.from(body)], signal));
  }

  destroy(): void {
    this.#agent.destroy().catch(() => undefined);
  }
}

const NEVER = new AbortController().signal;

function queryText(query: NonNullable<WireRequest["query"]>): string {
  return Object.keys(query)
    .sort()
    .flatMap((name) => {
      const value = query[name];
      const values = value === null || value === undefined ? [null] : typeof value === "string" ? [value] : value;
      return values.map((one) => (one === null ? escaped(name) : `${escaped(name)}=${escaped(one)}`));
    })
    .join("&");
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An error of undici with a name by which the SDK knows that it may try again. */
function repeatable(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!code.startsWith("UND_ERR_")) return error;
  return Object.assign(new Error(messageOf(error)), { name: "TimeoutError", code });
}

export function statusOf(error: unknown): number | undefined {
  const metadata: unknown = error instanceof Error ? Reflect.get(error, "$metadata") : undefined;
  const status = isObject(metadata) ? metadata["httpStatusCode"] : undefined;
  return typeof status === "number" ? status : undefined;
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return textIn(Reflect.get(error, "Code")) || error.name;
}

/** Does the server or the SDK refuse the credentials themselves? */
const CREDENTIALS: ReadonlyMap<string, string> = new Map([
  [
    "SignatureDoesNotMatch",
    "The secret key does not belong to the access key. Correct AWS_SECRET_ACCESS_KEY, or the profile in AWS_PROFILE",
  ],
  [
    "InvalidAccessKeyId",
    "The server does not know the access key. Correct AWS_ACCESS_KEY_ID, or check that AWS_ENDPOINT_URL_S3 names the right server",
  ],
  ["ExpiredToken", "The session has expired. Sign in again (aws sso login), or give new keys"],
  ["ExpiredTokenException", "The session has expired. Sign in again (aws sso login), or give new keys"],
  ["InvalidToken", "The session token is not valid. Correct or remove AWS_SESSION_TOKEN"],
]);
/** No provider of the SDK has any. */
const NO_CREDENTIALS = "CredentialsProviderError";
const NO_CREDENTIALS_REMEDY = "Give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile in AWS_PROFILE";

/** By the first word of what a request does. */
const RIGHTS: Readonly<Record<string, string>> = {
  listing: "s3:ListBucket",
  reading: "s3:GetObject",
  writing: "s3:PutObject",
  checking: "s3:ListMultipartUploadParts",
  removing: "s3:DeleteObject",
};

/**
 * An error of the SDK as an error with a remedy. Of the answer only code, status and the cut text
 * are kept: other fields of the SDK's errors have keys and signed headers.
 */
export function storageError(error: unknown, doing: string, host: string): FerryError {
  const [status, code] = [statusOf(error), codeOf(error)];
  const make = (what: string, remedy: string, exitCode: ExitCode): ArchiveError =>
    new (code === "AccessDenied" && doing.startsWith("removing") ? NotRemovableError : ArchiveError)(
      `While ${doing}: ${what}. ${remedy}.`,
      { exitCode },
    );
  const said = [status, code, cleaned(messageOf(error))].filter((part) => part !== undefined && part !== "").join(" ");
  const credentials = CREDENTIALS.get(code);
  if (code === NO_CREDENTIALS) return make("no credentials were found", NO_CREDENTIALS_REMEDY, EXIT.usage);
  if (credentials !== undefined) return make(`${host} refuses the credentials (${code})`, credentials, EXIT.usage);
  if (code === "NoSuchBucket") {
    return make(
      `${host} has no such bucket`,
      "Create it, or correct the address or AWS_ENDPOINT_URL_S3",
      EXIT.notFound,
    );
  }
  if (code === "NoSuchUpload") {
    return make(
      "the unfinished upload does not exist any more: another run has removed it",
      "Run the same command again",
      EXIT.locked,
    );
  }
  if (code === "RequestTimeTooSkewed") {
    const what = `the clock of this machine shows ${new Date().toISOString()}, which differs too much from the clock of ${host}`;
    return make(what, "Set the clock that is wrong, and run the same command again", EXIT.usage);
  }
  if (/region is missing/i.test(messageOf(error)))
    return make(
      "no region is given",
      "Set AWS_REGION, and for a server other than AWS also AWS_ENDPOINT_URL_S3",
      EXIT.usage,
    );
  if (status === 403 || status === 401) {
    const right = RIGHTS[doing.replace(/ .*/, "")] ?? "for it";
    const remedy = `Give the credentials the right ${right}, or use others (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY). Then run the same command again`;
    return make(`${host} refuses it (${said})`, remedy, EXIT.usage);
  }
  if (status === 501 || status === 405) {
    return make(`${host} cannot do this (${said})`, "Use a server that supports the S3 interface fully", EXIT.usage);
  }
  if (status !== undefined)
    return make(
      `${host} failed (${said})`,
      "Run the same command again. If it fails again, ask the operator of the storage",
      EXIT.stopped,
    );
  return make(
    `${host} cannot be reached (${said})`,
    "Check the network and AWS_ENDPOINT_URL_S3, then run the same command again",
    EXIT.stopped,
  );
}

/** Text of a server, without parts of signatures. */
function cleaned(text: string): string {
  return printable(text === "UnknownError" ? "" : text).replace(
    /\b(?:X-Amz-[\w-]+|Signature|Credential)=[^&,\s]+/gi,
    "[secret]",
  );
}
