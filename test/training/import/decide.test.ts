import { describe, expect, it } from "vitest";
import { scorm } from "./helpers/packages.js";
import { planAndRun } from "./helpers/plan-and-run.js";
import { modulesOf, only, type World, world } from "./helpers/world.js";

const ONE = { "one.zip": scorm("Ladders") };

/** Dies when it wrote its first row. */
function dyingRun(site: World): Promise<unknown> {
  const killer = new AbortController();
  return site.run(["one.zip"], {
    kill: killer.signal,
    journal: (journal) => ({
      ...journal,
      put: async (row) => {
        await journal.put(row);
        killer.abort(new Error("killed"));
      },
    }),
  });
}

describe("a package", () => {
  it("becomes a new module, is unchanged then, and a new version when it changes", async () => {
    const site = await world(ONE);
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-module", moduleId: "1" });
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "unchanged", state: "complete" });
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete, complete"]);
  });

  it("that is put back to what it was is a new version again", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders"));
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    expect(only(await site.run(["one.zip"])).action).toBe("unchanged");
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete, complete, complete"]);
  });

  it("that is put back is a new version also when the run dies as soon as it knows", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders"));
    await expect(dyingRun(site)).rejects.toThrow("killed");
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete, complete, complete"]);
  });

  it("that failed is tried again in a new draft when somebody published its module since", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    site.sandbox.training.next({ end: "error" });
    await site.run(["one.zip"]);
    await site.shelf.put("other.zip", scorm("Ladders"));
    await site.run(["other.zip"], { publish: true });
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({
      action: "go-on",
      state: "complete",
      moduleId: "1",
    });
  });

  it("whose newer content never came is unchanged when it is put back", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    site.sandbox.training.next({ end: "error" });
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders"));
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "unchanged" });
  });

  it("that is changed while its import runs ends that before the newer one begins", async () => {
    const site = await world(ONE);
    const killer = new AbortController();
    site.sandbox.training.next({ end: "never" });
    site.sandbox.faults.decide(({ path }) => {
      if (path.endsWith("/progress")) killer.abort(new Error("killed"));
      return undefined;
    });
    await expect(site.run(["one.zip"], { kill: killer.signal })).rejects.toThrow("killed");
    site.sandbox.faults.clear();
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    expect((await site.rows()).map(({ state }) => state).toSorted()).toEqual(["cancelled", "complete"]);
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: cancelled, complete"]);
  });

  it("that was found to be a new version stays one, wherever it is moved, when the run dies at that or the site refuses it", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    await site.shelf.put("one.zip", scorm("Ladders", "<p>2"));
    await expect(dyingRun(site)).rejects.toThrow("killed");
    site.sandbox.faults.inject({ kind: "status", status: 422 }, { method: "PUT", path: /draft$/ });
    await site.shelf.put("moved.zip", scorm("Ladders", "<p>2"));
    const refused = only(await site.run(["moved.zip"]));
    expect(refused).toMatchObject({ action: "new-version", moduleId: "1", state: "failed" });
    expect((await planAndRun(site, ["moved.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete, complete"]);
  });

  it("that was moved is unchanged, and a new version when it changes there", async () => {
    const site = await world({ ...ONE, "moved.zip": scorm("Ladders") });
    await site.run(["one.zip"]);
    expect((await planAndRun(site, ["moved.zip"]))[0]).toMatchObject({ action: "unchanged", moduleId: "1" });
    await site.shelf.put("moved.zip", scorm("Ladders", "<p>2"));
    expect((await planAndRun(site, ["moved.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
    await site.shelf.put("one.zip", scorm("Ladders", "<p>3"));
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
  });

  it("that another one equals is sent once", async () => {
    const site = await world({ ...ONE, "twin.zip": scorm("Ladders") });
    const [, twin] = await planAndRun(site, ["one.zip", "twin.zip"]);
    expect(twin).toMatchObject({ action: "same-as", state: null, notes: ["It has the same content as one.zip."] });
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete"]);
  });

  it("whose module was deleted at the site is imported anew", async () => {
    const site = await world(ONE);
    await site.run(["one.zip"]);
    site.sandbox.edit.removeRow("modules", 1);
    expect((await planAndRun(site, ["one.zip"]))[0]).toMatchObject({ action: "new-module", state: "complete" });
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete"]);
  });

  it("whose module a site that hides drafts doesn't list is left alone, unless it was published", async () => {
    const site = await world({ ...ONE, "two.zip": scorm("Ovens") }, { hidesDrafts: true });
    await site.run(["one.zip"]);
    await site.run(["two.zip"], { publish: true });
    site.sandbox.edit.removeRow("modules", 1);
    site.sandbox.edit.removeRow("modules", 2);
    const results = await planAndRun(site, ["one.zip", "two.zip"]);
    expect(results.map(({ action }) => action)).toEqual(["unchanged", "new-module"]);
  });

  it("that is refused is told with its first error, and nothing is sent", async () => {
    const site = await world({});
    await site.shelf.putText("bad.zip", "<html>expired");
    const [result] = await planAndRun(site, ["bad.zip"]);
    expect(result).toMatchObject({ action: "refused", digest: null, reason: expect.stringMatching(/^E_NOT_ZIP/) });
    expect(site.writes()).toEqual([]);
  });

  it("that isn't there is told so, and the others go on", async () => {
    const site = await world(ONE);
    const results = await planAndRun(site, ["missing.zip", "one.zip"]);
    expect(results.map(({ action }) => action)).toEqual(["refused", "new-module"]);
    expect(results[0]?.reason).toContain("missing.zip");
  });
});
