/** Names that passed the archive guard, and unpacked sizes in bytes. */
export interface PackageFiles {
  /** Files only, none of file managers: relative, with `/`, NFC, in the order of code points. */
  readonly paths: readonly string[];
  size(path: string): number;
}

interface FoundFile {
  readonly path: string;
  /** Whether the letter case is that of the manifest. */
  readonly isExact: boolean;
}

export class FileIndex {
  readonly root: string;
  readonly #paths: readonly string[];
  readonly #exact: ReadonlySet<string>;
  /** Built on first use: most manifests are exact. */
  #folded: ReadonlyMap<string, string> | undefined;

  constructor(files: PackageFiles, root: string) {
    this.root = root;
    this.#paths = files.paths;
    this.#exact = new Set(files.paths);
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  /** The first existing path below the root; exact paths first. */
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

/** What identifies a package (training modules, 2.1). */
export type Marker = "cmi5" | "scorm" | "tincan" | "aicc";

export const MANIFEST_NAMES: ReadonlyMap<string, Exclude<Marker, "aicc">> = new Map([
  ["cmi5.xml", "cmi5"],
  ["imsmanifest.xml", "scorm"],
  ["tincan.xml", "tincan"],
]);

/** Mandatory course files of AICC. */
export const AICC_ENDINGS = ["crs", "au", "des", "cst"] as const;
export type AiccEnding = (typeof AICC_ENDINGS)[number];

export type AiccSet = Readonly<Record<AiccEnding, string | null>>;

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `assessment` of `course/Assessment.au`, since course files differ in letter case. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
}

/** `au` of `A.AU`; empty: none. */
export function endingOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}
