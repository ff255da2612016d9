import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StoppedError } from "../../../src/core/errors.js";
import { prepareFound } from "./helpers/imports.js";
import { scorm } from "./helpers/packages.js";
import { modulesOf, only, world } from "./helpers/world.js";

const UPLOAD = /\/byUpload$/;
const ONE = { "one.zip": scorm("Ladders") };
const SHORT = { deadline: { base: 60, perByte: 0 } };
/** Of the package's few hundred bytes. */
const BY_SIZE = { deadline: { base: 0, perByte: 0.1 } };

describe("a job that fails", () => {
  it("without a message is told as such, and tried again with another import of the same module", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.training.next({ end: "error" });
    const failed = await run(["one.zip"]);
    expect(only(failed)).toMatchObject({ action: "new-module", state: "failed", moduleId: "1", importId: "1" });
    expect(only(failed).reason).toMatch(
      /The import 1 ended as \w+, without a message\. Try the package in another player/,
    );
    expect(failed.summary).toMatchObject({ failed: 1, imported: 0 });
    const again = await run(["one.zip"]);
    expect(only(again)).toMatchObject({ action: "go-on", state: "complete", moduleId: "1", importId: "2", reason: "" });
    expect(again.summary).toMatchObject({ failed: 0, imported: 1 });
    expect(modulesOf(sandbox)).toEqual(["Ladders: error, complete"]);
  });

  it("with a message is told in the site's words", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.training.next({ end: "error", message: "imsmanifest.xml: line 7 is broken" });
    expect(only(await run(["one.zip"])).reason).toContain(
      "could not import the package: imsmanifest.xml: line 7 is broken.",
    );
  });
});

describe("a package that the site refuses to take", () => {
  it.each([
    [413, /with 413: .*too large for the site/],
    [422, /with 422: .*Correct the package/],
    [403, /with 403: .*right to manage training modules/],
    [429, /with 429: .* later, .*The package is not at fault\.$/],
  ])("with %i is failed, with what to do, and the next one goes on", async (status, words) => {
    const { sandbox, run } = await world({ ...ONE, "two.zip": scorm("Ovens") });
    // Only of what is busy it is asked again, up to three times.
    sandbox.faults.inject({ kind: "status", status }, { path: UPLOAD, times: status === 429 ? 3 : 1 });
    const { results } = await run(["one.zip", "two.zip"]);
    expect(results.map(({ state }) => state)).toEqual(["failed", "complete"]);
    expect(results[0]?.reason).toMatch(words);
    expect((await run(["one.zip"])).results[0]).toMatchObject({ state: "complete", moduleId: "1" });
  });

  it.each([
    ["a new module", "POST", /\/drafts$/],
    ["an import into module 1", "POST", /\/imports$/],
  ])("already as %s is failed too", async (what, method, path) => {
    const { sandbox, run } = await world(ONE);
    sandbox.faults.inject({ kind: "status", status: 422 }, { method, path });
    expect(only(await run(["one.zip"]))).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(new RegExp(`^The site refused ${what} with 422(?!.*authoring tool)`)),
    });
    expect(only(await run(["one.zip"]))).toMatchObject({ state: "complete" });
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete"]);
  });
});

describe("an import that takes too long", () => {
  it.each([[SHORT], [BY_SIZE]])("is cancelled at the site, and imported by the next run (%j)", async (options) => {
    const { sandbox, run } = await world(ONE);
    sandbox.training.next({ end: "never" });
    const result = only(await run(["one.zip"], options));
    expect(result).toMatchObject({ state: "cancelled", reason: expect.stringContaining("longer than its time limit") });
    expect(only(await run(["one.zip"]))).toMatchObject({ state: "complete", moduleId: "1", importId: "2" });
    expect(modulesOf(sandbox)).toEqual(["Ladders: cancelled, complete"]);
  });

  it("and that the site cannot cancel is unknown, until the site says how it ended", async () => {
    const { sandbox, run, writes } = await world(ONE);
    sandbox.training.next({ end: "never", ignoresCancel: true, status: "unpacking" });
    const result = only(await run(["one.zip"], SHORT));
    expect(result).toMatchObject({ state: "unknown", importId: "1", reason: expect.stringMatching(/"unpacking"/) });
    const before = writes().length;
    expect(only(await run(["one.zip"], SHORT))).toMatchObject({ state: "unknown" });
    await sandbox.training.finish();
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "go-on", state: "complete", reason: "" });
    expect(writes().slice(before)).toEqual(["POST imports/1/cancel"]);
  });

  it("only since a person paused the run is waited for", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.training.next({ end: "never" });
    const begun = Date.now();
    let looks = 0;
    sandbox.faults.decide(async ({ path }) => {
      if (!path.endsWith("/progress")) return undefined;
      // Longer than the deadline, however busy the machine is.
      await setTimeout(SHORT.deadline.base * 2);
      looks += 1;
      if (looks === 3) await sandbox.training.finish();
      return undefined;
    });
    const result = await run(["one.zip"], { ...SHORT, pausedTime: () => Date.now() - begun });
    expect(only(result)).toMatchObject({ state: "complete" });
  });

  it("but is over when it is cancelled counts as what it is", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.training.next({ end: "never" });
    sandbox.faults.decide(async ({ path }) => {
      if (path.endsWith("/cancel")) await sandbox.training.finish();
      return undefined;
    });
    expect(only(await run(["one.zip"], SHORT))).toMatchObject({ state: "complete", reason: "" });
  });
});

describe("a run that is asked to stop", () => {
  it.each([
    ["cancels what is under way", false, "cancelled"],
    ["keeps what is complete by then", true, "complete"],
  ])("%s, and begins nothing", async (_what, completes, state) => {
    const { sandbox, run, rows } = await world({ ...ONE, "two.zip": scorm("Ovens") });
    sandbox.training.next({ end: "never" });
    const stopper = new AbortController();
    sandbox.faults.decide(async ({ path }) => {
      if (path.endsWith("/progress")) stopper.abort(new Error("Ctrl-C"));
      if (path.endsWith("/cancel") && completes) await sandbox.training.finish();
      return undefined;
    });
    const told: unknown[] = [];
    const options = { stop: stopper.signal, kill: new AbortController().signal };
    const stopped = run(["one.zip", "two.zip"], { ...options, onTell: ({ state: end }) => void told.push(end) });
    await expect(stopped).rejects.toBeInstanceOf(StoppedError);
    expect(told).toEqual([state]);
    expect((await rows()).map((row) => row.state)).toEqual([state]);
    sandbox.faults.clear();
    await run(["one.zip", "two.zip"]);
    expect(modulesOf(sandbox)).toEqual([
      completes ? "Ladders: complete" : "Ladders: cancelled, complete",
      "Ovens: complete",
    ]);
  });

  it("in the middle of an upload cuts it off and cancels it", async () => {
    const { sandbox, run, rows } = await world(ONE);
    const stopper = new AbortController();
    sandbox.faults.inject(
      { kind: "stall", applied: false, reached: () => stopper.abort(new Error("Ctrl-C")) },
      { path: UPLOAD },
    );
    await expect(run(["one.zip"], { stop: stopper.signal, kill: new AbortController().signal })).rejects.toThrow(
      /stopped/,
    );
    expect((await rows()).map(({ state }) => state)).toEqual(["cancelled"]);
    await run(["one.zip"]);
    expect(modulesOf(sandbox)).toEqual(["Ladders: cancelled, complete"]);
  });
});

it("an import that the site forgot is unknown, and made anew when somebody takes the risk", async () => {
  const { sandbox, run } = await world(ONE);
  sandbox.training.next({ end: "never", ignoresCancel: true });
  await run(["one.zip"], SHORT);
  sandbox.edit.removeRow("moduleImports", 1);
  const result = only(await run(["one.zip"]));
  expect(result).toMatchObject({
    state: "unknown",
    reason: expect.stringMatching(/no longer has the import 1.*--retry-unknown/),
  });
  expect(only(await run(["one.zip"], { retryUnknown: true }))).toMatchObject({
    state: "complete",
    moduleId: "1",
    importId: "2",
  });
});

it("lets go of every package and its archive, however it ends", async () => {
  const { sandbox, run, shelf } = await world({ ...ONE, "two.zip": scorm("Ovens") });
  await shelf.putText("bad.zip", "no archive");
  sandbox.faults.inject({ kind: "status", status: 413 }, { path: UPLOAD });
  let open = 0;
  const left: string[][] = [];
  await run(["one.zip", "bad.zip", "missing.zip", "two.zip"], {
    prepare: async (found, signal) => {
      const prepared = await prepareFound(found, signal);
      open += 1;
      return {
        ...prepared,
        close: async () => {
          open -= 1;
          await prepared.close();
        },
      };
    },
    onTell: async (_result, scratch) => {
      left.push(await readdir(scratch));
    },
  });
  expect(open).toBe(0);
  expect(left).toEqual([[], [], [], []]);
});
