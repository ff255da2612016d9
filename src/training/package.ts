import type { Repair, ValidationResult } from "../../transforms/training/validation.js";
import type { Files } from "../core/formats.js";
import type { Module } from "../core/model/module.js";
import type { PackageState } from "../core/training.js";

/** One error refuses a package. */
export type Verdict = "accept" | "accept-with-warning" | "refuse";

export interface PackageFinding {
  /** `E_ZIP_CRC`, `W_MAN_FILE_MISSING`: docs/reference/issue-codes.md lists the codes. */
  readonly code: string;
  /** From the profile; an error refuses the package. */
  readonly level: "error" | "warning";
  /** An entry, or `imsmanifest.xml:12:5`; null: the whole package. Printable. */
  readonly place: string | null;
  readonly detail: string;
  readonly remedy: string;
}

export interface CheckedPackage {
  /** The path as given or found, or the address without its query. */
  readonly file: string;
  readonly verdict: Verdict;
  readonly findings: readonly PackageFinding[];
  readonly findingsLeft: number;
  /** null: refused before its manifest was read. */
  readonly module: Module | null;
  /** Changes of the normalised form, other than order, dates and names. */
  readonly repairs: readonly Repair[];
  /** Bytes of the given file, or of all files of a folder. */
  readonly bytes: number;
  /** A single XML file: a package, or a manifest without its files, which can't be imported. */
  readonly lone: ValidationResult["lone"];
}

export interface OpenPackage {
  readonly checked: CheckedPackage;
  /** null: refused, or a manifest without its files. */
  readonly content: PackageContent | null;
  close(): Promise<void>;
}

export interface PackageContent {
  readonly files: Files;
  readonly validation: ValidationResult;
}

export interface FoundPackage {
  /** For messages, reports and the journal: the path as given or found, or see `sourceOf`. */
  readonly source: string;
  /** A file, or the folder of an unpacked package; null: fetch it from `url`. */
  readonly path: string | null;
  readonly url: string | null;
  /** The module that it becomes a new version of, from a list; null: not given. */
  readonly module: string | null;
}

export interface PreparedPackage {
  readonly checked: CheckedPackage;
  /** null: refused, or a manifest without its files. */
  readonly normalised: NormalisedPackage | null;
  /** May be called again. */
  close(): Promise<void>;
}

/** The normalised form of a package (training modules, 6.2), before it is written. */
export interface NormalisedPackage {
  /** Identifies the package: sha256 of the sorted lines of its files (training modules, 6.3). */
  readonly digest: string;
  /** sha256 of its manifest, to find packages with equal manifests and other contents. */
  readonly manifestDigest: string;
  readonly contentBytes: number;
  /** The given archive has exactly these files and names, so the site may fetch it unchanged. */
  readonly isAsGiven: boolean;
  /** Writes the archive in one step, synced to the disk. Returns its size in bytes. */
  write(path: string, signal: AbortSignal): Promise<number>;
}

export const ACTIONS = ["new-module", "new-version", "go-on", "publish", "unchanged", "same-as", "refused"] as const;
/** What an import does with a package. */
export type Action = (typeof ACTIONS)[number];

export interface PackageResult {
  readonly checked: CheckedPackage;
  /** null: refused before it was known. */
  readonly digest: string | null;
  readonly action: Action;
  /** Its state on the site; null: not on the site, or nothing to do. */
  readonly state: PackageState | null;
  readonly moduleId: string | null;
  readonly importId: string | null;
  /** Why it was not imported, or its state is unknown, and what to do; empty: no problem. */
  readonly reason: string;
  /** Remarks: a module of the same title, where the module is used, the preview, warnings. */
  readonly notes: readonly string[];
}
