import type { Repair, ValidationResult } from "../../transforms/training/validation.js";
import type { Files } from "../core/formats.js";
import type { Module } from "../core/model/module.js";
import type { PackageState } from "../core/training.js";

/**
 * What is said of a package as a whole: refused with one error, accepted with a warning, or
 * accepted without a word.
 */
export type Verdict = "accept" | "accept-with-warning" | "refuse";

export interface PackageFinding {
  /**
   * `E_ZIP_CRC`, `W_MAN_FILE_MISSING`: docs/design/archive.md and
   * transforms/training/README.md have them all.
   */
  readonly code: string;
  /** As the profile has it: an error refuses the package. */
  readonly level: "error" | "warning";
  /** An entry, or `imsmanifest.xml:12:5`; null: the package as a whole. Printable. */
  readonly place: string | null;
  readonly detail: string;
  readonly remedy: string;
}

export interface CheckedPackage {
  /** As it was given, or found below what was given: a path, or an address without its query. */
  readonly file: string;
  readonly verdict: Verdict;
  readonly findings: readonly PackageFinding[];
  readonly findingsLeft: number;
  /** null: refused before its meaning was known. */
  readonly module: Module | null;
  /** Changes that normalising makes, beside order, dates and names. */
  readonly repairs: readonly Repair[];
  /** Bytes of the file as given; of a folder, of its files together. */
  readonly bytes: number;
  /**
   * A single XML file: a package by itself, or a manifest that came without its files and can't be
   * imported.
   */
  readonly lone: ValidationResult["lone"];
}

export interface OpenPackage {
  readonly checked: CheckedPackage;
  /** null: it is refused, or a manifest alone; nothing of it may be used. */
  readonly content: PackageContent | null;
  close(): Promise<void>;
}

export interface PackageContent {
  readonly files: Files;
  readonly validation: ValidationResult;
}

export interface FoundPackage {
  /**
   * What messages, reports and the journal call it: the path as given or found, or the address
   * without query and fragment.
   */
  readonly source: string;
  /**
   * Where it lies on this machine: a file, or the folder of an unpacked package; null: it has to be
   * fetched from `url`.
   */
  readonly path: string | null;
  readonly url: string | null;
  /** The module that a list wants it to be a new version of; null: not told. */
  readonly module: string | null;
}

export interface PreparedPackage {
  readonly checked: CheckedPackage;
  /** null: it is refused, or a manifest alone. */
  readonly normalised: NormalisedPackage | null;
  /** Lets go of what is open. May be called again. */
  close(): Promise<void>;
}

/** The normalised form of a package (training modules, 6.2), before it is written anywhere. */
export interface NormalisedPackage {
  /**
   * sha256 over the sorted lines `path NUL size NUL sha256` of its files: the package's identity
   * (training modules, 6.3).
   */
  readonly digest: string;
  /** sha256 of its manifest, for telling packages with equal manifests and other contents. */
  readonly manifestDigest: string;
  readonly contentBytes: number;
  /**
   * The file as given holds exactly these files under these names, so that it may be sent, or
   * fetched by the site, as it is.
   */
  readonly isAsGiven: boolean;
  /**
   * Writes the archive; whole, synced and under its name, or not at all. Gives its size in bytes.
   */
  write(path: string, signal: AbortSignal): Promise<number>;
}

export const ACTIONS = ["new-module", "new-version", "go-on", "publish", "unchanged", "same-as", "refused"] as const;
export type Action = (typeof ACTIONS)[number];

export interface PackageResult {
  readonly checked: CheckedPackage;
  /** null: refused before it could be known. */
  readonly digest: string | null;
  readonly action: Action;
  /** Where it stands at the site; null: nothing of it is there, or nothing was to be done. */
  readonly state: PackageState | null;
  readonly moduleId: string | null;
  readonly importId: string | null;
  /**
   * Why it is not there, or why nobody knows; empty: all is well. One sentence that says what to
   * do.
   */
  readonly reason: string;
  /**
   * What a person should know besides: a module of the same title, where the module is used, the
   * preview, the site's warnings.
   */
  readonly notes: readonly string[];
}
