import type { MediaRow, Place } from "../archive/repository/format.js";

interface Kept {
  readonly size: number;
  readonly archive: string;
  readonly path: string;
}

/**
 * Where the media of a snapshot lie. Read whole at the first question: in the list each one would be looked for from its beginning on, and a page shows twenty.
 */
export class MediaTable {
  readonly #rows: () => AsyncIterable<readonly MediaRow[]>;
  #kept: Promise<ReadonlyMap<string, Kept>> | undefined;

  constructor(rows: () => AsyncIterable<readonly MediaRow[]>) {
    this.#rows = rows;
  }

  /** Throws ArchiveError (exit 6) when the list is damaged. */
  async find(sha256: string): Promise<Place | undefined> {
    this.#kept ??= this.#read();
    const kept = (await this.#kept).get(sha256);
    return kept === undefined ? undefined : { sha256, ...kept };
  }

  async #read(): Promise<ReadonlyMap<string, Kept>> {
    const kept = new Map<string, Kept>();
    const archives = new Map<string, string>();
    for await (const rows of this.#rows()) {
      for (const { sha256, size, archive, path } of rows) {
        const name = archives.get(archive) ?? archive;
        archives.set(name, name);
        kept.set(sha256, { size, archive: name, path });
      }
    }
    return kept;
  }
}
