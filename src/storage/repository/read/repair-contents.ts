import { createHash } from "node:crypto";
import type { ArchivePool } from "./archive-pool.js";
import { isDamage } from "./damage.js";

/** Where a repair archive has a content. */
export interface RepairedPlace {
  readonly archive: string;
  readonly path: string;
}

/** An entry of a repair archive is named by the sha256 of its content; any other is read once to know it. */
const NAMED = /(?:^|\/)([0-9a-f]{64})(?:\.[^/]*)?$/;

/** The contents of repair archives by sha256, the newest first asked; looked up once, when the first is wanted. */
export class RepairContents {
  readonly #pool: ArchivePool;
  readonly #archives: readonly string[];
  #places: Promise<ReadonlyMap<string, RepairedPlace>> | undefined;
  readonly #unreadable: string[] = [];

  /** Oldest first. */
  constructor(pool: ArchivePool, archives: readonly string[]) {
    this.#pool = pool;
    this.#archives = archives;
  }

  async find(sha256: string): Promise<RepairedPlace | undefined> {
    if (this.#archives.length === 0) return undefined;
    this.#places ??= this.#read();
    return (await this.#places).get(sha256);
  }

  /** Repair archives that are damaged themselves; known after the first `find`. */
  get unreadable(): readonly string[] {
    return this.#unreadable;
  }

  async #read(): Promise<ReadonlyMap<string, RepairedPlace>> {
    const places = new Map<string, RepairedPlace>();
    for (const archive of this.#archives) {
      try {
        await this.#pool.use(archive, async ({ entries, content }) => {
          for (const { path } of entries) {
            places.set(NAMED.exec(path)?.[1] ?? (await hashOf(content(path))), { archive, path });
          }
        });
      } catch (error) {
        // The other archives may still have what is wanted; verify tells of this one.
        if (!isDamage(error)) throw error;
        this.#unreadable.push(archive);
      }
    }
    return places;
  }
}

async function hashOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
