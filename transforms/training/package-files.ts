/** The files of a package by their names, as they passed the archive guard; sizes in bytes, unpacked. */
export interface PackageFiles {
  /** Every file, no folders, without what file managers leave: relative, `/` between segments, NFC, in the order of code points. */
  readonly paths: readonly string[];
  size(path: string): number;
}
