import type { MediaRow, Place } from "../../storage/repository/format.js";
import { NameList } from "./name-list.js";
import { PackedRecords } from "./packed-records.js";

type Kept = readonly [size: number, archive: number, path: string];

/**
 * Where the media of a snapshot lie. Read whole at the first question: in the list each one would be looked for from its beginning on, and a page shows twenty.
 */
export class MediaTable {
  readonly #rows: () => AsyncIterable<readonly MediaRow[]>;
  readonly #archives = new NameList();
  #kept: Promise<PackedRecords<Kept>> | undefined;

  constructor(rows: () => AsyncIterable<readonly MediaRow[]>) {
    this.#rows = rows;
  }

  /** Throws ArchiveError (exit 6) when the list is damaged. */
  async find(sha256: string): Promise<Place | undefined> {
    this.#kept ??= this.#read();
    const kept = (await this.#kept).find(sha256);
    if (kept === undefined) return undefined;
    const [size, archive, path] = kept;
    return { sha256, size, archive: this.#archives.at(archive), path };
  }

  async #read(): Promise<PackedRecords<Kept>> {
    const kept = new PackedRecords<Kept>();
    for await (const rows of this.#rows())
      for (const { sha256, size, archive, path } of rows)
        kept.add(sha256, [size, this.#archives.numberOf(archive), path]);
    return kept;
  }
}
