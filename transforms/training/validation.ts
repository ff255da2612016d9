import type { Module } from "../../src/core/model/module.js";
import type { XmlElement } from "../xml/xml-document.js";
import type { XmlEdit } from "./edit-xml.js";
import type { FindingCollector, TrainingFinding } from "./findings.js";
import type { FileIndex } from "./package-files.js";

/** What is gathered while one package is judged; everything else is passed as values. */
export interface Validation {
  readonly findings: FindingCollector;
  /** null: the manifest came without its files, and nothing is said about those. */
  readonly files: FileIndex | null;
  readonly fixCase: boolean;
  /** Addresses of the web, each once, in their order. */
  readonly external: Set<string>;
  /** Changes of the manifest's text that are wanted. */
  readonly edits: XmlEdit[];
  /** Changes of fields of a course file, by the field as it stands there. */
  readonly fieldEdits: Map<string, (written: string) => string>;
  /** Addresses that the edits mend, by code. */
  readonly mended: Map<string, number>;
}

export function startValidation(findings: FindingCollector, files: FileIndex | null, fixCase = false): Validation {
  return { findings, files, fixCase, external: new Set(), edits: [], fieldEdits: new Map(), mended: new Map() };
}

/**
 * A change that makes a package acceptable without changing what it teaches; the original is kept
 * beside.
 */
export interface Repair {
  /** The code of the finding that it mends. */
  readonly code: string;
  readonly path: string;
  /** What is done, one clause: `"Q&A" became "Q&amp;A" in line 7`. */
  readonly what: string;
}

/** What a package means, and what is wrong with it. */
export interface ValidationResult {
  /** null: refused before its meaning was known. */
  readonly module: Module | null;
  /**
   * Of the package; those of the archive are the guard's. Errors first, at most 200 of each level.
   */
  readonly findings: readonly TrainingFinding[];
  /** Findings beyond those. */
  readonly findingsLeft: number;
  /** The wrapper folder that all lies in, with a slash at its end; empty: none. */
  readonly root: string;
  /** The manifest's path, or the paths of an AICC set: as they stand in the archive. */
  readonly manifests: readonly string[];
  /**
   * What a file without an archive is: a package by itself, or a manifest whose content is missing;
   * null: it came with its files.
   */
  readonly lone: "package" | "manifest-only" | null;
  /** New contents for files that need a repair, by path in the archive; minimal changes of text. */
  readonly rewritten: ReadonlyMap<string, Uint8Array>;
  /** New paths for files whose name is wrong, by path in the archive. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly repairs: readonly Repair[];
}

export type Change = (written: string) => string;

/**
 * Hands a change of an address on to where it is written. Only what is changed in the end is
 * counted: it may find nothing to do.
 */
export function noteChange(code: string, change: Change, mend: (change: Change) => void, { mended }: Validation): void {
  mend((written) => {
    const changed = change(written);
    if (changed !== written) mended.set(code, (mended.get(code) ?? 0) + 1);
    return changed;
  });
}

/**
 * Takes note of changes of an attribute (as written, with its prefix), or of an element's text
 * (null).
 */
export function noteXmlChange(
  { line, column }: XmlElement,
  attribute: string | null,
  { edits }: Validation,
): (change: (written: string) => string) => void {
  return (change) => {
    edits.push({ line, column, attribute, change });
  };
}
