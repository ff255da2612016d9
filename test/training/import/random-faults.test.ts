import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fault, type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { removeFolder } from "../../helpers/temporary-folder.js";
import { importInto, rowsOf } from "./helpers/imports.js";
import { type Shelf, scorm, shelfIn } from "./helpers/packages.js";

/** Packages to choose from; the last is refused, two share a title, two are equal. */
const NAMES = ["a.zip", "b.zip", "c.zip", "same-title.zip", "twin.zip", "bad.zip"] as const;
const RUNS = Number(process.env["GUIDEFERRY_RANDOM_RUNS"] ?? 12);

let shelf: Shelf;

beforeAll(async () => {
  shelf = shelfIn(await mkdtemp(join(tmpdir(), "guideferry-random-")));
  await shelf.put("first.zip", scorm("First"));
  await shelf.put("a.zip", scorm("Course a"));
  await shelf.put("b.zip", scorm("Course b"));
  await shelf.put("c.zip", scorm("Course c"));
  await shelf.put("same-title.zip", scorm("Course a", "<p>other"));
  await shelf.put("twin.zip", scorm("Course b"));
  await shelf.putText("bad.zip", "no archive");
});

afterAll(() => removeFolder(shelf.folder));

interface Trouble {
  /** Of the requests to the modules of one run, from 1. */
  readonly number: number;
  readonly fault: Fault;
}

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(408, 413, 422, 500, 502, 503, 504),
    applied: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("reset" as const), applied: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("truncate" as const, "garbage" as const) }),
  fc.record({ kind: fc.constant("stall" as const), applied: fc.boolean() }),
);

/** One run. */
interface Night {
  readonly troubles: readonly Trouble[];
  readonly publish: boolean;
  readonly concurrency: number;
}

const trouble: fc.Arbitrary<Trouble> = fc.record({ number: fc.integer({ min: 2, max: 45 }), fault });

const night: fc.Arbitrary<Night> = fc.record({
  troubles: fc.array(trouble, { minLength: 1, maxLength: 4 }),
  publish: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 3 }),
});

/** One run with trouble; a request that stalls kills it. */
async function troubledRun(
  sandbox: Sandbox,
  workspace: string,
  names: readonly string[],
  { troubles, ...options }: Night,
): Promise<void> {
  const killer = new AbortController();
  let seen = 0;
  sandbox.faults.decide(({ path }) => {
    seen += path.startsWith("/external_training_modules") ? 1 : 0;
    const planned = troubles.find(({ number }) => number === seen)?.fault;
    // A refusal that was done all the same is a site that lies.
    if (planned?.kind === "status" && [413, 422].includes(planned.status)) return { ...planned, applied: false };
    return planned?.kind === "stall" ? { ...planned, reached: () => killer.abort(new Error("killed")) } : planned;
  });
  const found = names.map((name) => shelf.found(name));
  const run = importInto(sandbox, workspace, found, { ...options, kill: killer.signal, tries: 2 });
  await run.catch(() => undefined);
  sandbox.faults.clear();
}

test("whatever goes wrong in whatever order, in the end each package is there once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: NAMES.length }),
      fc.array(night, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (names, nights, hidesDrafts) => {
        const sandbox = await startSandbox({ training: { hidesDrafts } });
        const workspace = join(await mkdtemp(join(shelf.folder, "run-")), "workspace");
        try {
          // It teaches whether drafts are listed. Without it, what is lost may stay unknown.
          await importInto(sandbox, workspace, [shelf.found("first.zip")]);
          for (const one of nights) await troubledRun(sandbox, workspace, names, one);
          const found = names.map((name) => shelf.found(name));
          await importInto(sandbox, workspace, found);
          await expectOnce(sandbox, workspace, names, hidesDrafts);
        } finally {
          await sandbox.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 3_600_000);

/**
 * Each different content once as a complete import in a module of its own, and nothing else but
 * failed imports; where drafts are hidden, what nobody can tell is not there twice either, and is
 * told.
 */
async function expectOnce(
  sandbox: Sandbox,
  workspace: string,
  names: readonly string[],
  hidesDrafts: boolean,
): Promise<void> {
  const files = names.filter((name) => name !== "bad.zip").map((name) => (name === "twin.zip" ? "b.zip" : name));
  const expected = new Set(files).size + 1;
  const rows = await rowsOf(sandbox, workspace);
  const unknown = rows.filter(
    ({ state, moduleId, reason }) => state === "unknown" && moduleId === null && reason !== "",
  );
  const there = rows.filter(({ state }) => state === "complete" || state === "published");
  expect([rows.length, there.length + unknown.length]).toEqual([expected, expected]);
  const modules = sandbox.rows("modules").length;
  if (hidesDrafts) expect(modules).toBeLessThanOrEqual(expected);
  else expect([unknown.length, modules]).toEqual([0, expected]);
  const complete = sandbox.rows("moduleImports").filter(({ status }) => status === "complete");
  expect(complete.map(({ importid }) => String(importid)).toSorted()).toEqual(
    there.map(({ importId }) => importId).toSorted(),
  );
  expect(new Set(complete.map(({ moduleid }) => moduleid)).size).toBe(there.length);
}
