const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/**
 * How much the guard lets through. They protect this machine; what a site takes is another matter.
 */
export interface ArchiveLimits {
  /** Bytes of the archive's file. */
  readonly archiveBytes: number;
  /** Entries, folders too. */
  readonly entries: number;
  /** Bytes of one entry, unpacked. */
  readonly entryBytes: number;
  /** Bytes of all entries together, unpacked. */
  readonly totalBytes: number;
  /**
   * Unpacked over packed bytes, for an entry of more than `ratioFrom` bytes and for an archive of
   * more than `totalRatioFrom`.
   */
  readonly ratio: number;
  /** A ratio alone is wrong: harmless small files of one repeated byte pass any. */
  readonly ratioFrom: number;
  /** Many small entries escape `ratioFrom`; this catches their sum. */
  readonly totalRatioFrom: number;
  /** UTF-8 bytes of a path. */
  readonly pathBytes: number;
  /** UTF-8 bytes of one segment of a path: what file systems take. */
  readonly segmentBytes: number;
  /**
   * Bytes that no entry accounts for (before, between, behind): up to this they are looked through,
   * more refuses the archive.
   */
  readonly strayBytes: number;
  /** Findings of each level that are kept, and the first of each code; the rest is counted. */
  readonly findings: number;
}

/** Specification of training modules, section 3.3: proposed defaults. */
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
