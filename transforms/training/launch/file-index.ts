import type { PackageFiles } from "../package-files.js";

/** How a name was found. */
export interface FoundFile {
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

  /** The first of some paths below the root that is there: each exactly, then in any letter case. */
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
