import type { Readable } from "node:stream";
import type { SiteIdentity } from "./model/identity.js";
import type { Module } from "./model/module.js";

export interface SiteModule {
  readonly id: string;
  readonly title: string;
  /** The import that learners see; null: never published, or not shown. */
  readonly currentImport: string | null;
}

/** An unknown word counts as `running`, until the deadline (training modules, 1.3). */
export type ImportPhase = "created" | "running" | "complete" | "failed" | "cancelled";

export interface SiteImport {
  readonly id: string;
  readonly phase: ImportPhase;
  /** The site's own word for it; empty: none. */
  readonly state: string;
  readonly message: string;
  readonly warnings: readonly string[];
  /** The file name or address of its start; null: not shown. */
  readonly source: string | null;
}

/** A package to send. */
export interface Upload {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** From the start, a new stream at each call. */
  open(): Readable;
}

/** The external training modules of one site. Reads are repeated; a write is sent once. */
export interface ModuleSite {
  readonly name: string;
  /** The first call. Throws FerryError when the site has no modules, or refuses the sign-in. */
  survey(signal: AbortSignal): Promise<SiteIdentity>;
  /** All that the site lists, with drafts if it lists them. */
  modules(signal: AbortSignal): Promise<readonly SiteModule[]>;
  /** The history of a module, as far as the site shows it. */
  imports(module: string, signal: AbortSignal): Promise<readonly SiteImport[]>;
  /** undefined: unknown to the site, or no longer there. */
  progress(importId: string, signal: AbortSignal): Promise<SiteImport | undefined>;
  /** The places that use a module, one line each. */
  usage(module: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Creates a module with an empty draft; returns its id. */
  createModule(title: string, signal: AbortSignal): Promise<string>;
  openDraft(module: string, title: string, signal: AbortSignal): Promise<void>;
  /** Creates a record to upload to; returns its id. */
  createImport(module: string, signal: AbortSignal): Promise<string>;
  startByUpload(importId: string, upload: Upload, signal: AbortSignal): Promise<void>;
  startByUrl(importId: string, url: string, signal: AbortSignal): Promise<void>;
  cancel(importId: string, signal: AbortSignal): Promise<void>;
  /** The address of a preview; null: none. */
  preview(importId: string, signal: AbortSignal): Promise<string | null>;
  /** Shows the draft to learners. May be called again. */
  publish(module: string, signal: AbortSignal): Promise<void>;
}

/**
 * The states of a package in order, each stored before the next call. `…ing`: the call is sent and
 * its answer is unknown.
 */
export const PACKAGE_STEPS = [
  "checked",
  "drafting",
  "drafted",
  "recording",
  "recorded",
  "starting",
  "started",
  "complete",
  "publishing",
  "published",
] as const;

/** Final states besides `published`; `unknown`: the outcome can't be found out. */
export const PACKAGE_ENDS = ["failed", "cancelled", "unknown"] as const;
export type PackageState = (typeof PACKAGE_STEPS)[number] | (typeof PACKAGE_ENDS)[number];

/** The state of one package at one site. The digest is its identity (training modules, 6.3). */
export interface PackageRow {
  /** sha256 over the sorted lines `path NUL size NUL sha256` of the normalised package. */
  readonly digest: string;
  /** sha256 of its manifest: packages with equal manifests share their activities on the site. */
  readonly manifestDigest: string;
  /** Its last location, for people: a path as given, or an address without query. */
  readonly source: string;
  /** `source` in one spelling; packages of one place are versions of one module. */
  readonly place: string;
  readonly module: Module;
  readonly state: PackageState;
  /** Ids on the site; null: not yet. */
  readonly moduleId: string | null;
  readonly importId: string | null;
  /** Did the module exist before this package? Then it is a new version. */
  readonly isNewVersion: boolean;
  /** Ids before `drafting` or `recording`, to find the new one after a crash. */
  readonly before: readonly string[];
  /** The reason for its end; empty: not ended. */
  readonly reason: string;
  readonly warnings: readonly string[];
  /** UNIX milliseconds of the last change, and of the start of the import (0: not started). */
  readonly changed: number;
  readonly started: number;
}

/** The memory of the imports into one site. Every write is durable when it resolves. */
export interface ModuleJournal {
  row(digest: string): Promise<PackageRow | undefined>;
  /** The last import from this place, which decides between a new version and a new module. */
  lastFrom(place: string): Promise<PackageRow | undefined>;
  ofModule(moduleId: string): Promise<readonly PackageRow[]>;
  /** A few others with an equal manifest, or with the same identifier and another title. */
  alike(row: Pick<PackageRow, "digest" | "manifestDigest" | "module">): Promise<readonly PackageRow[]>;
  /** All, in the order of their sources. */
  rows(): AsyncIterable<PackageRow>;
  put(row: PackageRow): Promise<void>;
  /** Does it list unpublished modules? Learned from a created draft; undefined: unknown. */
  listsDrafts(): Promise<boolean | undefined>;
  learnListsDrafts(lists: boolean): Promise<void>;
}
