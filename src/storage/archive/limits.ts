const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** What the guard accepts. The limits protect this machine; the limits of a site are separate. */
export interface ArchiveLimits {
  /** Bytes of the file. */
  readonly archiveBytes: number;
  /** Entries, with folders. */
  readonly entries: number;
  /** Unpacked bytes of one entry. */
  readonly entryBytes: number;
  /** Unpacked bytes of all entries. */
  readonly totalBytes: number;
  /**
   * Unpacked bytes divided by packed bytes, for an entry of more than `ratioFrom` bytes and for an
   * archive of more than `totalRatioFrom`.
   */
  readonly ratio: number;
  /** Small harmless files of one repeated byte exceed any ratio. */
  readonly ratioFrom: number;
  /** Limits the sum of many entries that are smaller than `ratioFrom`. */
  readonly totalRatioFrom: number;
  /** UTF-8 bytes of a path. */
  readonly pathBytes: number;
  /** UTF-8 bytes of one segment of a path: the limit of file systems. */
  readonly segmentBytes: number;
  /** Bytes that belong to no entry. Up to this they are searched; more refuse the archive. */
  readonly strayBytes: number;
  /** Findings kept for each level, next to the first of each code; the rest is counted. */
  readonly findings: number;
}

/** The defaults that the specification of training modules proposes, section 3.3. */
export const DEFAULT_LIMITS: ArchiveLimits = {
  archiveBytes: 5 * GIB,
  entries: 20_000,
  entryBytes: 4 * GIB,
  totalBytes: 8 * GIB,
  ratio: 200,
  ratioFrom: 8 * MIB,
  totalRatioFrom: 64 * MIB,
  pathBytes: 1024,
  segmentBytes: 255,
  strayBytes: MIB,
  findings: 200,
};
