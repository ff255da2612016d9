import { join } from "node:path";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import type { EntryOrder } from "../../archive/check-in-order.js";
import type { Finding } from "../../archive/finding-list.js";
import { inspectFile } from "../../archive/inspect.js";
import type { ArchiveLimits } from "../../archive/limits.js";
import { refusal } from "../../archive/refusal.js";
import type { ByteSource } from "./byte-source.js";

const TIB = 1024 ** 4;

/**
 * An archive of `export` holds a whole site, large files of blank drawings too: of one entry no ratio is asked, of the whole it is. More entries than
 * the usual limit it may have only as ORDER says.
 */
const LIMITS: Partial<ArchiveLimits> = {
  archiveBytes: 8 * TIB,
  entryBytes: TIB,
  totalBytes: 8 * TIB,
  ratioFrom: Number.POSITIVE_INFINITY,
};

/** README.md of the format, "An archive". The list of entries is what is kept of an open archive, see `entry-table.ts`. */
export const ORDER: EntryOrder = {
  entries: 1_000_000,
  listBytes: 256 * 1024 * 1024,
  sortedBy: (path) => {
    const place = PLACES.findIndex((form) => form.test(path));
    return place < 0 ? undefined : `${place} ${path}`;
  },
};

const PLACES = [
  /^README\.txt$/,
  /^items\/[a-z-]+\/[0-9a-f]{2}\/[A-Za-z0-9_%-]+\.json$/,
  /^media\/[0-9a-f]{2}\/[0-9a-f]{64}(?:\.[A-Za-z0-9_]+)?$/,
  /^items\.ndjson$/,
  /^media\.ndjson$/,
  /^manifest\.json$/,
];

/** The guard of `src/storage/archive` in front of archives that come from somewhere else: each is looked at once, before anything of it is used. */
export class ForeignGuard {
  readonly #passed = new Map<string, readonly Finding[]>();

  /** Throws ArchiveError (exit 6) with all findings for an archive that is refused, and what reading `source` throws. */
  async pass(source: ByteSource, folder: string, name: string): Promise<void> {
    if (this.#passed.has(name)) return;
    const inspection = await inspectFile(source, source.bytes, { limits: LIMITS, order: ORDER });
    if (inspection.isRefused) {
      const { message, findings } = refusal(join(folder, name), inspection);
      throw new ArchiveError(message, { findings, exitCode: EXIT.differences });
    }
    this.#passed.set(name, inspection.findings);
  }

  /** Warnings about an archive that passed. */
  findings(name: string): readonly Finding[] {
    return this.#passed.get(name) ?? [];
  }
}
