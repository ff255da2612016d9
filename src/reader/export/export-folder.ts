import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ExportMarker, FILE_LIST, MARKER, TEMPORARY } from "./export-marker.js";
import { EXPORT_FOLDERS, isExportPath } from "./export-path.js";
import { prepareFolder } from "./prepare-folder.js";

/** What an export did to its folder: numbers of files, and bytes of those that were written. */
export interface FolderFacts {
  readonly written: number;
  readonly kept: number;
  readonly removed: number;
  readonly bytes: number;
}

/**
 * The folder of an export. Files come whole or not at all under their names; each stands in the list before it comes, so that a later run knows what is the
 * export's own, also after a kill. What is there already as it should be is left.
 */
export class ExportFolder {
  readonly path: string;
  readonly #marker: Omit<ExportMarker, "complete">;
  readonly #list: FileHandle;
  /** What exports wrote so far, by the list. */
  readonly #listed: Set<string>;
  /** What belongs to this one. */
  readonly #own = new Set<string>();
  readonly #facts = { written: 0, kept: 0, removed: 0, bytes: 0 };

  private constructor(path: string, marker: Omit<ExportMarker, "complete">, list: FileHandle, listed: Set<string>) {
    this.path = path;
    this.#marker = marker;
    this.#list = list;
    this.#listed = listed;
  }

  /** Throws UsageError for a folder that is neither new nor empty nor an export of the same site; what the system says. */
  static async open(path: string, { site, time }: Pick<ExportMarker, "site" | "time">): Promise<ExportFolder> {
    const marker = { format: "guideferry-export", version: 1, site, time } as const;
    const listed = await prepareFolder(path, site);
    await replace(path, MARKER, markerText({ ...marker, complete: false }));
    const list = await open(join(path, FILE_LIST), "a", MODE);
    // The last line of a killed run may have no end.
    await list.write("\n");
    return new ExportFolder(path, marker, list, listed);
  }

  get facts(): FolderFacts {
    return this.#facts;
  }

  /** false: somebody has it in hand, or it is there already. */
  claim(address: string): boolean {
    if (this.#own.has(address)) return false;
    this.#own.add(address);
    return true;
  }

  /** Writes a file, unless it is there with these bytes. Throws what the system says, and TypeError for an address that no export has. */
  async put(address: string, data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const file = await this.#begin(address);
    if ((await sizeOf(file)) === bytes.length && (await readFile(file)).equals(bytes)) this.#facts.kept += 1;
    else await this.#write(file, bytes.length, (temporary) => writeFile(temporary, bytes, { flag: "wx", mode: MODE }));
  }

  /** Writes a file that is named by its content, unless one of the size is there. Throws also what `open` and the stream throw. */
  async putContent(address: string, size: number, open: () => Promise<Readable>): Promise<void> {
    const file = await this.#begin(address);
    if ((await sizeOf(file)) === size) {
      this.#facts.kept += 1;
      return;
    }
    await this.#write(file, size, async (temporary) =>
      pipeline(await open(), createWriteStream(temporary, { flags: "wx", mode: MODE })),
    );
  }

  /** Removes what an earlier export wrote and this one has not, and says that the export is whole. Throws what the system says. */
  async finish(): Promise<void> {
    for (const address of this.#listed) {
      if (this.#own.has(address)) continue;
      await rm(join(this.path, address), { force: true });
      this.#facts.removed += 1;
    }
    for (const folder of EXPORT_FOLDERS.toReversed()) await removeEmpty(join(this.path, folder));
    await replace(
      this.path,
      FILE_LIST,
      [...this.#own].toSorted().map((address) => `${address}\n`),
    );
    await replace(this.path, MARKER, markerText({ ...this.#marker, complete: true }));
  }

  /** Lets go of the folder, whether the export is whole or not. */
  async close(): Promise<void> {
    await this.#list.close();
    await rm(join(this.path, TEMPORARY), { recursive: true, force: true });
  }

  async #begin(address: string): Promise<string> {
    if (!isExportPath(address)) throw new TypeError(`${JSON.stringify(address)} is no address inside of an export`);
    this.#own.add(address);
    if (!this.#listed.has(address)) {
      this.#listed.add(address);
      await this.#list.appendFile(`${address}\n`);
    }
    return join(this.path, address);
  }

  async #write(file: string, size: number, write: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.path, TEMPORARY, randomUUID());
    try {
      await write(temporary);
      await mkdir(dirname(file), { recursive: true });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    this.#facts.written += 1;
    this.#facts.bytes += size;
  }
}

/** A site is made to be served, by whatever user that is done by. */
const MODE = 0o644;

function markerText(marker: ExportMarker): string {
  return `${JSON.stringify(marker, null, 2)}\n`;
}

async function replace(folder: string, name: string, data: string | readonly string[]): Promise<void> {
  const temporary = join(folder, TEMPORARY, randomUUID());
  await writeFile(temporary, data, { flag: "wx", mode: MODE });
  await rename(temporary, join(folder, name));
}

/** undefined: no plain file is there. */
async function sizeOf(file: string): Promise<number | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : undefined;
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!NOT_EMPTY.has(codeOf(error))) throw error;
  }
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
