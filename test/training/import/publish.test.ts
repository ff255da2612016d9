import { describe, expect, it } from "vitest";
import { cmi5, scorm } from "./helpers/packages.js";
import { modulesOf, only, world } from "./helpers/world.js";

const ONE = { "one.zip": scorm("Ladders") };
const CURRENT = /\/\d+\/current$/;
const PUBLISH = { publish: true };

describe("publishing", () => {
  it("comes only when it is wanted, also for what was imported before without", async () => {
    const { sandbox, run } = await world(ONE);
    expect(only(await run(["one.zip"])).state).toBe("complete");
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete"]);
    const published = await run(["one.zip"], PUBLISH);
    expect(only(published)).toMatchObject({ action: "publish", state: "published", reason: "" });
    expect(published.summary).toMatchObject({ published: 1, imported: 0 });
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete (current)"]);
    expect(only(await run(["one.zip"], PUBLISH)).action).toBe("unchanged");
  });

  it("tells where the module is used, which is read before", async () => {
    const { sandbox, run, shelf } = await world(ONE);
    await run(["one.zip"], PUBLISH);
    for (let docid = 1; docid <= 7; docid += 1) {
      sandbox.edit.setRow("moduleUsages", { moduleid: 1, doctype: "course", docid, title: `Week ${docid}` });
    }
    await shelf.put("one.zip", scorm("Ladders", "<p>newer"));
    const result = only(await run(["one.zip"], PUBLISH));
    expect(result).toMatchObject({ action: "new-version", state: "published", moduleId: "1" });
    expect(result.notes.join(" ")).toMatch(/Module 1 is used in: .*Week 1.* and 2 more\./);
    const calls = sandbox.recorded.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
    expect(calls.lastIndexOf("GET usage")).toBeLessThan(calls.lastIndexOf("PUT current"));
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete, complete (current)"]);
  });

  it("that the site refuses leaves the import complete and is told as a failure", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.faults.inject({ kind: "status", status: 422 }, { method: "PUT", path: CURRENT });
    const refused = await run(["one.zip"], PUBLISH);
    expect(only(refused)).toMatchObject({
      state: "complete",
      reason: expect.stringMatching(/not published(?!.*authoring tool)/),
    });
    expect(refused.summary).toMatchObject({ imported: 1, published: 0, failed: 1 });
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "unchanged", reason: "" });
    expect(only(await run(["one.zip"], PUBLISH))).toMatchObject({ action: "publish", state: "published", reason: "" });
  });

  it("whose answer was lost and that the site won't do twice is found done", async () => {
    const { sandbox, run } = await world(ONE, { publishesOnce: true });
    sandbox.faults.inject({ kind: "status", status: 502, applied: true }, { method: "PUT", path: CURRENT });
    expect(only(await run(["one.zip"], PUBLISH))).toMatchObject({ state: "published", reason: "" });
  });

  it("that nobody answers is done by the next run, and not by one that shall not publish", async () => {
    const { sandbox, run, rows } = await world(ONE);
    sandbox.faults.inject({ kind: "status", status: 502, applied: true }, { method: "PUT", path: CURRENT, times: 3 });
    expect(only(await run(["one.zip"], PUBLISH))).toMatchObject({
      state: "publishing",
      reason: expect.stringMatching(/502/),
    });
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "unchanged", state: "published" });
    expect((await rows()).map(({ state }) => state)).toEqual(["published"]);
  });

  it("that never arrived is complete for a run that shall not publish", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.faults.inject({ kind: "status", status: 502, applied: false }, { method: "PUT", path: CURRENT, times: 3 });
    await run(["one.zip"], PUBLISH);
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "unchanged", state: "complete" });
    expect(only(await run(["one.zip"], PUBLISH))).toMatchObject({ action: "publish", state: "published" });
  });

  it("never shows an older version over a newer one", async () => {
    const { sandbox, run, shelf } = await world(ONE);
    await shelf.put("older.zip", scorm("Ladders"));
    await run(["one.zip"]);
    await shelf.put("one.zip", scorm("Ladders", "<p>newer"));
    await run(["one.zip"]);
    const older = only(await run(["older.zip"], PUBLISH));
    expect(older).toMatchObject({ action: "publish", state: "complete", moduleId: "1" });
    expect(older.notes).toEqual(["Not published: module 1 has a newer version from one.zip."]);
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete, complete"]);
  });
});

describe("a preview", () => {
  it("is told of without its address, and never asked for of cmi5", async () => {
    const { sandbox, run } = await world({ ...ONE, "cmi5.zip": cmi5() });
    const { results } = await run(["one.zip", "cmi5.zip"], { preview: true });
    expect(results.map(({ notes }) => notes)).toEqual([["The site has a preview of module 1."], []]);
    expect(sandbox.recorded.filter(({ path }) => path.endsWith("/preview"))).toHaveLength(1);
  });

  it("that the site doesn't give is no failure", async () => {
    const { sandbox, run } = await world(ONE);
    sandbox.faults.inject({ kind: "status", status: 500 }, { path: /preview$/, times: 5 });
    expect(only(await run(["one.zip"], { preview: true }))).toMatchObject({
      state: "complete",
      reason: "",
      notes: ["The site has no preview of the module."],
    });
  });
});

it("the site's warnings are told, a few of them", async () => {
  const { sandbox, run, rows } = await world(ONE);
  sandbox.training.next({ end: "complete", parserWarnings: ["a", "b", "c", "d", "e", "f", "g"] });
  const { notes } = only(await run(["one.zip"]));
  expect(notes).toHaveLength(6);
  expect([notes[0], notes[5]]).toEqual(["The site warns: a", "The site reports 2 more warnings."]);
  expect((await rows())[0]?.warnings).toHaveLength(7);
});
