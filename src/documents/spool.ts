import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, FerryError, WorkspaceError } from "../core/errors.js";
import type { Item } from "../core/model/item.js";

/** Where an item lies in a spool. */
export interface SpoolPlace {
  readonly start: number;
  readonly length: number;
}

/**
 * Items in a file, one behind the other: a format gives them in its own order, a source is asked for them in another, and all of
 * them are too many for the memory. The file goes away with the run.
 */
export class ItemSpool {
  readonly #handle: FileHandle;
  readonly #path: string;
  #end = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** `folder`: one whose content nobody keeps; made when it is not there. */
  static async open(folder: string): Promise<ItemSpool> {
    const path = join(folder, `documents-${process.pid}-${Date.now()}.ndjson`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return new ItemSpool(await open(path, "wx+", 0o600), path);
    } catch (error) {
      throw diskFailed(path, error);
    }
  }

  async add(item: Item): Promise<SpoolPlace> {
    const bytes = Buffer.from(`${JSON.stringify(item)}\n`);
    const start = this.#end;
    this.#end += bytes.length;
    try {
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, start + written);
        written += bytesWritten;
      }
    } catch (error) {
      throw diskFailed(this.#path, error);
    }
    return { start, length: bytes.length };
  }

  /** The item at a place that `add` gave. */
  async get({ start, length }: SpoolPlace): Promise<Item> {
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.#handle
        .read(bytes, read, length - read, start + read)
        .catch((error: unknown) => {
          throw diskFailed(this.#path, error);
        });
      if (bytesRead === 0) throw new FerryError(`${this.#path} was cut while it was in use.`);
      read += bytesRead;
    }
    return JSON.parse(bytes.toString("utf8")) as Item;
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

function diskFailed(path: string, cause: unknown): WorkspaceError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new WorkspaceError(
    `Items of the documents could not be kept in ${path}: ${reason}. Make room there or check the disk, then run the same command again.`,
    { cause, exitCode: EXIT.stopped },
  );
}
