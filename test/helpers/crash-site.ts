import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Fault, type RecordedRequest, type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, loadInto } from "./migration.js";
import { removeFolder, temporaryFolder } from "./temporary-folder.js";

// The crash tests. A run is cut off before or after the site did what a request asked: the answer
// never comes, everything of the run is dropped, and the next run begins with what lies on the
// disk. `test/cli/sigkill.test.ts` does the same to a real process at random moments.

/**
 * A part of the sample site whose load sends every kind of request that the whole site's does, at a
 * third of their number; what it names brings what it needs. `npm run crash` kills loads of the
 * whole one at each of their requests.
 */
export const PART: readonly string[] = [
  "guide/5",
  "guide/10",
  "guide/11",
  "guide/18",
  "wiki/ITEM/Linen Tape",
  "wiki/WIKI/Glossary",
];

/** What a load that nobody kills leaves, and how much it takes. */
export interface Undisturbed {
  readonly state: unknown;
  readonly writes: number;
  readonly requests: number;
  /** The places of the reads among the requests, from 1, when one item is loaded at a time. */
  readonly reads: readonly number[];
  /** `POST /guides/N/steps`, `POST /user/media/uploads mp4` … */
  readonly kinds: ReadonlySet<string>;
}

/** The sample site in a workspace, extracted once for a whole test file. */
export interface CrashSite {
  undisturbed(): Undisturbed;
  /** A workspace to load from, fresh for each call. */
  copy(): Promise<string>;
}

/** `include`: globs of what is loaded; default: everything. */
export function crashSite(include: readonly string[] = []): CrashSite {
  let directory = "";
  let undisturbed: Undisturbed = { state: null, writes: 0, requests: 0, reads: [], kinds: new Set() };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "guideferry-crash-"));
    const source = await startSandbox({ site: "samples/site" });
    await extractFrom(source, join(directory, "extracted"), { include });
    await source.close();
    const target = await startSandbox();
    await cp(join(directory, "extracted"), join(directory, "undisturbed"), { recursive: true });
    await loadInto(target, join(directory, "undisturbed"), { concurrency: 1 });
    const reads = target.recorded.flatMap(({ method }, index) => (method === "GET" ? [index + 1] : []));
    const writes = target.recorded.length - reads.length;
    const kinds = new Set(target.recorded.map(kindOf));
    undisturbed = { state: target.namedState(), writes, requests: target.recorded.length, reads, kinds };
    await target.close();
  });
  afterAll(() => removeFolder(directory));
  return {
    undisturbed: () => undisturbed,
    copy: async () => {
      const copy = join(await temporaryFolder(), "workspace");
      await cp(join(directory, "extracted"), copy, { recursive: true });
      return copy;
    },
  };
}

/** `POST /guides/N/steps`, `POST /user/media/uploads mp4` … */
export function kindOf({ method, path, query }: Pick<RecordedRequest, "method" | "path" | "query">): string {
  const place = path.replaceAll(/\d+/g, "N").replace(/^(\/wikis\/[A-Z]+)\/.*/, "$1/T");
  const extension = new URLSearchParams(query).get("file")?.split(".").at(-1) ?? "";
  return `${method} ${place} ${extension}`.trimEnd();
}

/** Where a run is killed. */
export interface Kill {
  /** The how-manieth request that counts. */
  readonly nth: number;
  /** Did the site do what it asked? */
  readonly applied: boolean;
  /** Only requests that write count. */
  readonly writesOnly: boolean;
  readonly concurrency: number;
}

/** Loads until the kill. Resolves to true when it came to its end before. */
export async function runUntilKilled(
  target: Sandbox,
  workspace: string,
  { nth, applied, writesOnly, concurrency }: Kill,
): Promise<boolean> {
  const kill = new AbortController();
  const fault: Fault = { kind: "stall", applied, reached: () => kill.abort(new Error("killed by the test")) };
  let seen = 0;
  target.faults.decide(({ method, isApi }) => {
    if (!isApi || (writesOnly && method === "GET")) return undefined;
    seen += 1;
    return seen === nth ? fault : undefined;
  });
  const outcome = await loadInto(target, workspace, { concurrency, kill: kill.signal }).then(
    () => "over",
    (error: unknown) => error,
  );
  target.faults.clear();
  if (outcome === "over") return true;
  if (!kill.signal.aborted) throw outcome;
  return false;
}

/**
 * Kills one load of a fresh workspace, runs it again, and compares what is there with what an
 * undisturbed one leaves.
 */
export async function killOnce(site: CrashSite, kill: Kill): Promise<void> {
  const workspace = await site.copy();
  const target = await startSandbox();
  try {
    await runUntilKilled(target, workspace, kill);
    // Addresses of the old site in a text can look like ids of the new one, which are given in the
    // order of the loads.
    await loadInto(target, workspace, { concurrency: kill.concurrency });
    expect(target.namedState(), `killed at request ${kill.nth}, applied: ${kill.applied}`).toEqual(
      site.undisturbed().state,
    );
  } finally {
    await target.close();
    await removeFolder(workspace);
  }
}
