import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { ArchiveError, EXIT, UsageError } from "../../../core/errors.js";
import { parseJson } from "../../../core/util/json.js";
import { describeHolder, type Lock, takeLock } from "../../../storage/workspace/lock.js";
import { comparedAmong, foldersOf, isExportPath, mediaPath } from "../page-path.js";

export interface MediumName {
  readonly sha256: string;
  /** See `MediaType`. */
  readonly extension: string;
}

/** Addresses of media by their sha256: a large site has a hundred thousand. */
export class MediaNames {
  /** Extensions, separated by blanks where a content has several names. */
  readonly #extensions = new Map<string, string>();

  has({ sha256, extension }: MediumName): boolean {
    return this.#of(sha256).includes(extension);
  }

  add(name: MediumName): void {
    if (this.has(name)) return;
    this.#extensions.set(name.sha256, [...this.#of(name.sha256), name.extension].join(" "));
  }

  delete({ sha256, extension }: MediumName): void {
    const left = this.#of(sha256).filter((each) => each !== extension);
    if (left.length === 0) this.#extensions.delete(sha256);
    else this.#extensions.set(sha256, left.join(" "));
  }

  /** Forgets a content with all its names. */
  forget(sha256: string): void {
    this.#extensions.delete(sha256);
  }

  clear(): void {
    this.#extensions.clear();
  }

  *addresses(): Generator<string> {
    for (const sha256 of this.#extensions.keys())
      for (const extension of this.#of(sha256)) yield mediaPath(sha256, { extension });
  }

  #of(sha256: string): readonly string[] {
    return this.#extensions.get(sha256)?.split(" ") ?? [];
  }
}

/** undefined: no address of a medium. */
function mediumIn(address: string): MediumName | undefined {
  const [, sha256, extension] = /^media\/([0-9a-f]{64})\.([a-z0-9_]+)$/.exec(address) ?? [];
  return sha256 === undefined || extension === undefined ? undefined : { sha256, extension };
}

/** Numbers of files, and bytes of the written ones. */
export interface FolderFacts {
  readonly written: number;
  /** New files that are hard links to those of another snapshot. */
  readonly linked: number;
  readonly kept: number;
  readonly removed: number;
  readonly bytes: number;
}

interface FolderOptions extends Pick<ExportMarker, "site" | "time"> {
  /** Ids of snapshots that pages there are compared with. Default: none. */
  readonly compared?: readonly string[];
  /** Folders of other snapshots on the same disk, whose equal files are linked. Default: none. */
  readonly twins?: readonly string[];
}

interface FolderParts extends Pick<Required<FolderOptions>, "twins"> {
  readonly marker: Omit<ExportMarker, "complete">;
  readonly list: FileHandle;
  /** Addresses that exports wrote so far, by the list. */
  readonly listed: ReadonlySet<string>;
}

/**
 * The folder of an export. Files are written atomically and only where they differ. Each is listed
 * before it is written, so that a later run knows the export's own files, also after a kill.
 */
export class ExportFolder {
  readonly path: string;
  readonly #parts: FolderParts;
  /** What this export wrote or kept; media apart, since there are many. */
  readonly #own = new Set<string>();
  readonly #media = new MediaNames();
  readonly #folders = new Set<string>();
  readonly #facts = { written: 0, linked: 0, kept: 0, removed: 0, bytes: 0 };

  private constructor(path: string, parts: FolderParts) {
    this.path = path;
    this.#parts = parts;
  }

  /**
   * Throws UsageError for a folder that is neither new nor empty nor an export of the same site,
   * and errors of the disk.
   */
  static async open(path: string, { site, time, compared = [], twins = [] }: FolderOptions): Promise<ExportFolder> {
    const marker = { format: "guideferry-export", version: 1, site, time } as const;
    const listed = await prepareFolder(path, site, compared);
    await replace(path, MARKER, markerText({ ...marker, complete: false }));
    const list = await open(join(path, FILE_LIST), "a", FILE_MODE);
    // The last line of a killed run may be incomplete.
    await list.write("\n");
    return new ExportFolder(path, { marker, list, listed, twins });
  }

  get facts(): FolderFacts {
    return this.#facts;
  }

  /**
   * Writes a file unless it has these bytes. Throws TypeError for an address outside of an export,
   * and errors of the disk.
   */
  async put(address: string, data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const file = await this.#begin(address);
    this.#own.add(address);
    if (await holds(file, bytes)) this.#facts.kept += 1;
    else if (!(await this.#link(address, bytes)))
      await this.#write(file, bytes.length, (temporary) =>
        writeFile(temporary, bytes, { flag: "wx", mode: FILE_MODE }),
      );
  }

  /**
   * Writes a file named by its content, unless one of this size exists. Throws also what `open`
   * throws; the file may be put again then.
   */
  async putMedium(name: MediumName, size: number, open: () => Promise<Readable>): Promise<void> {
    if (this.#media.has(name)) return;
    this.#media.add(name);
    try {
      await this.#putContent(mediaPath(name.sha256, name), size, open);
    } catch (error) {
      this.#media.delete(name);
      throw error;
    }
  }

  async #putContent(address: string, size: number, open: () => Promise<Readable>): Promise<void> {
    const file = await this.#begin(address);
    if ((await sizeOf(file)) === size) {
      this.#facts.kept += 1;
      return;
    }
    await this.#write(file, size, async (temporary) =>
      pipeline(await open(), createWriteStream(temporary, { flags: "wx", mode: FILE_MODE })),
    );
  }

  /** Keeps existing media as part of this export. */
  keep(addresses: Iterable<string>): void {
    for (const address of addresses) {
      const name = mediumIn(address);
      if (name !== undefined) this.#media.add(name);
    }
  }

  /** Writes the list of media that the pages lead to and another folder holds. */
  async putMediaList(media: MediaNames): Promise<void> {
    await replace(this.path, MEDIA_LIST, lines(media.addresses()));
  }

  /**
   * Removes files of earlier exports that this one does not have, and marks the export complete.
   */
  async finish(made?: MadeFrom): Promise<void> {
    for (const address of this.#parts.listed) {
      if (this.#isOwn(address)) continue;
      await rm(join(this.path, address), { force: true });
      this.#facts.removed += 1;
    }
    const folders = foldersOf(comparedAmong([...this.#parts.listed, ...this.#own])).toReversed();
    for (const folder of folders) await removeEmpty(join(this.path, folder));
    await replace(this.path, FILE_LIST, lines(this.#own) + lines(this.#media.addresses()));
    await replace(this.path, MARKER, markerText({ ...this.#parts.marker, complete: true, ...(made && { made }) }));
  }

  /** Removes all that exports wrote, and the folder where nothing else is in it. */
  async remove(): Promise<void> {
    this.#own.clear();
    this.#media.clear();
    await this.finish();
    // The marker goes last: without it no later run would remove the rest.
    for (const name of [MEDIA_LIST, FILE_LIST, MARKER]) await rm(join(this.path, name), { force: true });
    await rm(join(this.path, TEMPORARY), { recursive: true, force: true });
    await removeEmpty(this.path);
  }

  async close(): Promise<void> {
    await this.#parts.list.close();
    await rm(join(this.path, TEMPORARY), { recursive: true, force: true });
  }

  #isOwn(address: string): boolean {
    const name = mediumIn(address);
    return name === undefined ? this.#own.has(address) : this.#media.has(name);
  }

  async #begin(address: string): Promise<string> {
    if (!isExportPath(address)) throw new TypeError(`${JSON.stringify(address)} is not an address inside an export`);
    if (!this.#parts.listed.has(address)) await this.#parts.list.appendFile(`${address}\n`);
    return join(this.path, address);
  }

  /** false: no other snapshot has these bytes, or the disk can't link them. */
  async #link(address: string, bytes: Buffer | Uint8Array): Promise<boolean> {
    for (const twin of this.#parts.twins) {
      const file = join(twin, address);
      if (!(await holds(file, bytes))) continue;
      try {
        await this.#place(join(this.path, address), (temporary) => link(file, temporary));
      } catch (error) {
        if (NOT_LINKED.has(codeOf(error))) return false;
        throw error;
      }
      this.#facts.linked += 1;
      return true;
    }
    return false;
  }

  async #write(file: string, size: number, write: (temporary: string) => Promise<void>): Promise<void> {
    await this.#place(file, write);
    this.#facts.written += 1;
    this.#facts.bytes += size;
  }

  /** Writes to a temporary file first, so that no half-written file has the name. */
  async #place(file: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.path, TEMPORARY, randomUUID());
    const folder = dirname(file);
    try {
      await make(temporary);
      if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true });
      this.#folders.add(folder);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

/** Error codes where a link is not possible, or its source was removed. */
const NOT_LINKED: ReadonlySet<unknown> = new Set([
  ...["EPERM", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EXDEV", "ENOENT"],
]);

function lines(addresses: Iterable<string>): string {
  return [...addresses]
    .toSorted()
    .map((address) => `${address}\n`)
    .join("");
}

function markerText(marker: ExportMarker): string {
  return `${JSON.stringify(marker, null, 2)}\n`;
}

async function replace(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, TEMPORARY, randomUUID());
  await writeFile(temporary, text, { flag: "wx", mode: FILE_MODE });
  await rename(temporary, join(folder, name));
}

/** A web server may run as another user. */
const FILE_MODE = 0o644;

/**
 * Prepares a folder and returns what earlier exports wrote there. Throws UsageError for foreign
 * files, which are never overwritten or removed, and for links in the place of folders. `compared`:
 * ids of snapshots that pages there are compared with.
 */
async function prepareFolder(path: string, site: string, compared: readonly string[] = []): Promise<Set<string>> {
  const names = await checkFolder(path, site);
  const listed = names.includes(FILE_LIST) ? await listIn(path, FILE_LIST) : new Set<string>();
  for (const folder of [TEMPORARY, ...foldersOf(new Set([...compared, ...comparedAmong(listed)]))])
    await refuseLink(path, folder);
  await rm(join(path, TEMPORARY), { recursive: true, force: true });
  await mkdir(join(path, TEMPORARY), { recursive: true });
  return listed;
}

/**
 * Returns the names in a folder. Throws UsageError where it is neither new nor empty nor an export
 * of this site.
 */
async function checkFolder(path: string, site: string): Promise<readonly string[]> {
  const names = await namesIn(path);
  const isNew = names.every((name) => name === TEMPORARY || name.startsWith(LOCK));
  if (!isNew) await checkMarker(path, names, site);
  return names;
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return [];
    if (codeOf(cause) === "ENOTDIR") throw new UsageError(`${path} is a file. Choose a folder with -o.`, { cause });
    throw cause;
  }
}

async function checkMarker(path: string, names: readonly string[], site: string): Promise<void> {
  if (!names.includes(MARKER)) {
    throw new UsageError(
      `${path} is not empty, and it is not an export of guideferry. Nothing was written. Choose a new or an empty folder with -o.`,
    );
  }
  const marker = await readMarker(path);
  if (marker.site !== site) {
    throw new UsageError(
      `${path} is an export of ${JSON.stringify(marker.site)}, not of ${JSON.stringify(site)}. Nothing was written. Choose another folder with -o.`,
    );
  }
}

/** Throws UsageError when the marker can't be read. */
export async function readMarker(path: string): Promise<ExportMarker> {
  const marker = markerSchema.safeParse(parseJson(await plainFile(path, MARKER)));
  if (marker.success) return marker.data;
  throw new UsageError(
    `${join(path, MARKER)} cannot be read. The folder was not changed. Choose another folder with -o.`,
  );
}

async function plainFile(path: string, name: string): Promise<string> {
  if (!(await lstat(join(path, name))).isFile()) {
    throw new UsageError(
      `${join(path, name)} is not a regular file. The folder was not changed. Choose another folder with -o.`,
    );
  }
  return readFile(join(path, name), "utf8");
}

/**
 * Addresses in a list, without those that no export has: people may edit the file. Throws
 * UsageError for what is no plain file.
 */
export async function listIn(path: string, name: string): Promise<Set<string>> {
  return new Set((await plainFile(path, name)).split("\n").filter(isExportPath));
}

/** Throws UsageError where a folder of an export is a link or a file. */
export async function refuseLink(path: string, folder: string): Promise<void> {
  try {
    if ((await lstat(join(path, folder))).isDirectory()) return;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  throw new UsageError(
    `${join(path, folder)} is a link or a file, not a folder. guideferry does not write to it. Remove it, or choose another folder with -o.`,
  );
}

/**
 * Takes the lock of an export's folder, which it creates. Throws UsageError for a folder of
 * something else, ArchiveError (exit 11) when another export holds it.
 */
export async function holdFolder(path: string, site: string): Promise<Lock> {
  await checkFolder(path, site);
  await mkdir(path, { recursive: true });
  const taken = takeLock(join(path, LOCK), "guideferry export-html");
  if ("lock" in taken) return taken.lock;
  throw new ArchiveError(
    `Another export is writing to ${path}: ${describeHolder(taken.heldBy)}. Nothing was written. Wait until it ends or stop it, then run the same command again.`,
    { exitCode: EXIT.locked },
  );
}

/** Marks a folder as an export. */
export const MARKER = "guideferry-export.json";
/** One address a line: files that are not listed are never removed. */
export const FILE_LIST = "guideferry-export.files";
/** The shared media that the pages of a snapshot lead to, one a line. */
export const MEDIA_LIST = "guideferry-export.media";
/** Held during an export; the file stays. */
const LOCK = "guideferry-export.lock";
/** Files in progress; a killed run leaves them. */
const TEMPORARY = ".guideferry-temporary";
const markerSchema = z.object({
  format: z.literal("guideferry-export"),
  version: z.literal(1),
  site: z.string(),
  /** The id of the snapshot that was exported last. */
  time: z.string(),
  /** false: the last run did not finish. */
  complete: z.boolean(),
  /** Of one of several snapshots: a complete one with the same facts is not exported again. */
  made: z
    .object({
      by: z.string(),
      /** The id of the snapshot that it was compared with; null: it was the oldest. */
      before: z.string().nullable(),
      failures: z.number(),
    })
    .optional(),
});
type ExportMarker = z.infer<typeof markerSchema>;
export type MadeFrom = NonNullable<ExportMarker["made"]>;

/** Bytes of a plain file; undefined: none is there. */
async function sizeOf(file: string): Promise<number | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : undefined;
}

async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  return (await sizeOf(file)) === bytes.length && (await readFile(file)).equals(bytes);
}

export async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!NOT_EMPTY.has(codeOf(error))) throw error;
  }
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/** The code of a system error, `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
