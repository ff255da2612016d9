import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { ModuleJournal } from "../../../../src/core/training.js";
import { type Fault, type Sandbox, startSandbox } from "../../../../src/sandbox/index.js";
import { marker } from "../../../../src/training/import/import-run.js";
import type { FoundPackage } from "../../../../src/training/package.js";
import { aiccPackage } from "../../../helpers/training-packages.js";
import { importInto, type RunOptions, rowsOf } from "./imports.js";
import { cmi5, type Shelf, scorm, shelfIn, xapi } from "./packages.js";

/**
 * Where a run is killed: at the how-manieth request, done or not, or at the how-manieth row of the
 * journal, written or not.
 */
export interface Kill {
  readonly at: "request" | "row";
  readonly nth: number;
  /** Did it come about? */
  readonly done: boolean;
  readonly concurrency?: number;
}

/** What is left when all is over, without numbers that depend on the order. */
export interface Left {
  readonly site: unknown;
  readonly journal: readonly { readonly source: string }[];
}

/** Twelve packages, and the first version of one of them. */
export class CrashBatch {
  readonly folder: string;
  readonly #shelf: Shelf;

  private constructor(folder: string) {
    this.folder = folder;
    this.#shelf = shelfIn(folder);
  }

  static async make(): Promise<CrashBatch> {
    const batch = new CrashBatch(await mkdtemp(join(tmpdir(), "guideferry-crash-")));
    await batch.#fill();
    return batch;
  }

  get packages(): readonly FoundPackage[] {
    return NAMES.map((name) => this.#shelf.found(name));
  }

  /** A site and a workspace that know the first version of one package. */
  async begin(): Promise<{ readonly target: Sandbox; readonly workspace: string }> {
    const target = await startSandbox();
    // Failed jobs are tried again by the next run; the slow one is never done at the first looks.
    target.training.next({ end: "error" }, { title: "Bread ovens", times: Number.POSITIVE_INFINITY });
    target.training.next({ looks: 9 }, { title: "Slow cooking", times: Number.POSITIVE_INFINITY });
    const workspace = join(await mkdtemp(join(this.folder, "run-")), "workspace");
    await importInto(target, workspace, [
      this.#shelf.found("new-version.zip", { path: join(this.folder, "older.zip") }),
    ]);
    return { target, workspace };
  }

  async #fill(): Promise<void> {
    const shelf = this.#shelf;
    await shelf.put("alpha.zip", scorm("Safe lifting"));
    await shelf.put("same-title.zip", scorm("Safe lifting", "<p>other"));
    await shelf.put("older.zip", scorm("Ladders", "<p>1"));
    await shelf.put("new-version.zip", scorm("Ladders", "<p>2"));
    await shelf.put("scorm-2004.zip", scorm("Fire doors", "<p>", "2004"));
    await shelf.put("cmi5.zip", cmi5());
    await shelf.put("xapi.zip", xapi());
    await shelf.put("aicc.zip", aiccPackage());
    await shelf.putText("refused.zip", "<html>Your link has expired");
    await cp(join(this.folder, "alpha.zip"), join(this.folder, "duplicate.zip"));
    await shelf.put("failing.zip", scorm("Bread ovens"));
    await shelf.put("slow.zip", scorm("Slow cooking"));
    await shelf.put("last.zip", scorm("Last things"));
  }
}

const NAMES = [
  "aicc.zip",
  "alpha.zip",
  "cmi5.zip",
  "duplicate.zip",
  "failing.zip",
  "last.zip",
  "new-version.zip",
  "refused.zip",
  "same-title.zip",
  "scorm-2004.zip",
  "slow.zip",
  "xapi.zip",
] as const;

/** Publishing has steps of its own to be killed at. */
export const OPTIONS: RunOptions = { publish: true };

/** Imports until the kill. True: it came to its end before. */
export async function runUntilKilled(
  target: Sandbox,
  workspace: string,
  packages: readonly FoundPackage[],
  { at, nth, done, concurrency = 1 }: Kill,
): Promise<boolean> {
  const killer = new AbortController();
  const kill = (): void => killer.abort(new Error("killed by the test"));
  const journal = at === "row" ? dyingAt(nth, done, kill) : undefined;
  if (at === "request") stallAt(target, nth, done, kill);
  const run = importInto(target, workspace, packages, {
    ...OPTIONS,
    concurrency,
    kill: killer.signal,
    ...(journal === undefined ? {} : { journal }),
  });
  const error = await run.then(
    () => null,
    (failure: unknown) => failure,
  );
  target.faults.clear();
  if (error === null) return true;
  if (!killer.signal.aborted) throw error;
  return false;
}

function stallAt(target: Sandbox, nth: number, applied: boolean, reached: () => void): void {
  const fault: Fault = { kind: "stall", applied, reached };
  let seen = 0;
  target.faults.decide(({ isApi }) => {
    seen += isApi ? 1 : 0;
    return seen === nth ? fault : undefined;
  });
}

/** The process dies just before, or just after, a row is on the disk. */
function dyingAt(nth: number, isWritten: boolean, kill: () => void): (journal: ModuleJournal) => ModuleJournal {
  let seen = 0;
  return (journal) => ({
    ...journal,
    put: async (row) => {
      seen += 1;
      if (seen !== nth) return journal.put(row);
      if (isWritten) await journal.put(row);
      kill();
      if (!isWritten) throw new Error("killed by the test");
    },
  });
}

/** What the site and the journal have; each row that says it is there is looked up at the site. */
export async function leftBy(target: Sandbox, workspace: string): Promise<Left> {
  const rows = await rowsOf(target, workspace);
  for (const row of rows) {
    if (row.state !== "published" && row.state !== "complete") continue;
    const found = target.rows("moduleImports").find(({ importid }) => String(importid) === row.importId);
    const told = { moduleId: String(found?.["moduleid"]), fileName: JSON.stringify(found?.["source"] ?? null) };
    expect(told, row.source).toEqual({ moduleId: row.moduleId, fileName: expect.stringContaining(marker(row.digest)) });
  }
  const journal = rows.map(({ digest, source, state, module, isNewVersion, before, reason, warnings }) => ({
    digest,
    source,
    state,
    title: module.title,
    isNewVersion,
    before,
    reason: reason.replaceAll(/\d+/g, "N"),
    warnings,
  }));
  return { site: siteOf(target), journal: journal.toSorted((one, other) => (one.digest < other.digest ? -1 : 1)) };
}

/** A job that fails is begun again by each run, so that its imports count as one. */
function siteOf(target: Sandbox): unknown {
  const modules = JSON.parse(JSON.stringify(target.namedState()["modules"])) as readonly NamedModule[];
  return modules.map((module) => {
    const failed = module.versions.filter(({ status }) => status === "error");
    const others = module.versions.filter(({ status }) => status !== "error");
    return { ...module, versions: [...failed.slice(0, 1), ...others] };
  });
}

interface NamedModule {
  readonly title: string;
  readonly versions: readonly { readonly status: string }[];
}
