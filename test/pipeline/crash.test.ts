import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fault, type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { canonicalState } from "../helpers/canonical-state.js";
import { extractFrom, loadInto } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

// The crash test. A run is cut off before or after the site did what a request asked: the answer never comes, everything of
// the run is dropped, and the next run begins with what lies on the disk. `test/cli/sigkill.test.ts` does the same to a
// real process at random moments.

let source: Sandbox;
let directory: string;
let undisturbed: { readonly state: unknown; readonly writes: number; readonly requests: number };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "guideferry-crash-"));
  source = await startSandbox({ site: "samples/site" });
  await extractFrom(source, directory);
  const target = await startSandbox();
  await cp(directory, `${directory}-undisturbed`, { recursive: true });
  await loadInto(target, `${directory}-undisturbed`, { concurrency: 1 });
  undisturbed = { state: canonicalState(target.state()), writes: writesOf(target), requests: target.recorded.length };
  await target.close();
}, 120_000);

afterAll(async () => {
  await source.close();
  for (const name of [directory, `${directory}-undisturbed`]) await rm(name, { recursive: true, force: true });
});

test("a run that is killed at every single write, before and after it was applied, ends like one that never was", async () => {
  const workspace = await copyOfWorkspace();
  const target = await startSandbox();
  let kills = 0;
  try {
    // Killed before its first write, then after it; from then on each run gets one write further than the one before.
    for (let isOver = false; !isOver; kills += 1) {
      const applied = kills % 2 === 1;
      isOver = await runUntilKilled(
        target,
        workspace,
        applied || kills === 0 ? 1 : 2,
        { kind: "stall", applied },
        true,
      );
    }
    expect(kills).toBeGreaterThan(undisturbed.writes);
    expect(canonicalState(target.state())).toEqual(undisturbed.state);
    expect((await loadInto(target, workspace)).writes).toBe(0);
  } finally {
    await target.close();
  }
}, 600_000);

test("a run with many requests under way that is killed anywhere ends like one that never was", async () => {
  // Every request in `npm run crash`; here a share of them, spread over the whole run.
  const all = process.env["GUIDEFERRY_CRASH_TEST"] === "full";
  const stride = all ? 1 : Math.ceil(undisturbed.requests / 8);
  for (let number = 1; number <= undisturbed.requests; number += stride) {
    for (const applied of [false, true]) await killOnceAndCompare(number, applied);
  }
}, 3_600_000);

async function killOnceAndCompare(number: number, applied: boolean): Promise<void> {
  const workspace = await copyOfWorkspace();
  const target = await startSandbox();
  try {
    await runUntilKilled(target, workspace, number, { kind: "stall", applied }, false);
    await loadInto(target, workspace);
    expect(canonicalState(target.state()), `killed at request ${number}, applied: ${applied}`).toEqual(
      undisturbed.state,
    );
  } finally {
    await target.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

/** Loads until a request is met by a stall; then the run is dropped. Resolves to true when it came to its end before. */
async function runUntilKilled(
  target: Sandbox,
  workspace: string,
  nth: number,
  fault: Fault,
  isWritesOnly: boolean,
): Promise<boolean> {
  const kill = new AbortController();
  let seen = 0;
  target.faults.decide(({ method, isApi }) => {
    if (!isApi || (isWritesOnly && method === "GET")) return undefined;
    seen += 1;
    if (seen !== nth) return undefined;
    // The stall is decided upon before the site acts; the run is dropped when it surely has acted.
    setTimeout(() => kill.abort(new Error("killed by the test")), 15);
    return fault;
  });
  const outcome = await loadInto(target, workspace, { concurrency: isWritesOnly ? 1 : 4, kill: kill.signal }).then(
    () => "over",
    (error: unknown) => error,
  );
  target.faults.clear();
  if (outcome === "over") return true;
  if (!kill.signal.aborted) throw outcome;
  return false;
}

async function copyOfWorkspace(): Promise<string> {
  const copy = join(await temporaryFolder(), "workspace");
  await cp(directory, copy, { recursive: true });
  return copy;
}

function writesOf(sandbox: Sandbox): number {
  return sandbox.recorded.filter(({ method }) => method !== "GET").length;
}
