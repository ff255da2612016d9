import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open as openFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Opened } from "../core/contracts.js";
import { ConnectionError, EXIT, FerryError, StatusError, UsageError } from "../core/errors.js";
import { systemClock } from "../core/util/clock.js";
import { diskError } from "../storage/archive/disk-error.js";
import { DEFAULT_LIMITS } from "../storage/archive/limits.js";
import { IncomingFile } from "../storage/workspace/incoming-file.js";

export interface FetchOptions {
  /**
   * The bytes at an address from a position on. What it opens is its own matter: only public hosts,
   * only https, no redirect that leads elsewhere, no sign-in, and no query of an address in what it
   * throws.
   */
  readonly open: (url: string, from: number, signal: AbortSignal) => Promise<Opened>;
  readonly signal: AbortSignal;
  /** Bytes of a package; default: those of an archive. */
  readonly maximumBytes?: number;
  /** Takes a sentence about a link that expires soon. Default: nobody is told. */
  readonly warn?: (sentence: string) => void;
  /**
   * Takes the number of bytes of each piece that came, again of what had to come again. Default:
   * nobody is told.
   */
  readonly onBytes?: (count: number) => void;
  /**
   * Milliseconds before the next try, after so many failed ones. Default: 1 s, doubled up to 30 s.
   */
  readonly wait?: (failed: number) => number;
}

interface FetchedPackage {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * As for every read of a site: the first try and five more, counted anew after each piece of this
 * many bytes.
 */
const TRIES = 6;
const GOOD_PIECE = 1024 * 1024;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Fetches a package into a folder, under a name of our own, for the owner alone; after a cut it
 * goes on where it ended. What fails leaves nothing.
 * @throws FerryError for an address with a sign-in in it, one that must not be asked, and a package
 * that is too large; StatusError and ConnectionError for a host that doesn't give it;
 * WorkspaceError and ArchiveError when the disk fails
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
    `The address on ${address.protocol}//${address.host} holds a user name or password, and packages are not fetched that way. Use a signed link, or download the package and give its file.`,
    { exitCode: EXIT.someFailed },
  );
}

/** Never a name that somebody else chose; two fetches of one address may run side by side. */
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
    await untilWhole(new IncomingFile(handle.fd, path), delivery);
  } finally {
    await handle.close();
  }
}

async function untilWhole(file: IncomingFile, delivery: Delivery): Promise<void> {
  const { signal, onBytes = ignore, wait = backOff } = delivery;
  let best = 0;
  for (let failed = 1; ; failed += 1) {
    signal.throwIfAborted();
    const cut = await file.take(limited(await openRest(file.size, delivery), delivery), signal, onBytes);
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
    // The host holds less than we have: it is another file by now.
    return open(url, 0, signal);
  }
}

/** Ends what is too large, as soon as it is known; no host is believed what it says of its size. */
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
      `${source} was answered with a web page, not with a package. Has the link expired, or does the host want a sign-in?`,
      { exitCode: EXIT.someFailed },
    );
  }
  return size !== null && size > maximumBytes ? tooLarge(source, maximumBytes) : undefined;
}

function tooLarge(source: string, maximumBytes: number): FerryError {
  return new FerryError(
    `${source} is larger than ${maximumBytes.toLocaleString("en-US")} bytes, the limit for a package. If you trust its maker, raise the limit with --max-package-size.`,
    { exitCode: EXIT.someFailed },
  );
}

function incomplete(cut: Error, { source }: Delivery): ConnectionError {
  return new ConnectionError(`${source} did not come whole in ${TRIES} tries: ${cut.message} Try it again later.`, {
    cause: cut,
    retriable: false,
  });
}

const MAYBE_EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** An error with the package's name in it, and a refusal with what the link itself says of why. */
function explained(error: unknown, url: string, source: string): unknown {
  if (error instanceof ConnectionError && !error.message.includes("://"))
    return new ConnectionError(`${source}: ${error.message}`, { retriable: false, cause: error });
  if (!(error instanceof StatusError) || !MAYBE_EXPIRED.has(error.status)) return error;
  const advice =
    linkExpiry(url, Date.now())?.isExpired === true
      ? "The link has expired: get a new one."
      : "Perhaps the link has expired, or the host wants a sign-in: open it in a browser where you are not signed in.";
  const { status, exitCode, message, retriable } = error;
  return new StatusError(`${message} ${advice}`, { status, exitCode, retriable, cause: error });
}

function backOff(failed: number): number {
  return Math.min(30_000, 1000 * 2 ** (failed - 1));
}

function ignore(): void {
  // Nobody wants to know.
}

/**
 * The same bytes, which fail with `refusal` once there are more than `most`; the content is ended
 * then.
 */
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
  // A generator that was never asked for anything doesn't notice its end, and the connection would
  // stay taken.
  limited.once("close", () => content.destroy());
  // Nor does anybody listen then to why it ended.
  content.once("error", () => undefined);
  return limited;
}

interface LinkExpiry {
  readonly expires: number;
  readonly isExpired: boolean;
}

/** Reads the end of a link out of its parameters, by lower-case name; undefined: they don't say. */
type Reader = (parameters: ReadonlyMap<string, string>) => number | undefined;

/**
 * Who writes it so: Amazon (4), Google (4), Alibaba, Huawei and their relatives; Azure (SAS);
 * Amazon (2), CloudFront, Google (2).
 */
const READERS: readonly Reader[] = [
  dateAndSeconds("x-amz"),
  dateAndSeconds("x-goog"),
  dateAndSeconds("x-oss"),
  dateAndSeconds("x-obs"),
  (parameters) => (parameters.has("sig") ? isoDate(parameters.get("se")) : undefined),
  (parameters) => unixSeconds(parameters.get("expires")),
];

/**
 * When a link expires, as its parameters say it (training modules, 1.3: `X-Amz-Expires`, `se=`,
 * `Expires=`); null: they don't.
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
 * A sentence about a link that has expired, or will in less than so many minutes; null: there is
 * nothing to say. The link itself isn't in it.
 * @param now UNIX milliseconds
 */
export function expiryWarning(address: string, source: string, now: number, minutes = 60): string | null {
  const expiry = linkExpiry(address, now);
  if (expiry === null || expiry.expires > now + minutes * MINUTE) return null;
  const at = new Date(expiry.expires).toISOString().replace(".000Z", "Z");
  if (expiry.isExpired) return `The link to ${source} expired at ${at}. Get a new one if it is refused.`;
  const left = Math.max(1, Math.floor((expiry.expires - now) / MINUTE));
  return `The link to ${source} expires at ${at}, in ${left} min: what waits behind other packages may come too late. Get one that lasts longer.`;
}

const MINUTE = 60_000;

/** `20261120T231500Z`, and seconds from there. */
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

/** From 2001 on: a smaller number is no time but a duration. */
function unixSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{10}$/.test(text) ? Number(text) * 1000 : undefined;
}

interface PackageAddress {
  /** What is asked, with its query; never to be printed or stored: the query may be a signature. */
  readonly url: string;
  /** What messages, reports and the journal call it, see `sourceOf`. */
  readonly source: string;
}

/** Does somebody mean an address, and no path? `C:\folder` is a path. */
export function looksLikeAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text.trim());
}

/**
 * Reads the address of a package.
 * @throws UsageError for what is no https address, and for one with a user name or password, which
 * is not repeated in the message
 */
export function packageAddress(text: string): PackageAddress {
  const trimmed = text.trim();
  // What can't be read may hold a password or a signature anywhere.
  if (!URL.canParse(trimmed))
    throw new UsageError("An address of a package can't be read. Write it as https://host/path.");
  const url = new URL(trimmed);
  const place = `${url.protocol}//${url.host}`;
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `The address on ${place} holds a user name or password, and packages are not fetched that way. Use a signed link, or download the package and give its file.`,
    );
  }
  if (url.protocol === "file:")
    throw new UsageError("A file:// address is not fetched. Give the path of the file itself.");
  if (url.protocol !== "https:") {
    throw new UsageError(
      `Packages are fetched over https only, and ${place} is not: anybody on the way could put another package in its place. Use an https address, or download the package and give its file.`,
    );
  }
  url.hash = "";
  return { url: url.href, source: sourceOf(url) };
}

/**
 * An address without query and fragment. Where the query tells packages apart (`/download?id=5`),
 * eight digits of a digest over it stand behind, so that two packages are never taken for one; what
 * signs a link changes from day to day, so it is left out of that.
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
 * and what hosts of files call theirs.
 */
const SIGNING =
  /^(?:x-(?:amz|goog|oss|cos|obs|ms)-.*|signature|sig|expires|expiry|exp|key-pair-id|policy|awsaccesskeyid|googleaccessid|ossaccesskeyid|hdne[at]s?|hmac|(?:access_?|auth_?)?token|auth|api_?key|key|hash)$/i;

/** Azure's are short words that mean other things elsewhere. */
const AZURE = /^(?:s[eprtv]|spr|sip|sdd|ss|srt|ske|skoid|sks|skt|sktid|skv|saoid|suoid|scid)$/i;
