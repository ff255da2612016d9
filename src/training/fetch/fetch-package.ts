import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open as openFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { diskError } from "../../storage/archive/disk-error.js";
import { DEFAULT_LIMITS } from "../../storage/archive/limits.js";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, EXIT, FerryError, StatusError } from "../../core/errors.js";
import { systemClock } from "../../core/util/clock.js";
import { IncomingFile } from "../../storage/workspace/incoming-file.js";
import { limitedTo } from "./limited-to.js";
import { expiryWarning, linkExpiry } from "./link-expiry.js";
import { sourceOf } from "./package-address.js";

export interface FetchOptions {
  /**
   * The bytes at an address from a position on. What it opens is its own matter: only public hosts, only https, no redirect that leads elsewhere, no
   * sign-in, and no query of an address in what it throws.
   */
  readonly open: (url: string, from: number, signal: AbortSignal) => Promise<Opened>;
  readonly signal: AbortSignal;
  /** Bytes of a package; default: those of an archive. */
  readonly maximumBytes?: number;
  /** Takes a sentence about a link that expires soon. Default: nobody is told. */
  readonly warn?: (sentence: string) => void;
  /** Takes the number of bytes of each piece that came, again of what had to come again. Default: nobody is told. */
  readonly onBytes?: (count: number) => void;
  /** Milliseconds before the next try, after so many failed ones. Default: 1 s, doubled up to 30 s. */
  readonly wait?: (failed: number) => number;
}

/** A package that came. */
export interface FetchedPackage {
  readonly path: string;
  /** Takes it away. May be called again. */
  readonly remove: () => Promise<void>;
}

/** As for every read of a site: the first try and five more, counted anew after each piece of this many bytes. */
const TRIES = 6;
const GOOD_PIECE = 1024 * 1024;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Fetches a package into a folder, under a name of our own, for the owner alone; after a cut it goes on where it ended. What fails leaves nothing.
 * @throws FerryError for an address with a sign-in in it, one that must not be asked, and a package that is too large; StatusError and ConnectionError
 * for a host that doesn't give it; WorkspaceError and ArchiveError when the disk fails
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
    `${source} is larger than ${maximumBytes.toLocaleString("en-US")} bytes, the limit for a package. If you trust its maker, raise the limit.`,
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
