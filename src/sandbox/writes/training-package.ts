import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { messageOf } from "../../core/errors.js";
import { badRequest, invalidValue, missingField, ServiceError, unprocessable } from "../rules.js";
import type { AccountCall } from "../server/route.js";
import type { Site } from "../site/site.js";
import type { PackageLook } from "../site/training-jobs.js";

/** Content types of a body that is the package itself, also if the header is missing. */
const RAW_TYPES: readonly string[] = [
  "",
  "application/zip",
  "application/x-zip-compressed",
  "application/octet-stream",
];

interface ReceivedPackage {
  readonly filename: string;
  readonly look: PackageLook;
}

/**
 * Stores a package: a form with one part `file`, or the body itself with the name in the query's
 * `file`. The body is always read to its end, so that the sender gets its answer.
 *
 * @throws what `check` throws, 400 for an incomplete form or body, 413 above the site's limit, 422
 * for no name, no bytes, another field
 */
export async function receivePackage(call: AccountCall, check: () => void): Promise<ReceivedPackage> {
  const pieces = (call.stream ?? new Blob([]).stream())[Symbol.asyncIterator]();
  try {
    check();
    const { filename, bytes } = await uploadOf(call, pieces);
    const look = await keepAndLook(call.site, bytes);
    if (look.bytes === 0) throw invalidValue("file", "the package is empty");
    return { filename, look };
  } catch (error) {
    if (error instanceof ServiceError) while ((await pieces.next()).done !== true);
    throw error;
  }
}

/** Checks a package on disk, which is deleted afterwards. Throws 413 above the site's limit. */
async function keepAndLook(site: Site, source: AsyncIterable<Uint8Array>): Promise<PackageLook> {
  const path = join(await site.uploadFolder(), `${site.newGuid()}.package`);
  const { maxBytes } = site.settings.training;
  const sum = createHash("sha256");
  let bytes = 0;
  try {
    await pipeline(
      Readable.from(source, { objectMode: false }),
      async function* (arriving: AsyncIterable<Uint8Array>) {
        for await (const piece of arriving) {
          bytes += piece.length;
          sum.update(piece);
          if (bytes <= maxBytes) yield piece;
        }
      },
      createWriteStream(path),
    );
    if (bytes > maxBytes) throw new ServiceError(413, { message: `The package is larger than ${maxBytes} bytes.` });
    return { ...(await packageLook(path)), bytes, sha256: sum.digest("hex") };
  } finally {
    await rm(path, { force: true });
  }
}

async function uploadOf(
  call: AccountCall,
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  const type = call.headers.get("content-type") ?? "";
  const boundary = boundaryOf(type);
  if (boundary === undefined) {
    const filename = call.query.get("file") ?? "";
    const media = type.replace(/;.*/s, "").trim().toLowerCase();
    if (!RAW_TYPES.includes(media)) throw invalidValue("file", `${media} is no type that a package is sent as`);
    if (filename === "") throw missingField("file");
    return { filename, bytes: theRest(pieces) };
  }
  const { name, filename = "", bytes } = await onePart(pieces, boundary);
  if (name !== "file") throw unprocessable([{ field: name, code: "unknown_field", message: "the package is in file" }]);
  if (filename === "") throw missingField("file");
  return { filename, bytes };
}

async function* theRest(pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

/** Longest time for the host of a package, in milliseconds. */
const LONGEST = 30_000;

export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Fetches a package like the engine, but from loopback only: a sandbox makes no requests to other
 * machines. Never throws; a failure is the problem of the package.
 */
export async function fetchPackage(site: Site, url: URL): Promise<PackageLook> {
  const lost = (why: string): PackageLook => ({
    problem: `The package could not be fetched: ${why}.`,
    learningStandard: null,
    bytes: 0,
    sha256: "",
  });
  if (!isLoopback(url)) return lost("the sandbox fetches from this machine only");
  try {
    // A redirect could lead to any address.
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST), redirect: "manual" });
    if (!response.ok || response.body === null) return lost(`the answer was ${response.status}`);
    return await keepAndLook(site, response.body);
  } catch (error) {
    if (error instanceof ServiceError) return lost("it is too large");
    return lost(messageOf(error));
  }
}

/** More than any client writes before a part. */
const MOST_HEAD = 8192;
const LINE_END = "\r\n";

/** The one part of a form: its names, and its bytes. */
interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** Reads the form to its end; throws 400 when it is incomplete, or has a second part. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Opens a `multipart/form-data` body of one part (RFC 7578), with one piece in memory at a time.
 * Throws 400 for another body.
 */
export async function onePart(pieces: AsyncIterator<Uint8Array>, boundary: string): Promise<FormPart> {
  const reader = new Pieces(pieces);
  const opening = `--${boundary}${LINE_END}`;
  const first = await reader.until(LINE_END, opening.length);
  if (first !== `--${boundary}`) throw badRequest("The form does not begin with its boundary.");
  const head = await reader.until(LINE_END + LINE_END, MOST_HEAD);
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/im.exec(head ?? "")?.[1];
  const name = parameterOf(disposition ?? "", "name");
  if (name === undefined) throw badRequest("A part of the form has no name.");
  const delimiter = `${LINE_END}--${boundary}`;
  return { name, filename: parameterOf(disposition ?? "", "filename"), bytes: content(reader, delimiter) };
}

/** The boundary of a content type; undefined: not a form. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data[ \t]*;(?:.*;)?[ \t]*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/** Quotes and line ends in names are percent-encoded, the rest is UTF-8 (HTML forms). */
function parameterOf(disposition: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|;)[ \\t]*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
  return value?.replaceAll(/%(?:22|0D|0A)/gi, (encoded) => decodeURIComponent(encoded));
}

async function* content(reader: Pieces, delimiter: string): AsyncGenerator<Uint8Array> {
  for (;;) {
    const at = reader.held.indexOf(delimiter);
    if (at >= 0) {
      yield reader.take(at);
      reader.take(delimiter.length);
      break;
    }
    const safe = reader.held.length - delimiter.length + 1;
    if (safe > 0) yield reader.take(safe);
    if (!(await reader.more())) throw badRequest("The form ends in the middle of a part.");
  }
  while (reader.held.length < 2 && (await reader.more()));
  if (reader.take(2).toString("latin1") !== "--") throw badRequest("The form has more than one part.");
  while (await reader.more()) reader.take(reader.held.length);
}

class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held = Buffer.alloc(0);

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  get held(): Buffer {
    return this.#held;
  }

  take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#held = Buffer.concat([this.#held, value]);
    return true;
  }

  /** Returns the text before a mark and removes both; undefined: not within so many bytes. */
  async until(mark: string, most: number): Promise<string | undefined> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at > most) return undefined;
      if (at >= 0) {
        const text = this.take(at).toString("utf8");
        this.take(mark.length);
        return text;
      }
      if (this.#held.length > most || !(await this.more())) return undefined;
    }
  }
}

/** At the root of a package and in this spelling; the first match counts. */
const MANIFESTS: readonly (readonly [name: RegExp, standard: string])[] = [
  [/^cmi5\.xml$/, "CMI5"],
  [/^imsmanifest\.xml$/, "SCORM"],
  [/^tincan\.xml$/, "XAPI"],
  [/^[^/]+\.crs$/i, "AICC"],
];
/** `<schemaversion>` is near the start of a manifest. */
const MOST_MANIFEST = 65_536;

/** By the start of `schemaversion`, in the engine's words (training modules, 1.2 and 2.2). */
const EDITIONS: readonly (readonly [version: RegExp, standard: string])[] = [
  [/^1\.1/, "SCORM11"],
  [/^2004 4th/i, "SCORM20044THEDITION"],
  [/^2004 3rd/i, "SCORM20043RDEDITION"],
  [/^(?:cam )?1\.3/i, "SCORM20042NDEDITION"],
];

/**
 * Is a file a zip with a manifest at its root? A small form of the engine's check. Never throws for
 * the content of the file.
 */
async function packageLook(path: string): Promise<Pick<PackageLook, "problem" | "learningStandard">> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true });
    return await lookedInto(zip);
  } catch (error) {
    const reason = messageOf(error);
    return { problem: `The file is not a zip archive that can be unpacked: ${reason}`, learningStandard: null };
  } finally {
    zip?.close();
  }
}

async function lookedInto(zip: ZipFile): Promise<Pick<PackageLook, "problem" | "learningStandard">> {
  const manifests = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    for (const [name, standard] of MANIFESTS) if (name.test(entry.fileName)) manifests.set(standard, entry);
  }
  const standard = MANIFESTS.find(([, one]) => manifests.has(one))?.[1];
  if (standard === undefined) return { problem: "The archive has no manifest at its root.", learningStandard: null };
  const manifest = manifests.get("SCORM");
  const isScorm = standard === "SCORM" && manifest !== undefined;
  return { problem: "", learningStandard: isScorm ? await editionOf(zip, manifest) : standard };
}

async function editionOf(zip: ZipFile, manifest: Entry): Promise<string> {
  let text = "";
  for await (const piece of await zip.openReadStreamPromise(manifest)) {
    text += (piece as Buffer).toString("latin1");
    if (text.length > MOST_MANIFEST) break;
  }
  const version = /<schemaversion>\s*([^<]*?)\s*</i.exec(text)?.[1] ?? "";
  return EDITIONS.find(([start]) => start.test(version))?.[1] ?? "SCORM12";
}
