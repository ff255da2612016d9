import { type FileHandle, open } from "node:fs/promises";
import { diskError } from "../../storage/archive/disk-error.js";

/** Characters that are gathered before they are written. */
const PIECE = 64 * 1024;

/** A text file for its owner alone, written from its start; calls may overlap, their texts come in the order of the calls. */
export class TextFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting = "";
  #written: Promise<void> = Promise.resolve();

  /** Opens it, and empties it where it is there. Throws ArchiveError when the disk refuses. */
  static async open(path: string): Promise<TextFile> {
    try {
      const handle = await open(path, "w", 0o600);
      // It may have been there with another mode.
      await handle.chmod(0o600);
      return new TextFile(path, handle);
    } catch (error) {
      throw diskError(error, `writing ${path}`);
    }
  }

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Resolves when it may be forgotten: it is written, or waits with less than a piece. Throws ArchiveError when the disk fails. */
  async write(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE) await this.flush();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    // After a failure every later call fails with it too: nothing may be missing in the middle.
    this.#written = this.#written.then(() => this.#append(text));
    return this.#written;
  }

  /** Writes what waits, and closes the file, whatever happens. May be called once. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #append(text: string): Promise<void> {
    try {
      await this.#handle.appendFile(text);
    } catch (error) {
      throw diskError(error, `writing ${this.path}`);
    }
  }
}
