import { closeSync, openSync, writeSync } from "node:fs";
import type { Issue, Report } from "../core/model/issue.js";
import { kindOf } from "../core/model/key.js";

/** What was told while bundles were written. */
export interface BundleLosses {
  /**
   * One JSON object a line, as of a load; `keptInSidecar` says that nothing is lost for guideferry.
   */
  readonly file: string;
  /** What is gone, also with the sidecar: of each kind of item by code. */
  readonly losses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly totals: Readonly<Record<Issue["level"], number>>;
  /** What oManual has no place for, and the sidecars keep, by code. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Losses that no sidecar makes good: the bytes were never there. */
const GONE: ReadonlySet<string> = new Set(["media-missing", "media-refused"]);

/**
 * Takes issues into a report as they come, so that memory does not grow with them, and counts them.
 */
export class BundleLossReport {
  readonly #path: string;
  readonly #tell: Report;
  readonly #file: number;
  readonly #totals = { note: 0, loss: 0, error: 0 };
  readonly #losses: Record<string, Record<string, number>> = {};
  readonly #kept: Record<string, number> = {};

  /** `path`: the file, made anew. `tell` gets each issue as well. */
  constructor(path: string, tell: Report) {
    this.#path = path;
    this.#tell = tell;
    this.#file = openSync(path, "w", 0o600);
  }

  /** What the items and the transforms tell, before anything is written. */
  readonly found = (issue: Issue): void => this.#note(issue, false);

  /** What the format can't hold. */
  readonly written = (issue: Issue): void => this.#note(issue, issue.level === "loss" && !GONE.has(issue.code));

  close(): BundleLosses {
    closeSync(this.#file);
    return { file: this.#path, losses: this.#losses, totals: this.#totals, kept: this.#kept };
  }

  #note(issue: Issue, keptInSidecar: boolean): void {
    writeSync(this.#file, `${JSON.stringify({ ...issue, keptInSidecar })}\n`);
    this.#tell(issue);
    if (keptInSidecar) {
      this.#kept[issue.code] = (this.#kept[issue.code] ?? 0) + 1;
      return;
    }
    this.#totals[issue.level] += 1;
    if (issue.level === "note") return;
    const codes = this.#losses[kindOf(issue.key)] ?? {};
    codes[issue.code] = (codes[issue.code] ?? 0) + 1;
    this.#losses[kindOf(issue.key)] = codes;
  }
}
