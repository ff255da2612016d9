import type { Module } from "../../src/core/model/module.js";
import type { XmlElement } from "../xml/xml-document.js";
import type { FindingCollector, TrainingFinding } from "./findings.js";
import type { FileIndex } from "./package-files.js";

/** Replaces an attribute's value between its quotes, or an element's first text. */
export interface XmlEdit {
  /** The place of the element's `<`. */
  readonly line: number;
  readonly column: number;
  /** As written, with its prefix; null: the text. */
  readonly attribute: string | null;
  change(written: string): string;
}

export interface Validation {
  readonly findings: FindingCollector;
  /** null: the manifest came alone, and files are not checked. */
  readonly files: FileIndex | null;
  readonly fixCase: boolean;
  readonly external: Set<string>;
  readonly edits: XmlEdit[];
  /** By the written field of a course file. */
  readonly fieldEdits: Map<string, (written: string) => string>;
  readonly repaired: Map<string, number>;
}

export function startValidation(findings: FindingCollector, files: FileIndex | null, fixCase = false): Validation {
  return { findings, files, fixCase, external: new Set(), edits: [], fieldEdits: new Map(), repaired: new Map() };
}

/** Makes a package acceptable without changing its content; the original is kept. */
export interface Repair {
  /** The code of the repaired finding. */
  readonly code: string;
  readonly path: string;
  /** One clause: `"Q&A" became "Q&amp;A" in line 7`. */
  readonly what: string;
}

export interface ValidationResult {
  /** null: refused before its meaning was known. */
  readonly module: Module | null;
  /** Without those of the archive guard. Errors first, at most 200 of each level. */
  readonly findings: readonly TrainingFinding[];
  /** Findings beyond those. */
  readonly findingsLeft: number;
  /** The wrapper folder, with a slash at its end; empty: none. */
  readonly root: string;
  readonly manifests: readonly string[];
  /** null: it came with its files. */
  readonly lone: "package" | "manifest-only" | null;
  readonly rewritten: ReadonlyMap<string, Uint8Array>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly repairs: readonly Repair[];
}

export type Change = (written: string) => string;

/** Counts a change only if it has an effect. */
export function noteChange(
  code: string,
  change: Change,
  repair: (change: Change) => void,
  { repaired }: Validation,
): void {
  repair((written) => {
    const changed = change(written);
    if (changed !== written) repaired.set(code, (repaired.get(code) ?? 0) + 1);
    return changed;
  });
}

/** `attribute` as written, with its prefix; null: the element's text. */
export function noteXmlChange(
  { line, column }: XmlElement,
  attribute: string | null,
  { edits }: Validation,
): (change: (written: string) => string) => void {
  return (change) => {
    edits.push({ line, column, attribute, change });
  };
}
