import type { Module } from "../../src/core/model/module.js";
import type { TrainingFinding } from "./training-finding.js";

/** A change that makes a package acceptable without changing what it teaches; the original is kept beside. */
export interface Repair {
  /** The code of the finding that it mends. */
  readonly code: string;
  readonly path: string;
  /** What is done, one clause: `"Q&A" became "Q&amp;A" in line 7`. */
  readonly what: string;
}

/** What a package means, and what is wrong with it. */
export interface Judgement {
  /** null: refused before its meaning was known. */
  readonly module: Module | null;
  /** Of the package; those of the archive are the guard's. Errors first, at most 200 of each level. */
  readonly findings: readonly TrainingFinding[];
  /** Findings beyond those. */
  readonly findingsLeft: number;
  /** The wrapper folder that all lies in, with a slash at its end; empty: none. */
  readonly root: string;
  /** The manifest's path, or the paths of an AICC set: as they stand in the archive. */
  readonly manifests: readonly string[];
  /** What a file without an archive is: a package by itself, or a manifest whose content is missing; null: it came with its files. */
  readonly lone: "package" | "manifest-only" | null;
  /** New contents for files that need a repair, by path in the archive; minimal changes of text. */
  readonly rewritten: ReadonlyMap<string, Uint8Array>;
  /** New paths for files whose name is wrong, by path in the archive. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly repairs: readonly Repair[];
}
