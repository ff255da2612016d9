import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open as openFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Opened } from "../core/contracts.js";
import { ConnectionError, EXIT, FerryError, StatusError, UsageError } from "../core/errors.js";
import { systemClock } from "../core/util/clock.js";
import { withCommas } from "../core/util/printable-text.js";
import { diskError } from "../storage/archive/disk-error.js";
import { DEFAULT_LIMITS } from "../storage/archive/limits.js";
import { IncomingFile } from "../storage/workspace/incoming-file.js";

export interface FetchOptions {
  /**
   * Opens an address from a position on. It must allow only public hosts and https, no redirect to
   * another host, no sign-in, and put no query of an address into its errors.
   */
  readonly open: (url: string, from: number, signal: AbortSignal) => Promise<Opened>;
  readonly signal: AbortSignal;
  /** Limit of a package; default: that of an archive. */
  readonly maximumBytes?: number;
  /** Receives a warning about a link that expires soon. Default: no warning. */
  readonly warn?: (sentence: string) => void;
  /** Receives the size of each piece, also of repeated ones. Default: not called. */
  readonly onBytes?: (count: number) => void;
  /** Milliseconds before the next try. Default: 1 s, doubled up to 30 s. */
  readonly wait?: (failed: number) => number;
}

interface FetchedPackage {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** As for every read of a site. The count starts again after each `GOOD_PIECE` bytes. */
const TRIES = 6;
const GOOD_PIECE = 1024 * 1024;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Fetches a package into a folder, as a file that only the owner can read; continues after a broken
 * connection. A failed fetch leaves no file.
 * @throws FerryError for an address with a sign-in, a forbidden host, and a package that is too
 * large; StatusError and ConnectionError for errors of the host; WorkspaceError and ArchiveError
 * when the disk fails
 */
export async function fetchPackage(url: string, folder: string, options: FetchOptions): Promise<FetchedPackage> {
  const address = checked(url);
  const source = sourceOf(address);
  const warning = expiryWarning(url, source, Date.now());
  if (warning !== null) options.warn?.(warning);
  const path = join(folder, nameFor(address));
  try {
    await download(path, { ...options, url, source });
    return { path, remove: () => rm(path, { force: true }) };
  } catch (error) {
    await rm(path, { force: true });
    throw explained(diskError(error, `storing ${source} in ${folder}`), url, source);
  }
}

function checked(url: string): URL {
  const address = new URL(url);
  if (address.username === "" && address.password === "") return address;
  throw new FerryError(
    `The address on ${address.protocol}//${address.host} has a user name or password, which guideferry does not send. Use a signed link, or download the package and give its file.`,
    { exitCode: EXIT.someFailed },
  );
}

/** Not the name in the address; unique, since two fetches of one address can run at a time. */
function nameFor({ href }: URL): string {
  return `${createHash("sha256").update(href).digest("hex").slice(0, 16)}-${randomBytes(4).toString("hex")}.zip`;
}

interface Delivery extends FetchOptions {
  readonly url: string;
  readonly source: string;
}

async function download(path: string, delivery: Delivery): Promise<void> {
  const handle: FileHandle = await openFile(path, "wx", 0o600);
  try {
    await downloadAll(new IncomingFile(handle.fd, path, { onBytes: delivery.onBytes ?? ignore }), delivery);
  } finally {
    await handle.close();
  }
}

async function downloadAll(file: IncomingFile, delivery: Delivery): Promise<void> {
  const { signal, wait = backOff } = delivery;
  let best = 0;
  for (let failed = 1; ; failed += 1) {
    signal.throwIfAborted();
    const cut = await file.take(limited(await openRest(file.size, delivery), delivery), signal);
    if (cut === undefined) return;
    if (file.size >= best + GOOD_PIECE) failed = 1;
    best = Math.max(best, file.size);
    if (failed === TRIES) throw incomplete(cut, delivery);
    await systemClock.sleep(wait(failed), signal);
  }
}

async function openRest(from: number, { open, url, signal }: Delivery): Promise<Opened> {
  try {
    return await open(url, from, signal);
  } catch (error) {
    const beyondTheEnd = from > 0 && error instanceof StatusError && error.status === RANGE_NOT_SATISFIABLE;
    if (!beyondTheEnd) throw error;
    // The file on the host is smaller than the fetched part, so it is another file.
    return open(url, 0, signal);
  }
}

/** Stops a download that is too large, by its reported and its real size. */
function limited(opened: Opened, { maximumBytes = DEFAULT_LIMITS.archiveBytes, source }: Delivery): Opened {
  const refusal = refusalOf(opened, maximumBytes, source);
  if (refusal !== undefined) {
    opened.content.once("error", ignore);
    opened.content.destroy();
    throw refusal;
  }
  const content = limitedTo(opened.content, maximumBytes - opened.from, () => tooLarge(source, maximumBytes));
  return { ...opened, content };
}

function refusalOf({ size, type }: Opened, maximumBytes: number, source: string): FerryError | undefined {
  if (type === "text/html" || type === "application/xhtml+xml") {
    return new FerryError(
      `The host answered ${source} with a web page, not with a package. Check whether the link has expired, or the host requires a sign-in.`,
      { exitCode: EXIT.someFailed },
    );
  }
  return size !== null && size > maximumBytes ? tooLarge(source, maximumBytes) : undefined;
}

function tooLarge(source: string, maximumBytes: number): FerryError {
  return new FerryError(
    `${source} is larger than ${withCommas(maximumBytes)} bytes, the limit for a package. If you trust its author, raise the limit with --max-package-size.`,
    { exitCode: EXIT.someFailed },
  );
}

function incomplete(cut: Error, { source }: Delivery): ConnectionError {
  return new ConnectionError(
    `The download of ${source} is still incomplete after ${TRIES} tries: ${cut.message} Run the same command again later.`,
    {
      cause: cut,
      retriable: false,
    },
  );
}

const MAYBE_EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** Adds the package to an error, and the expiry of the link to a refusal. */
function explained(error: unknown, url: string, source: string): unknown {
  if (error instanceof ConnectionError && !error.message.includes("://"))
    return new ConnectionError(`${source}: ${error.message}`, { retriable: false, cause: error });
  if (!(error instanceof StatusError) || !MAYBE_EXPIRED.has(error.status)) return error;
  const advice =
    linkExpiry(url, Date.now())?.isExpired === true
      ? "The link has expired. Get a new one."
      : "Perhaps the link has expired, or the host requires a sign-in. To check, open the link in a browser where you are not signed in.";
  const { status, exitCode, message, retriable } = error;
  return new StatusError(`${message} ${advice}`, { status, exitCode, retriable, cause: error });
}

function backOff(failed: number): number {
  return Math.min(30_000, 1000 * 2 ** (failed - 1));
}

function ignore(): void {
  // Intentionally empty.
}

/** The same bytes; fails with `refusal` and closes the content after more than `most` bytes. */
function limitedTo(content: Readable, most: number, refusal: () => Error): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let left = most;
    for await (const piece of content) {
      const bytes = Buffer.from(piece);
      left -= bytes.length;
      if (left < 0) throw refusal();
      yield bytes;
    }
  }
  const limited = Readable.from(pieces(), { objectMode: false });
  // An unread generator does not run its cleanup, which would keep the connection open.
  limited.once("close", () => content.destroy());
  // It has no other listener for errors then.
  content.once("error", () => undefined);
  return limited;
}

interface LinkExpiry {
  readonly expires: number;
  readonly isExpired: boolean;
}

/** Reads the expiry from parameters with lower-case names; undefined: none. */
type Reader = (parameters: ReadonlyMap<string, string>) => number | undefined;

/** Amazon (4), Google (4), Alibaba, Huawei; Azure (SAS); Amazon (2), CloudFront, Google (2). */
const READERS: readonly Reader[] = [
  dateAndSeconds("x-amz"),
  dateAndSeconds("x-goog"),
  dateAndSeconds("x-oss"),
  dateAndSeconds("x-obs"),
  (parameters) => (parameters.has("sig") ? isoDate(parameters.get("se")) : undefined),
  (parameters) => unixSeconds(parameters.get("expires")),
];

/**
 * When a link expires, by its parameters (training modules, 1.3: `X-Amz-Expires`, `se=`,
 * `Expires=`); null: unknown.
 * @param now UNIX milliseconds
 */
export function linkExpiry(address: string, now: number): LinkExpiry | null {
  if (!URL.canParse(address)) return null;
  const parameters = new Map(
    [...new URL(address).searchParams].map(([name, value]) => [name.toLowerCase(), value.trim()] as const),
  );
  const ends = READERS.flatMap((read) => read(parameters) ?? []);
  if (ends.length === 0) return null;
  const expires = Math.min(...ends);
  return { expires, isExpired: expires <= now };
}

/**
 * A warning about a link that has expired, or expires in less than `minutes`; null: neither. Does
 * not contain the link.
 * @param now UNIX milliseconds
 */
export function expiryWarning(address: string, source: string, now: number, minutes = 60): string | null {
  const expiry = linkExpiry(address, now);
  if (expiry === null || expiry.expires > now + minutes * MINUTE) return null;
  const at = new Date(expiry.expires).toISOString().replace(".000Z", "Z");
  if (expiry.isExpired) return `The link to ${source} expired at ${at}. Get a new one if it is refused.`;
  const left = Math.max(1, Math.floor((expiry.expires - now) / MINUTE));
  return `The link to ${source} expires at ${at}, in ${left} min. This can be too early if other packages come first. Get a link that lasts longer.`;
}

const MINUTE = 60_000;

/** A start as `20261120T231500Z`, and a duration in seconds. */
function dateAndSeconds(prefix: string): Reader {
  return (parameters) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/i.exec(parameters.get(`${prefix}-date`) ?? "") ?? [];
    const begun = isoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const seconds = /^\d{1,9}$/.exec(parameters.get(`${prefix}-expires`) ?? "")?.[0];
    return begun === undefined || seconds === undefined ? undefined : begun + Number(seconds) * 1000;
  };
}

/** `2026-11-20T23:15:00Z`, `2026-11-20T23:15Z` or `2026-11-20`. */
function isoDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?$/i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Ten digits, so from 2001 on: a smaller number is a duration. */
function unixSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{10}$/.test(text) ? Number(text) * 1000 : undefined;
}

interface PackageAddress {
  /** With its query, which can be a signature: never print or store it. */
  readonly url: string;
  /** Its name in messages, reports and the journal, see `sourceOf`. */
  readonly source: string;
}

/** false for a path, also for `C:\folder`. */
export function looksLikeAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text.trim());
}

/**
 * @throws UsageError for a text that is not an https address, and for one with a user name or
 * password, which the message does not repeat
 */
export function packageAddress(text: string): PackageAddress {
  const trimmed = text.trim();
  // The message does not quote it, since it may contain a password or a signature.
  if (!URL.canParse(trimmed))
    throw new UsageError("The address of a package is not valid. Write it as https://host/path.");
  const url = new URL(trimmed);
  const place = `${url.protocol}//${url.host}`;
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `The address on ${place} has a user name or password, which guideferry does not send. Use a signed link, or download the package and give its file.`,
    );
  }
  if (url.protocol === "file:")
    throw new UsageError("guideferry does not fetch a file:// address. Give the path of the file.");
  if (url.protocol !== "https:") {
    throw new UsageError(
      `guideferry fetches packages only over https, and ${place} is not https: others on the network could replace the package. Use an https address, or download the package and give its file.`,
    );
  }
  url.hash = "";
  return { url: url.href, source: sourceOf(url) };
}

/**
 * An address without query and fragment. Where the query identifies the package (`/download?id=5`),
 * eight digits of its digest follow. The digest leaves signatures out, since they change daily.
 */
export function sourceOf(url: URL): string {
  const bare = `${url.origin}${url.pathname}`;
  const isSigned = [...url.searchParams.keys()].some((name) => /^sig(?:nature)?$/i.test(name));
  const telling = [...url.searchParams].filter(([name]) => !SIGNING.test(name) && !(isSigned && AZURE.test(name)));
  if (telling.length === 0) return bare;
  const text = telling
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  return `${bare} (query ${createHash("sha256").update(text).digest("hex").slice(0, 8)})`;
}

/**
 * Parameters of signed links: Amazon, Google, Alibaba, Tencent, Huawei, CloudFront, Akamai, Azure,
 * and common names of other hosts.
 */
const SIGNING =
  /^(?:x-(?:amz|goog|oss|cos|obs|ms)-.*|signature|sig|expires|expiry|exp|key-pair-id|policy|awsaccesskeyid|googleaccessid|ossaccesskeyid|hdne[at]s?|hmac|(?:access_?|auth_?)?token|auth|api_?key|key|hash)$/i;

/** Short names of Azure, which have other meanings elsewhere. */
const AZURE = /^(?:s[eprtv]|spr|sip|sdd|ss|srt|ske|skoid|sks|skt|sktid|skv|saoid|suoid|scid)$/i;
