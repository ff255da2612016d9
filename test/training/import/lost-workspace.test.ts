import { describe, expect, it } from "vitest";
import { scorm } from "./helpers/packages.js";
import { modulesOf, only, world } from "./helpers/world.js";

const ONE = { "one.zip": scorm("Ladders") };

describe("a workspace that was lost", () => {
  it("sends nothing again that the site has under the name of its digest", async () => {
    const { run, loseWorkspace, writes, plan } = await world(ONE);
    await run(["one.zip"]);
    loseWorkspace();
    const before = writes().length;
    expect(only(await plan(["one.zip"]))).toMatchObject({ action: "unchanged", moduleId: "1", importId: "1" });
    const result = only(await run(["one.zip"]));
    expect(result).toMatchObject({ action: "unchanged", state: "complete", moduleId: "1", importId: "1" });
    expect(result.notes.join()).toContain("Import 1 of module 1 is this package");
    expect(only(await run(["one.zip"])).notes).toEqual([]);
    expect(writes()).toHaveLength(before);
  });

  it("knows what is published, and publishes what is not", async () => {
    const { run, loseWorkspace, sandbox, rows } = await world(ONE);
    await run(["one.zip"]);
    loseWorkspace();
    expect(only(await run(["one.zip"], { publish: true }))).toMatchObject({ action: "publish", state: "published" });
    loseWorkspace();
    expect(only(await run(["one.zip"], { publish: true }))).toMatchObject({ action: "unchanged", state: "published" });
    expect((await rows()).map(({ state }) => state)).toEqual(["published"]);
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete (current)"]);
  });

  it("waits for an import that still runs", async () => {
    const { run, loseWorkspace, sandbox } = await world(ONE);
    sandbox.training.next({ end: "never", ignoresCancel: true });
    await run(["one.zip"], { deadline: { base: 20, perByte: 0 } });
    loseWorkspace();
    let looks = 0;
    sandbox.faults.decide(async ({ path }) => {
      looks += path.endsWith("/progress") ? 1 : 0;
      if (looks === 3) await sandbox.training.finish();
      return undefined;
    });
    expect(only(await run(["one.zip"]))).toMatchObject({ action: "go-on", state: "complete", importId: "1" });
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete"]);
  });

  it("tries a failed one again in the same module, also when that was published since", async () => {
    const { run, loseWorkspace, sandbox } = await world(ONE);
    sandbox.training.next({ end: "error" });
    await run(["one.zip"]);
    loseWorkspace();
    expect(only(await run(["one.zip"], { publish: true }))).toMatchObject({ action: "go-on", state: "published" });
    expect(modulesOf(sandbox)).toEqual(["Ladders: error, complete (current)"]);
  });

  it("can only say that the title is there where the site tells no names of files", async () => {
    const { run, loseWorkspace, sandbox } = await world(ONE, { hidesSources: true });
    await run(["one.zip"]);
    loseWorkspace();
    const result = only(await run(["one.zip"]));
    expect(result).toMatchObject({ action: "new-module", notes: ["The site has another module with this title: 1."] });
    expect(modulesOf(sandbox)).toEqual(["Ladders: complete", "Ladders: complete"]);
  });
});
