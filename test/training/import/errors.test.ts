import { describe, expect, it } from "vitest";
import { ConnectionError, SafetyLimitError, SignInError, WorkspaceError } from "../../../src/core/errors.js";
import { startSandbox } from "../../../src/sandbox/index.js";
import { CircuitBreaker } from "../../../src/sync/control.js";
import type { PackageResult } from "../../../src/training/package.js";
import { importInto, prepareFound } from "./helpers/imports.js";
import { scorm } from "./helpers/packages.js";
import { modulesOf, type World, world } from "./helpers/world.js";

const UPLOAD = /\/byUpload$/;
const NAMES = ["a.zip", "b.zip", "c.zip", "d.zip"];
const FOUR = Object.fromEntries(NAMES.map((name) => [name, scorm(`Course ${name[0]}`)]));
const ALL = NAMES.map((name) => `Course ${name[0]}: complete`);

/** Runs until the end that is expected, then again without trouble: everything is there once. */
async function endsAndGoesOn(
  site: World,
  error: unknown,
  options: Parameters<World["run"]>[1] = {},
): Promise<readonly PackageResult[]> {
  const told: PackageResult[] = [];
  const onTell = (result: PackageResult): void => void told.push(result);
  await expect(site.run(NAMES, { ...options, onTell })).rejects.toEqual(error);
  site.sandbox.faults.clear();
  expect((await site.run(NAMES)).summary.failed).toBe(0);
  expect(modulesOf(site.sandbox)).toEqual(ALL);
  return told;
}

describe("what ends a run, each package resumed by the next", () => {
  it.each([
    ["POST", /\/drafts$/],
    ["POST", /\/imports$/],
    ["POST", UPLOAD],
    ["GET", /\/progress$/],
  ])("is a sign-in that the site refuses at %s %s", async (method, path) => {
    const site = await world(FOUR);
    await site.run(["a.zip"]);
    site.sandbox.faults.inject({ kind: "status", status: 401 }, { method, path, times: 9 });
    const told = await endsAndGoesOn(site, expect.any(SignInError));
    expect(told.map(({ action }) => action)).toEqual(["unchanged"]);
  });

  it("is a site that asks for more patience than anybody has", async () => {
    const site = await world(FOUR);
    await site.run(["a.zip"]);
    site.sandbox.faults.inject({ kind: "status", status: 429, retryAfter: 86_400 }, { path: /\/drafts$/ });
    await endsAndGoesOn(site, expect.objectContaining({ exitCode: 4 }));
  });

  it("is a journal that cannot be written", async () => {
    const site = await world(FOUR);
    let puts = 0;
    const full = new WorkspaceError("While writing: the disk is full.");
    const told = await endsAndGoesOn(site, full, {
      journal: (journal) => ({
        ...journal,
        put: async (row) => {
          puts += 1;
          if (puts > 15) throw full;
          await journal.put(row);
        },
      }),
    });
    expect(told.map(({ state }) => state)).toEqual(["complete"]);
  });

  it("is a site that is gone", async () => {
    const site = await world({ "a.zip": scorm("Course a") });
    const other = await startSandbox();
    const found = [site.shelf.found("a.zip")];
    const gone = importInto(other, site.workspace(), found, {
      prepare: async (wanted, signal) => {
        await other.close();
        return prepareFound(wanted, signal);
      },
    });
    await expect(gone).rejects.toBeInstanceOf(ConnectionError);
  });

  it("is no package's host that cannot be reached", async () => {
    const site = await world(FOUR);
    const prepare = async (): Promise<never> => {
      throw new ConnectionError("No connection to store.example.", { unsent: true });
    };
    const { results } = await site.run([...NAMES, ...NAMES], { prepare });
    expect(results.map(({ action, reason }) => [action, reason])).toEqual(
      [...NAMES, ...NAMES].map(() => ["refused", "No connection to store.example."]),
    );
  });

  it("are too many failures of one cause", async () => {
    const site = await world(FOUR);
    site.sandbox.training.next({ end: "error" }, { times: Number.POSITIVE_INFINITY });
    const told: PackageResult[] = [];
    const run = site.run(NAMES, {
      breaker: new CircuitBreaker({ inARow: 2, share: 1 }),
      onTell: (result) => void told.push(result),
    });
    await expect(run).rejects.toBeInstanceOf(SafetyLimitError);
    expect(told.map(({ state }) => state)).toEqual(["failed", "failed"]);
  });
});

it("a run that was dropped writes nothing any more", async () => {
  const site = await world(FOUR);
  const killer = new AbortController();
  const run = site.run(NAMES, {
    kill: killer.signal,
    prepare: async (found, signal) => {
      const prepared = await prepareFound(found, signal);
      killer.abort(new Error("killed"));
      return prepared;
    },
  });
  await expect(run).rejects.toThrow("killed");
  expect([await site.rows(), site.writes()]).toEqual([[], []]);
});

it("a package whose answers make no sense is told and stops no other", async () => {
  const site = await world(FOUR);
  await site.run(["a.zip"]);
  site.sandbox.faults.decide(({ path }) =>
    path.endsWith("/2/progress") ? { kind: "status", status: 418, body: { message: "a teapot" } } : undefined,
  );
  const { results } = await site.run(NAMES);
  expect(results.map(({ state }) => state)).toEqual(["complete", "started", "complete", "complete"]);
  expect(results[1]?.reason).toContain("418");
  site.sandbox.faults.clear();
  await site.run(NAMES);
  expect(modulesOf(site.sandbox)).toEqual(ALL);
});
