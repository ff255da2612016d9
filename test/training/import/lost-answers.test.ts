import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/sandbox/index.js";
import { scorm } from "./helpers/packages.js";
import { modulesOf, only, world } from "./helpers/world.js";

const DRAFTS = /\/drafts$/;
const RECORDS = /\/imports$/;
const UPLOAD = /\/byUpload$/;
const ONE = { "one.zip": scorm("Ladders") };
const TWO = { ...ONE, "two.zip": scorm("Ovens") };

const status = (code: number, applied: boolean): Fault => ({ kind: "status", status: code, applied });

/** Each a lost answer, done or not. */
const LOST: readonly (readonly [string, Fault])[] = [
  ["502, done", status(502, true)],
  ["502, not done", status(502, false)],
  ["504, done", status(504, true)],
  ["500, not done", status(500, false)],
  ["503, not done", status(503, false)],
  ["408, done", status(408, true)],
  ["a reset, done", { kind: "reset", applied: true }],
  ["a reset, not done", { kind: "reset", applied: false }],
  ["an answer that breaks off", { kind: "truncate" }],
  ["an answer that cannot be read", { kind: "garbage" }],
];

describe.each([
  ["making a module", DRAFTS],
  ["making an import record", RECORDS],
  ["sending the bytes", UPLOAD],
])("when %s gets", (_what, path) => {
  it.each(LOST)("%s, the package comes once", async (_kind, fault) => {
    const { sandbox, run } = await world(TWO);
    await run(["two.zip"]);
    sandbox.faults.inject(fault, { method: "POST", path });
    const { summary, results } = await run(["one.zip"]);
    expect(results.map(({ state, reason }) => [state, reason])).toEqual([["complete", ""]]);
    expect(summary.imported).toBe(1);
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete", "Ovens: complete"]);
    sandbox.faults.clear();
    expect(only(await run(["one.zip"])).action).toBe("unchanged");
  });

  it("too many lost answers, the package is left for the next run", async () => {
    const { sandbox, run } = await world(TWO);
    await run(["two.zip"]);
    sandbox.faults.inject(status(502, false), { method: "POST", path, times: 3 });
    const result = only(await run(["one.zip"]));
    expect(result).toMatchObject({ reason: expect.stringContaining("502") });
    expect(only(await run(["one.zip"]))).toMatchObject({ state: "complete", reason: "" });
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete", "Ovens: complete"]);
  });
});

it("an upload that a proxy gave up while the site still takes it in is waited for as its size asks, and sent once", async () => {
  const { sandbox, run } = await world(ONE);
  sandbox.faults.inject(status(504, true), { path: UPLOAD });
  const untouched: Fault = { kind: "status", status: 200, body: { importid: 1, status: "created" } };
  sandbox.faults.inject(untouched, { path: /\/progress$/, times: 15 });
  const result = only(await run(["one.zip"], { uploadGrace: { perByte: 10, longest: 60_000 } }));
  expect(result).toMatchObject({ state: "complete", reason: "" });
  expect(sandbox.recorded.filter(({ path }) => UPLOAD.test(path))).toHaveLength(1);
});

describe("a lost answer to the making of a module, where the site hides drafts,", () => {
  it("leaves the package alone until somebody takes the risk", async () => {
    const { sandbox, run, writes, rows } = await world(TWO, { hidesDrafts: true });
    await run(["two.zip"]);
    sandbox.faults.inject(status(502, true), { path: DRAFTS });
    const { summary, results } = await run(["one.zip"]);
    expect(results[0]).toMatchObject({ state: "unknown", moduleId: null });
    expect(results[0]?.reason).toMatch(
      /module "Ladders" and got no usable answer \(.* 502 .*\)\. .*, since the site does not list modules.*--retry-unknown/,
    );
    expect(summary).toMatchObject({ unknown: 1, failed: 0, imported: 0 });
    const before = writes().length;
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "go-on", state: "unknown" });
    expect(writes()).toHaveLength(before);
    expect(only(await run(["one.zip"], { retryUnknown: true }))).toMatchObject({ state: "complete", reason: "" });
    expect((await rows()).map(({ state }) => state)).toEqual(["complete", "complete"]);
    expect(modulesOf(sandbox)).toEqual(["Ladders: ", "Ladders: complete", "Ovens: complete"]);
  });

  it("waits for what the next package teaches, and is unknown then", async () => {
    const { sandbox, run, rows } = await world(TWO, { hidesDrafts: true });
    sandbox.faults.inject(status(502, true), { path: DRAFTS });
    const { results } = await run(["one.zip", "two.zip"]);
    expect(results.map(({ checked, state }) => [checked.file, state])).toEqual([
      ["two.zip", "complete"],
      ["one.zip", "unknown"],
    ]);
    expect(results[1]?.reason).toMatch(/ 502 .*, since the site does not list/);
    expect(modulesOf(sandbox)).toEqual(["Ladders: ", "Ovens: complete"]);
    expect((await rows()).map(({ source, state }) => [source, state])).toEqual([
      ["one.zip", "unknown"],
      ["two.zip", "complete"],
    ]);
  });
});

it("an answer to the making of a module that cannot be read is told, for whoever corrects what is read", async () => {
  const { sandbox, run } = await world(ONE, { hidesDrafts: true });
  sandbox.faults.inject({ kind: "status", status: 200, body: { result: "done" } }, { path: DRAFTS });
  expect(only(await run(["one.zip"]))).toMatchObject({
    state: "unknown",
    reason: expect.stringMatching(
      /an object with result.*training probe.*perhaps the site does not list.*--retry-unknown/,
    ),
  });
});

it("the first package of all, its module not made, is made after the next one taught that drafts are listed", async () => {
  const { sandbox, run } = await world(TWO);
  sandbox.faults.inject(status(502, false), { path: DRAFTS });
  const { results } = await run(["one.zip", "two.zip"]);
  expect(results.map(({ checked, state }) => [checked.file, state])).toEqual([
    ["two.zip", "complete"],
    ["one.zip", "complete"],
  ]);
  expect(modulesOf(sandbox)).toEqual(["Ladders: complete", "Ovens: complete"]);
});

it("a package that waits takes no module of another one of its title", async () => {
  const { sandbox, run, rows } = await world({ ...ONE, "other.zip": scorm("Ladders", "<p>other") });
  sandbox.faults.inject(status(502, false), { path: DRAFTS });
  sandbox.faults.inject(status(422, false), { method: "POST", path: RECORDS });
  const { results } = await run(["one.zip", "other.zip"]);
  expect(results.map(({ checked, state }) => [checked.file, state])).toEqual([
    ["other.zip", "failed"],
    ["one.zip", "complete"],
  ]);
  expect((await rows()).map(({ moduleId }) => moduleId)).toEqual(["2", "1"]);
  expect(modulesOf(sandbox)).toEqual(["Ladders: ", "Ladders: complete"]);
});

it("the only package of all whose module cannot be found is unknown", async () => {
  const { sandbox, run } = await world(ONE);
  sandbox.faults.inject(status(502, false), { path: DRAFTS });
  expect(only(await run(["one.zip"]))).toMatchObject({ state: "unknown", moduleId: null });
  expect(modulesOf(sandbox)).toEqual([]);
});

it.each([true, false])("an empty module of the title that was there before is not ours (made: %s)", async (applied) => {
  const { sandbox, run } = await world(TWO);
  await run(["two.zip"]);
  const draft = { title: "Ladders", importid: null };
  const theirs = sandbox.edit.setRow("modules", { title: "Ladders", userid: 1, current: null, draft });
  sandbox.faults.inject(status(502, applied), { path: DRAFTS });
  const result = only(await run(["one.zip"]));
  expect(result).toMatchObject({ state: "complete", reason: "" });
  expect(result.moduleId).not.toBe(String(theirs));
  expect(modulesOf(sandbox)).toEqual(["Ladders: ", "Ladders: complete", "Ovens: complete"]);
});

it("two empty modules of the title, one of them another person's, are not taken for ours by chance", async () => {
  const { sandbox, run } = await world(TWO);
  await run(["two.zip"]);
  sandbox.faults.inject(status(502, true), { path: DRAFTS });
  sandbox.faults.beforeList(() => {
    if (sandbox.rows("modules").length !== 2) return;
    sandbox.edit.setRow("modules", {
      title: "Ladders",
      userid: 1,
      current: null,
      draft: { title: "Ladders", importid: null },
    });
  });
  const result = only(await run(["one.zip"]));
  expect(result.state).toBe("unknown");
  expect(result.reason).toMatch(/2 new empty modules with its title: 2, 3/);
  sandbox.faults.beforeList(undefined);
  sandbox.edit.removeRow("modules", 3);
  expect(only(await run(["one.zip"], { retryUnknown: true }))).toMatchObject({ state: "complete", moduleId: "2" });
});

it.each([409, 422] as const)(
  "a second start that is answered %i, since the first one went through, is no failure",
  async (wrongState) => {
    const { sandbox, run } = await world(ONE, { wrongState });
    let starts = 0;
    let looks = 0;
    // The site goes on saying that the import was never started for a while.
    sandbox.faults.decide(({ path }) => {
      if (UPLOAD.test(path)) starts += 1;
      if (starts === 1 && UPLOAD.test(path)) return status(504, true);
      if (starts !== 1 || !path.endsWith("/progress")) return undefined;
      looks += 1;
      return { kind: "status", status: 200, body: { importid: 1, status: "created" } };
    });
    expect(only(await run(["one.zip"]))).toMatchObject({ state: "complete", reason: "" });
    expect([starts, looks > 0]).toEqual([2, true]);
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete"]);
  },
);

it("a start answered 429 is sent again when the site says so", async () => {
  const { sandbox, run, writes } = await world(ONE);
  sandbox.faults.inject({ kind: "status", status: 429, retryAfter: 1 }, { path: UPLOAD });
  expect(only(await run(["one.zip"]))).toMatchObject({ state: "complete", reason: "" });
  expect(writes().filter((write) => write.endsWith("byUpload"))).toHaveLength(2);
});
