import { createHash, type Hash } from "node:crypto";
import { ftruncateSync, writeSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, FerryError, WorkspaceError } from "../../core/errors.js";
import { MediaEnd } from "./media-end.js";
import { storageError } from "./storage-error.js";

/** Why a file is not taken as whole: all bytes came that the host wanted to send, and they are not all that there should be. */
export class EndsEarly extends Error {
  override readonly name = "EndsEarly";
  /** The sha256 of what came. */
  readonly sha256: string;

  /** `what`: what the bytes lack, as the end of a sentence. */
  constructor(what: string, size: number, sha256: string) {
    super(`The host announced no length, and the ${size} bytes that came ${what}.`);
    this.sha256 = sha256;
  }
}

/** A media file on its way in: what has arrived so far, over several tries. */
export class IncomingFile {
  readonly #descriptor: number;
  readonly #path: string;
  #hash: Hash = createHash("sha256");
  #end = new MediaEnd();
  #size = 0;
  /** Bytes of the whole, as the last answer said. */
  #announced: number | null = null;
  readonly #told: () => Promise<number | undefined>;

  /** `told`: the bytes of the whole as somebody else than the host tells, see MediaStore.receive. Default: nobody does. */
  constructor(descriptor: number, path: string, told: () => Promise<number | undefined> = async () => undefined) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#told = told;
  }

  /** Bytes that have arrived and are good: where the next try goes on. */
  get size(): number {
    return this.#size;
  }

  /** The sha256 of them. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Do they stop before the end of their format, as far as it is known? */
  get endsEarly(): boolean {
    return this.#end.cutFormat !== undefined;
  }

  /**
   * Adds what an answer brings. Returns why it isn't whole now, or undefined when it is. Throws what another try can't help:
   * an empty file, a full disk, an aborted signal.
   */
  async take(opened: Opened, signal: AbortSignal, onBytes: (count: number) => void): Promise<Error | undefined> {
    const refused = this.#start(opened);
    if (refused !== undefined) return refused;
    try {
      for await (const piece of addAbortSignal(signal, opened.content)) {
        // Some streams give text.
        this.#append(typeof piece === "string" ? Buffer.from(piece) : piece);
        onBytes(piece.length);
      }
    } catch (error) {
      signal.throwIfAborted();
      return cutOf(error);
    }
    return this.#judge();
  }

  /** Goes on behind what is there, or anew where the answer begins at 0; any other answer is of no use. */
  #start(opened: Opened): Error | undefined {
    const isSameFile = opened.size === null || this.#announced === null || opened.size === this.#announced;
    if (opened.size === 0) {
      discard(opened.content);
      throw new ConnectionError("The host announced an empty file (Content-Length: 0), which is never stored.", {
        retriable: false,
      });
    }
    if (opened.from !== 0 && (opened.from !== this.#size || !isSameFile)) {
      discard(opened.content);
      this.#startAnew();
      return new Error("The host answered with another part, or the file changed there meanwhile.");
    }
    if (opened.from === 0 && this.#size > 0) this.#startAnew();
    this.#announced = opened.size ?? this.#announced;
    return undefined;
  }

  #startAnew(): void {
    this.#hash = createHash("sha256");
    this.#end = new MediaEnd();
    this.#size = 0;
    this.#announced = null;
    ftruncateSync(this.#descriptor, 0);
  }

  #append(piece: Uint8Array): void {
    try {
      for (let written = 0; written < piece.length; ) {
        // A nearly full disk takes a part; the rest then fails with the reason.
        const rest = piece.length - written;
        written += writeSync(this.#descriptor, piece, written, rest, this.#size + written);
      }
    } catch (error) {
      throw storageError(error, `writing ${this.#path}`);
    }
    this.#hash.update(piece);
    this.#end.push(piece);
    this.#size += piece.length;
  }

  async #judge(): Promise<Error | undefined> {
    const { size } = this;
    const announced = this.#announced;
    if (size === 0) return new Error("Nothing came at all.");
    if (announced === null) {
      const lack = await this.#lack();
      return lack === undefined ? undefined : new EndsEarly(lack, size, this.digest());
    }
    if (size === announced) return undefined;
    if (size > announced) this.#startAnew();
    return new Error(`${size} bytes came where ${announced} were announced.`);
  }

  /** What a file without a length lacks, for people; undefined: nothing that is known. More bytes than are told are no lack. */
  async #lack(): Promise<string | undefined> {
    const format = this.#end.cutFormat;
    if (format !== undefined) return `stop before the end of the ${format} file`;
    const told = await this.#told();
    return told !== undefined && this.#size < told ? `are fewer than the ${told} that the site tells` : undefined;
  }
}

/** The reason why the bytes stopped; throws it when another try can't help. */
function cutOf(error: unknown): Error {
  if (error instanceof WorkspaceError || (error instanceof FerryError && !error.retriable)) throw error;
  return error instanceof Error ? error : new Error(String(error));
}

function discard(content: Readable): void {
  // Some streams report their own destruction as an error; unheard it would end the process.
  content.once("error", () => undefined);
  content.destroy();
}
