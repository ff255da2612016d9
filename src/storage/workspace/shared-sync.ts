import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Returns when what was written to a file before the call is on the disk. */
export type SyncFile = (file: string) => Promise<void>;

/**
 * Waits for the disk without holding up the process. Those who ask while a wait is under way share the next one, since what they wrote may have come
 * too late for this one.
 */
export class SharedSync {
  readonly #file: string;
  readonly #syncFile: SyncFile;
  /** The one that was started last. */
  #latest: Promise<void> = Promise.resolve();
  /** The one that is started when that is over. */
  #next: Promise<void> | undefined;

  constructor(file: string, syncFile: SyncFile = syncData) {
    this.#file = file;
    this.#syncFile = syncFile;
  }

  /**
   * Fulfilled when all that was written before the call is on the disk. Once it failed it fails for ever: the system may drop what it could not
   * write, and tells that only once.
   */
  sync(): Promise<void> {
    this.#next ??= this.#startAfter(this.#latest);
    return this.#next;
  }

  async #startAfter(latest: Promise<void>): Promise<void> {
    await latest;
    this.#latest = this.#next ?? latest;
    this.#next = undefined;
    await this.#syncFile(this.#file);
  }
}

const syncHandle = promisify(fdatasync);

/** A handle of its own syncs what others wrote too. Windows wants one that may write. */
async function syncData(file: string): Promise<void> {
  const handle = openSync(file, "r+");
  try {
    await syncHandle(handle);
  } finally {
    closeSync(handle);
  }
}
