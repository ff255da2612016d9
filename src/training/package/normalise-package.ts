import { createHash } from "node:crypto";
import { lstat, open, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { shown } from "../../../transforms/training/findings.js";
import { ArchiveError } from "../../core/errors.js";
import type { Files } from "../../core/formats.js";
import type { Standard } from "../../core/model/module.js";
import { replaceAtomically } from "../../storage/archive/atomic-file.js";
import { diskError, onDisk } from "../../storage/archive/disk-error.js";
import { inOrder } from "../../storage/archive/open-archive.js";
import { type NewEntry, packInto, writeArchive } from "../../storage/archive/write-archive.js";
import type { CheckedPackage, NormalisedPackage, PackageContent, PreparedPackage } from "../package.js";
import { contentOf, type LookedAt, lookAtPackage, type PackageOptions } from "./check-package.js";

export interface NormaliseOptions extends PackageOptions {
  /** Replaces existing files with other bytes, but never the package itself. Default: false. */
  readonly force?: boolean;
}

export interface NormaliseResult {
  readonly checked: CheckedPackage;
  /** `unchanged`: all files existed. `in-the-way`: another file exists, and nothing was written. */
  readonly outcome: "written" | "unchanged" | "in-the-way" | "refused";
  /** null: the package is refused. */
  readonly digest: string | null;
  /** The path of the archive, also if it was not written; null: the package is refused. */
  readonly archive: string | null;
  /** The files next to it: files before their repair, and the list of repairs. */
  readonly beside: readonly string[];
  /** Why it was not written, and what to do; empty: it was written, or existed. */
  readonly reason: string;
}

/**
 * Writes the normalised form of a package into a folder: `NAME.zip`, and after a repair the list
 * `NAME.repairs.txt` and the old manifest `NAME.original-imsmanifest.xml` (training modules, 6.2).
 * NAME is the name of the package; a second one of that name in the same run also gets the first
 * digits of its digest. The archive is written last. Throws as `openPackage` does, and ArchiveError
 * where the folder can't be written.
 */
export async function normalisePackage(
  path: string,
  folder: NormalisedFolder,
  options: NormaliseOptions = {},
): Promise<NormaliseResult> {
  const looked = await lookAtPackage(path, { ...options, hashContents: true });
  try {
    const { checked, content } = looked;
    if (content !== null) return await write(looked, content, path, folder, options);
    const why = checked.verdict === "refuse" ? "the package is refused" : "it is a manifest without its files";
    const reason = `${checked.file} was not normalised: ${why}.`;
    return { checked, outcome: "refused", digest: null, archive: null, beside: [], reason };
  } finally {
    await looked.close();
  }
}

async function write(
  looked: LookedAt,
  content: PackageContent,
  path: string,
  folder: NormalisedFolder,
  { signal = new AbortController().signal, force = false }: NormaliseOptions,
): Promise<NormaliseResult> {
  const { checked } = looked;
  const { digest, entries } = await normalise(looked, content, signal);
  const stem = join(folder.path, folder.nameFor(nameOf(checked.file), digest));
  const archive = `${stem}.zip`;
  const beside = await repairFiles(stem, content, checked);
  const outputs: readonly Placeable[] = [...beside, archiveOf(archive, entries, signal)];
  const about = { checked, digest, archive, beside: beside.map((output) => output.path) };
  const existing = new Map<Placeable, ExistingFile>();
  for (const output of outputs) {
    const found = await existingFileAt(output);
    const reason = await obstacleAt(output.path, found, path, force);
    if (reason !== "") return { ...about, outcome: "in-the-way", reason };
    existing.set(output, found);
  }
  const missing = outputs.filter((output) => existing.get(output) !== "same");
  for (const output of missing) await output.place();
  return { ...about, outcome: missing.length === 0 ? "unchanged" : "written", reason: "" };
}

async function obstacleAt(path: string, found: ExistingFile, input: string, force: boolean): Promise<string> {
  if (found !== "other") return "";
  if (await isSameFile(path, input)) return `${path} is the package itself. Give another folder to write to.`;
  return force ? "" : `${path} exists already and differs. Give another folder, or --force to replace the file.`;
}

/** A link to the package is another file, whose replacement does not change the package. */
async function isSameFile(one: string, input: string): Promise<boolean> {
  const [a, b] = await onDisk(`looking at ${one}`, Promise.all([lstat(one), stat(input)]));
  return a.dev === b.dev && a.ino === b.ino;
}

async function repairFiles(
  stem: string,
  content: PackageContent,
  checked: CheckedPackage,
): Promise<readonly Placeable[]> {
  const originals: Placeable[] = [];
  for (const original of content.validation.rewritten.keys()) {
    const bytes = await contentOf(content.files, original);
    originals.push(fileOf(`${stem}.original-${basename(original)}`, bytes));
  }
  if (checked.repairs.length === 0) return originals;
  const text = repairsText(checked);
  const list = fileOf(`${stem}.repairs.txt`, Buffer.from(text));
  // Another version may have written it in other words.
  return [...originals, { ...list, isSame: (there: string) => codesIn(there) === codesIn(text) }];
}

/** One line for each repair, with printable names. */
function repairsText({ file, repairs }: CheckedPackage): string {
  const lines = repairs.map(
    ({ code, path, what }) => `${code}${path === "" ? "" : ` ${shown(path)}`}: ${shown(what, 600)}`,
  );
  return `What was repaired in ${shown(basename(file), 600)}:\n${lines.join("\n")}\n`;
}

/** The list without the descriptions of its repairs. */
function codesIn(list: string): string {
  return list.replace(/^([A-Z]_\S+(?: .*?)?): .*$/gm, "$1");
}

function nameOf(file: string): string {
  return basename(resolve(file)).replace(/\.(?:zip|xml)$/i, "") || "package";
}

/** Gives each package of a run a unique file name in the folder, whatever its letter case. */
export class NormalisedFolder {
  readonly path: string;
  readonly #taken = new Map<string, string>();

  constructor(path: string) {
    this.path = path;
  }

  /** `name`, or, where another package of this run has it, `name-` and digits of the digest. */
  nameFor(name: string, digest: string): string {
    const names = [name, `${name}-${digest.slice(0, SHOWN_DIGITS)}`, `${name}-${digest}`];
    const free = names.find((one) => (this.#taken.get(fold(one)) ?? digest) === digest) ?? `${name}-${digest}`;
    this.#taken.set(fold(free), digest);
    return free;
  }
}

const SHOWN_DIGITS = 12;

function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

/** A file to write, which may exist already. */
interface Placeable {
  readonly path: string;
  /** Passes its bytes in order to `write`, and waits for each call. */
  give(write: (bytes: Buffer) => Promise<void>): Promise<void>;
  /** Compares it with an existing file. Absent: byte by byte. */
  readonly isSame?: (there: string) => boolean;
  /** Writes it to its path in one step. */
  place(): Promise<void>;
}

function archiveOf(
  path: string,
  entries: (signal: AbortSignal) => AsyncIterable<NewEntry>,
  signal: AbortSignal,
): Placeable {
  return {
    path,
    give: (write) => packInto(path, write, entries(signal), signal),
    place: () => writeArchive(path, entries(signal), { signal }),
  };
}

function fileOf(path: string, bytes: Buffer): Placeable {
  return {
    path,
    give: (write) => write(bytes),
    place: () => replaceAtomically(path, `writing ${path}`, (temporary) => writeSynced(temporary, path, bytes)),
  };
}

async function writeSynced(temporary: string, path: string, bytes: Buffer): Promise<void> {
  const doing = `writing ${path}`;
  const handle = await onDisk(doing, open(temporary, "wx", 0o600));
  try {
    await onDisk(doing, handle.writeFile(bytes));
    await onDisk(doing, handle.sync());
  } finally {
    await handle.close();
  }
}

type ExistingFile = "nothing" | "same" | "other";

/** Compares an existing file byte by byte. Throws ArchiveError when the disk fails. */
async function existingFileAt(file: Placeable): Promise<ExistingFile> {
  const { path } = file;
  const stats = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw diskError(error, `looking for ${path}`);
  });
  if (stats === undefined) return "nothing";
  if (!stats.isFile()) return "other";
  return (await onDisk(`reading ${path}`, isSame(file, stats.size))) ? "same" : "other";
}

class Differs extends Error {}

/** Bytes; a repair of each entry of the largest package takes less. */
const LONGEST_LIST = 64 * 1024 * 1024;

async function isSame({ path, give, isSame: compare }: Placeable, size: number): Promise<boolean> {
  if (compare !== undefined) return size <= LONGEST_LIST && compare(await readFile(path, "utf8"));
  const handle = await open(path, "r");
  let position = 0;
  try {
    await give(async (bytes) => {
      const there = Buffer.alloc(bytes.length);
      const { bytesRead } = await handle.read(there, 0, bytes.length, position);
      position += bytes.length;
      if (bytesRead < bytes.length || !there.equals(bytes)) throw new Differs("The existing file differs.");
    });
    return position === size;
  } catch (error) {
    if (error instanceof Differs) return false;
    throw error;
  } finally {
    await handle.close();
  }
}

interface Normalised extends NormalisedPackage {
  entries(signal: AbortSignal): AsyncIterable<NewEntry>;
}

/** The normalised form of an accepted package. Reads contents whose sha256 is unknown. */
async function normalise(
  { digests, hasFinalLayout: isTidyArchive }: LookedAt,
  content: PackageContent,
  signal: AbortSignal | undefined,
): Promise<Normalised> {
  const { files, validation } = content;
  const normalised = await normalisedFiles(content, digests, signal);
  const isUntouched = validation.root === "" && validation.renamed.size === 0 && validation.rewritten.size === 0;
  const entries = (writing: AbortSignal): AsyncIterable<NewEntry> => entriesOf(files, normalised, writing);
  return {
    digest: contentDigest(normalised),
    manifestDigest: manifestDigest(normalised.filter(({ isManifest }) => isManifest)),
    contentBytes: normalised.reduce((sum, { size }) => sum + size, 0),
    isAsGiven: isTidyArchive && isUntouched,
    entries,
    write: async (path, writing) => {
      await writeArchive(path, entries(writing), { signal: writing });
      return (await onDisk(`looking at ${path}`, stat(path))).size;
    },
  };
}

/**
 * Checks a package as `openPackage` does, and describes its normalised form (training modules, 6.2
 * and 6.3). Reads each content once, and once more when it is written. Throws as `openPackage`
 * does.
 */
export async function preparePackage(path: string, options: PackageOptions = {}): Promise<PreparedPackage> {
  const looked = await lookAtPackage(path, { ...options, hashContents: true });
  const { checked, content, close } = looked;
  if (content === null) return { checked, normalised: null, close };
  try {
    const { entries: _entries, ...normalised } = await normalise(looked, content, options.signal);
    return { checked, normalised, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Contents up to this size are read whole, since a stream takes longer than packing them. */
const AT_ONCE = 256 * 1024;

/** The entries to write, read one at a time. Throws ArchiveError where a content has changed. */
async function* entriesOf(
  files: Files,
  normalised: readonly NormalisedFile[],
  signal: AbortSignal,
): AsyncGenerator<NewEntry> {
  for (const file of normalised) {
    signal.throwIfAborted();
    yield { path: file.path, content: await openContent(files, file) };
  }
}

async function openContent(files: Files, file: NormalisedFile): Promise<Readable | Buffer> {
  const { from, size } = file;
  if ("rewritten" in from) return from.rewritten;
  const pieces = unchanged(files, from.original, file.sha256);
  if (size > AT_ONCE) return Readable.from(pieces, { objectMode: false });
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}

/** Checks the sha256, so that a file that changes during the run is not sent. */
async function* unchanged(files: Files, path: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    const bytes: Buffer = piece;
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest("hex") === sha256) return;
  throw new ArchiveError(
    `${files.name}: another program changed "${path}" while guideferry read the package. Wait until the program has finished, then run the same command again.`,
  );
}

interface NormalisedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly isManifest: boolean;
  /** The content as given, or as repaired. */
  readonly from: { readonly original: string } | { readonly rewritten: Buffer };
}

/**
 * The files of the normalised form in order: manifests with their exact names, then the others in
 * byte order of their names, without the wrapper folder (training modules, 6.2). Throws what
 * reading throws, and the reason of `signal`.
 *
 * @param digests known sha256 by path; the other contents are read
 */
async function normalisedFiles(
  content: PackageContent,
  digests: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<readonly NormalisedFile[]> {
  const { files, validation } = content;
  const originals = new Map(files.paths.map((path) => [newPathOf(path, content), path]));
  const manifests = validation.manifests.map((path) => newPathOf(path, content));
  const first = new Set(manifests);
  const others = inOrder([...originals.keys()].filter((path) => !first.has(path)));
  const normalised: NormalisedFile[] = [];
  for (const path of [...manifests, ...others]) {
    signal?.throwIfAborted();
    const original = originals.get(path);
    if (original === undefined)
      throw new Error(`The package lacks the file ${path}, which its validation names: a defect of guideferry.`);
    const named = { path, isManifest: first.has(path) };
    const rewritten = validation.rewritten.get(original);
    if (rewritten === undefined) {
      const sha256 = digests.get(original) ?? (await digestOf(files, original, signal));
      normalised.push({ ...named, size: files.size(original), sha256, from: { original } });
    } else {
      const bytes = Buffer.from(rewritten);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      normalised.push({ ...named, size: bytes.length, sha256, from: { rewritten: bytes } });
    }
  }
  if (normalised.length !== files.paths.length)
    throw new Error("Two files of the package get the same name: a defect of guideferry.");
  return normalised;
}

/** Names of single manifests. */
const LONE_NAMES: Partial<Readonly<Record<Standard, string>>> = { cmi5: "cmi5.xml", "xapi-tincan": "tincan.xml" };

function newPathOf(path: string, { validation }: PackageContent): string {
  const { lone, module, renamed, root } = validation;
  if (lone !== null) return (module === null ? undefined : LONE_NAMES[module.standard]) ?? path;
  return (renamed.get(path) ?? path).slice(root.length);
}

async function digestOf(files: Files, path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    signal?.throwIfAborted();
    hash.update(piece as Buffer);
  }
  return hash.digest("hex");
}

interface DigestedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * The identity of a package (training modules, 6.3): sha256 over a line for each file, `path NUL
 * size NUL sha256` and a line feed, in byte order of the paths (UTF-8), with decimal sizes.
 * Independent of order, dates and packing.
 */
function contentDigest(files: readonly DigestedFile[]): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const hash = createHash("sha256");
  for (const path of inOrder(byPath.keys())) {
    const file = byPath.get(path);
    if (file !== undefined) hash.update(`${path}\0${file.size}\0${file.sha256}\n`);
  }
  return hash.digest("hex");
}

/** The sha256 of one manifest, or the digest of several, as AICC has them. */
function manifestDigest(manifests: readonly DigestedFile[]): string {
  const [only, ...others] = manifests;
  return only !== undefined && others.length === 0 ? only.sha256 : contentDigest(manifests);
}
