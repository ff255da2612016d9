/**
 * The files of a package by their names, as they passed the archive guard; sizes in bytes,
 * unpacked.
 */
export interface PackageFiles {
  /**
   * Every file, no folders, without what file managers leave: relative, `/` between segments, NFC,
   * in the order of code points.
   */
  readonly paths: readonly string[];
  size(path: string): number;
}

/** How a name was found. */
interface FoundFile {
  /** As it stands in the archive. */
  readonly path: string;
  /** In the letter case of the manifest. */
  readonly isExact: boolean;
}

/** The files of a package by their paths below its root. */
export class FileIndex {
  readonly root: string;
  readonly #paths: readonly string[];
  readonly #exact: ReadonlySet<string>;
  /** Made when it is first needed: most manifests are exact. */
  #folded: ReadonlyMap<string, string> | undefined;

  constructor(files: PackageFiles, root: string) {
    this.root = root;
    this.#paths = files.paths;
    this.#exact = new Set(files.paths);
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  /**
   * The first of some paths below the root that is there: each exactly, then in any letter case.
   */
  find(below: readonly string[]): FoundFile | undefined {
    const exact = below.map((path) => this.root + path).find((path) => this.#exact.has(path));
    if (exact !== undefined) return { path: exact, isExact: true };
    for (const path of below) {
      const folded = this.#fold().get(fold(this.root + path));
      if (folded !== undefined) return { path: folded, isExact: false };
    }
    return undefined;
  }

  #fold(): ReadonlyMap<string, string> {
    this.#folded ??= new Map(this.#paths.map((path) => [fold(path), path]));
    return this.#folded;
  }
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** What a package is recognised by (training modules, 2.1). */
export type Marker = "cmi5" | "scorm" | "tincan" | "aicc";

/** The manifests that are one file each, by their exact names. */
export const MANIFEST_NAMES: ReadonlyMap<string, Exclude<Marker, "aicc">> = new Map([
  ["cmi5.xml", "cmi5"],
  ["imsmanifest.xml", "scorm"],
  ["tincan.xml", "tincan"],
]);

/** The four mandatory course files of AICC, by their endings. */
export const AICC_ENDINGS = ["crs", "au", "des", "cst"] as const;
export type AiccEnding = (typeof AICC_ENDINGS)[number];

/** The course files of one folder. */
export type AiccSet = Readonly<Record<AiccEnding, string | null>>;

/** `folder/` of `folder/name`, empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `assessment` of `course/Assessment.au`: small letters, since course files differ in theirs. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
}

/** `au` of `A.AU`; empty where there is none. */
export function endingOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}
