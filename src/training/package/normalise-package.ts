import { lstat, open, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { shown } from "../../../transforms/training/findings.js";
import { makeBeside } from "../../storage/archive/beside.js";
import { diskError, onDisk } from "../../storage/archive/disk-error.js";
import { type NewEntry, packInto, writeArchive } from "../../storage/archive/write-archive.js";
import type { CheckedPackage, PackageContent } from "../package.js";
import { contentOf, type LookedAt, lookAtPackage, type PackageOptions } from "./check-package.js";
import { normalise } from "./normalise.js";

export interface NormaliseOptions extends PackageOptions {
  /** Replaces files that stand there with other bytes; never the package itself. Default: false. */
  readonly force?: boolean;
}

/** What became of one package. */
export interface NormaliseResult {
  readonly checked: CheckedPackage;
  /**
   * `unchanged`: all of it stood there already. `in-the-way`: another file stands there, and
   * nothing was written.
   */
  readonly outcome: "written" | "unchanged" | "in-the-way" | "refused";
  /** The package's identity; null: it is refused. */
  readonly digest: string | null;
  /** Where the archive is, or would be; null: it is refused. */
  readonly archive: string | null;
  /** What lies beside it: files as they were before a repair, and the list of repairs. */
  readonly beside: readonly string[];
  /** Why it was not written, and what to do; empty: it was, or stood there. */
  readonly reason: string;
}

/**
 * Writes the normalised form of a package into a folder: `NAME.zip`, and where something was
 * repaired `NAME.repairs.txt` with all of it and the manifest as it was as
 * `NAME.original-imsmanifest.xml` (training modules, 6.2). NAME is the package's own; a second one
 * of that name in the same run has the first digits of its digest behind it. The archive comes
 * last, so where it stands the others do too. Throws as `openPackage` does, and ArchiveError where
 * the folder can't be written.
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
    const why = checked.verdict === "refuse" ? "it is refused" : "it is a manifest without its files";
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
  const beside = await besideFiles(stem, content, checked);
  const outputs: readonly Placeable[] = [...beside, archiveOf(archive, entries, signal)];
  const about = { checked, digest, archive, beside: beside.map((output) => output.path) };
  const standing = new Map<Placeable, Standing>();
  for (const output of outputs) {
    const stands = await whatStands(output);
    const reason = await whyNot(output.path, stands, path, force);
    if (reason !== "") return { ...about, outcome: "in-the-way", reason };
    standing.set(output, stands);
  }
  const missing = outputs.filter((output) => standing.get(output) !== "same");
  for (const output of missing) await output.place();
  return { ...about, outcome: missing.length === 0 ? "unchanged" : "written", reason: "" };
}

async function whyNot(path: string, stands: Standing, input: string, force: boolean): Promise<string> {
  if (stands !== "other") return "";
  if (await isSameFile(path, input)) return `${path} is the package itself. Give another folder to write to.`;
  return force ? "" : `${path} is there already and is another file. Give another folder, or --force to replace it.`;
}

/** A link that leads to it is another file: to replace that leaves the package as it is. */
async function isSameFile(one: string, input: string): Promise<boolean> {
  const [a, b] = await onDisk(`looking at ${one}`, Promise.all([lstat(one), stat(input)]));
  return a.dev === b.dev && a.ino === b.ino;
}

async function besideFiles(
  stem: string,
  content: PackageContent,
  checked: CheckedPackage,
): Promise<readonly Placeable[]> {
  const originals: Placeable[] = [];
  for (const original of content.judgement.rewritten.keys()) {
    const bytes = await contentOf(content.files, original);
    originals.push(fileOf(`${stem}.original-${basename(original)}`, bytes));
  }
  if (checked.repairs.length === 0) return originals;
  return [...originals, fileOf(`${stem}.repairs.txt`, repairsText(checked))];
}

/** One line for each repair; names in it are foreign. */
function repairsText({ file, repairs }: CheckedPackage): Buffer {
  const lines = repairs.map(
    ({ code, path, what }) => `${code}${path === "" ? "" : ` ${shown(path)}`}: ${shown(what, 600)}`,
  );
  return Buffer.from(`What was repaired in ${shown(basename(file), 600)}:\n${lines.join("\n")}\n`);
}

function nameOf(file: string): string {
  return basename(resolve(file)).replace(/\.(?:zip|xml)$/i, "") || "package";
}

/**
 * The names of what one run normalises into one folder: no two packages get the same one, on disks
 * that ignore letter case too.
 */
export class NormalisedFolder {
  readonly path: string;
  readonly #taken = new Map<string, string>();

  constructor(path: string) {
    this.path = path;
  }

  /**
   * `name`, or, where another package of this run has that, `name-` and the first digits of its
   * digest.
   */
  nameFor(name: string, digest: string): string {
    const names = [name, `${name}-${digest.slice(0, SHOWN_DIGITS)}`, `${name}-${digest}`];
    const free = names.find((one) => (this.#taken.get(fold(one)) ?? digest) === digest) ?? `${name}-${digest}`;
    this.#taken.set(fold(free), digest);
    return free;
  }
}

/** As many as the name of an upload has. */
const SHOWN_DIGITS = 12;

function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

/** A file to be written, which may stand there already. */
interface Placeable {
  readonly path: string;
  /** Gives its bytes in order to `write`, waiting for each. */
  give(write: (bytes: Buffer) => Promise<void>): Promise<void>;
  /** Writes it to its path, whole or not at all. */
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
    place: () => makeBeside(path, `writing ${path}`, (temporary) => writeSynced(temporary, path, bytes)),
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

type Standing = "nothing" | "same" | "other";

/**
 * What stands at its path: nothing, a file with exactly these bytes, or something else. Throws
 * ArchiveError when the disk fails.
 */
async function whatStands(file: Placeable): Promise<Standing> {
  const { path } = file;
  const stats = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw diskError(error, `looking for ${path}`);
  });
  if (stats === undefined) return "nothing";
  if (!stats.isFile()) return "other";
  return (await onDisk(`reading ${path}`, isSame(file, stats.size))) ? "same" : "other";
}

/** Ends the giving early. */
class Differs extends Error {}

async function isSame({ path, give }: Placeable, size: number): Promise<boolean> {
  const handle = await open(path, "r");
  let position = 0;
  try {
    await give(async (bytes) => {
      const there = Buffer.alloc(bytes.length);
      const { bytesRead } = await handle.read(there, 0, bytes.length, position);
      position += bytes.length;
      if (bytesRead < bytes.length || !there.equals(bytes)) throw new Differs("Another file stands there.");
    });
    return position === size;
  } catch (error) {
    if (error instanceof Differs) return false;
    throw error;
  } finally {
    await handle.close();
  }
}
