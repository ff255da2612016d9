import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { mediaPath } from "../page-path.js";
import {
  codeOf,
  comparedAmong,
  type ExportMarker,
  FILE_LIST,
  foldersOf,
  holds,
  isExportPath,
  MARKER,
  type MadeFrom,
  MEDIA_LIST,
  prepareFolder,
  removeEmpty,
  sizeOf,
  TEMPORARY,
} from "./prepare-folder.js";

/** What a medium's address is made of. */
export interface MediumName {
  readonly sha256: string;
  /** See `MediaType`. */
  readonly extension: string;
}

/**
 * Addresses of media, held by their sha256, which other things hold anyway: a large site has a
 * hundred thousand.
 */
export class MediaNames {
  /** The extension; several, which a content with several names may have, with a blank between. */
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

  /** Lets go of a content under all of its names. */
  forget(sha256: string): void {
    this.#extensions.delete(sha256);
  }

  clear(): void {
    this.#extensions.clear();
  }

  /** `media/<sha256>.jpg` of each. */
  *addresses(): Generator<string> {
    for (const sha256 of this.#extensions.keys())
      for (const extension of this.#of(sha256)) yield mediaPath(sha256, { extension });
  }

  #of(sha256: string): readonly string[] {
    return this.#extensions.get(sha256)?.split(" ") ?? [];
  }
}

/** undefined: it is no address of a medium. */
function mediumIn(address: string): MediumName | undefined {
  const [, sha256, extension] = /^media\/([0-9a-f]{64})\.([a-z0-9_]+)$/.exec(address) ?? [];
  return sha256 === undefined || extension === undefined ? undefined : { sha256, extension };
}

/** What an export did to its folder: numbers of files, and bytes of those that were written. */
export interface FolderFacts {
  readonly written: number;
  /** New ones that are one file with that of another time, and take no room of their own. */
  readonly linked: number;
  readonly kept: number;
  readonly removed: number;
  readonly bytes: number;
}

/** What a folder is opened for. */
interface FolderGoal extends Pick<ExportMarker, "site" | "time"> {
  /** Ids of times that pages there will compare with. Default: none. */
  readonly compared?: readonly string[];
  /**
   * Folders of other times, on the same disk: a file that has the same bytes there is linked.
   * Default: none.
   */
  readonly twins?: readonly string[];
}

/**
 * The folder of an export. Files come whole or not at all under their names; each stands in the
 * list before it comes, so that a later run knows what is the export's own, also after a kill. What
 * is there already as it should be is left.
 */
export class ExportFolder {
  readonly path: string;
  readonly #marker: Omit<ExportMarker, "complete">;
  readonly #list: FileHandle;
  /** What exports wrote so far, by the list. */
  readonly #listed: Set<string>;
  /** What belongs to this one: addresses, and media apart, which are many. */
  readonly #own = new Set<string>();
  readonly #media = new MediaNames();
  /** Folders that are there. */
  readonly #folders = new Set<string>();
  readonly #facts = { written: 0, linked: 0, kept: 0, removed: 0, bytes: 0 };
  readonly #twins: readonly string[];

  private constructor(
    path: string,
    parts: {
      readonly marker: Omit<ExportMarker, "complete">;
      readonly list: FileHandle;
      readonly listed: Set<string>;
      readonly twins: readonly string[];
    },
  ) {
    this.path = path;
    this.#marker = parts.marker;
    this.#list = parts.list;
    this.#listed = parts.listed;
    this.#twins = parts.twins;
  }

  /**
   * Throws UsageError for a folder that is neither new nor empty nor an export of the same site;
   * what the system says.
   */
  static async open(path: string, { site, time, compared = [], twins = [] }: FolderGoal): Promise<ExportFolder> {
    const marker = { format: "guideferry-export", version: 1, site, time } as const;
    const listed = await prepareFolder(path, site, compared);
    await replace(path, MARKER, markerText({ ...marker, complete: false }));
    const list = await open(join(path, FILE_LIST), "a", FILE_MODE);
    // The last line of a killed run may have no end.
    await list.write("\n");
    return new ExportFolder(path, { marker, list, listed, twins });
  }

  get facts(): FolderFacts {
    return this.#facts;
  }

  /**
   * Writes a file, unless it is there with these bytes. Throws what the system says, and TypeError
   * for an address that no export has.
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
   * Writes a file that is named by its content, unless one of the size is there, or it was put
   * before. Throws also what `open` and the stream throw; then it is not there, and may be put
   * again.
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

  /** Counts media as the export's own that are there already and stay as they are. */
  keep(addresses: Iterable<string>): void {
    for (const address of addresses) {
      const name = mediumIn(address);
      if (name !== undefined) this.#media.add(name);
    }
  }

  /**
   * Writes the list of media that the pages lead to and other folders keep. Throws what the system
   * says.
   */
  async putMediaList(media: MediaNames): Promise<void> {
    await replace(this.path, MEDIA_LIST, lines(media.addresses()));
  }

  /**
   * Removes what an earlier export wrote and this one has not, and says that the export is whole.
   * Throws what the system says.
   */
  async finish(made?: MadeFrom): Promise<void> {
    for (const address of this.#listed) {
      if (this.#isOwn(address)) continue;
      await rm(join(this.path, address), { force: true });
      this.#facts.removed += 1;
    }
    const folders = foldersOf(comparedAmong([...this.#listed, ...this.#own])).toReversed();
    for (const folder of folders) await removeEmpty(join(this.path, folder));
    await replace(this.path, FILE_LIST, lines(this.#own) + lines(this.#media.addresses()));
    await replace(this.path, MARKER, markerText({ ...this.#marker, complete: true, ...(made && { made }) }));
  }

  /**
   * Removes all that exports wrote, and the folder itself where nothing else is in it. Throws what
   * the system says.
   */
  async remove(): Promise<void> {
    this.#own.clear();
    this.#media.clear();
    await this.finish();
    // The marker goes last: without it nothing here would ever be removed again.
    for (const name of [MEDIA_LIST, FILE_LIST, MARKER]) await rm(join(this.path, name), { force: true });
    await rm(join(this.path, TEMPORARY), { recursive: true, force: true });
    await removeEmpty(this.path);
  }

  /** Lets go of the folder, whether the export is whole or not. */
  async close(): Promise<void> {
    await this.#list.close();
    await rm(join(this.path, TEMPORARY), { recursive: true, force: true });
  }

  #isOwn(address: string): boolean {
    const name = mediumIn(address);
    return name === undefined ? this.#own.has(address) : this.#media.has(name);
  }

  async #begin(address: string): Promise<string> {
    if (!isExportPath(address)) throw new TypeError(`${JSON.stringify(address)} is no address inside of an export`);
    if (!this.#listed.has(address)) await this.#list.appendFile(`${address}\n`);
    return join(this.path, address);
  }

  /**
   * false: no other time has these bytes, or its file can't be shared, as on disks that know no
   * links.
   */
  async #link(address: string, bytes: Buffer | Uint8Array): Promise<boolean> {
    for (const twin of this.#twins) {
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

  /** Makes a file beside its place first, so that nobody ever finds half of one. */
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

/** What links end with where a disk has none, or no more of a file, or the file went. */
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

/** A site is made to be served, by whatever user that is done by. */
const FILE_MODE = 0o644;
