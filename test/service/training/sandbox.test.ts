import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ModuleSite, SiteImport } from "../../../src/core/training.js";
import { probeTraining } from "../../../src/service/training/probe-training.js";
import { isLost } from "../../../src/training/import/import-task.js";
import { localServer } from "../../helpers/local-server.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { uploadOf } from "./helpers/module-site.js";
import { sandboxModules } from "./helpers/sandbox-modules.js";

const COMPLETE = { end: "complete" } as const;

/** Polls an import until it runs no more. */
async function untilEnd(modules: ModuleSite, id: string): Promise<SiteImport> {
  for (let look = 0; look < 50; look += 1) {
    const now = await modules.progress(id, forever);
    if (now === undefined) throw new Error(`the import ${id} is not known`);
    if (now.phase !== "running") return now;
  }
  throw new Error("it never ends");
}

describe.each(["flat", "nested"] as const)("a site that speaks the %s dialect", (dialect) => {
  it("takes a package on its whole way", async () => {
    const { sandbox, modules } = await sandboxModules({ dialect });
    sandbox.training.next({ ...COMPLETE, parserWarnings: ["Odd title"] });
    const module = await modules.createModule("Golf", forever);
    expect(await modules.modules(forever)).toEqual([{ id: module, title: "Golf", currentImport: null }]);
    const id = await modules.createImport(module, forever);
    expect(await modules.progress(id, forever)).toMatchObject({ id, phase: "created", source: null });
    expect(await modules.preview(id, forever)).toBeNull();
    const bytes = Buffer.from("PK and more");
    await modules.startByUpload(id, uploadOf(bytes), forever);
    expect(await modules.progress(id, forever)).toMatchObject({ phase: "running", source: "golf-0123456789ab.zip" });
    expect(await untilEnd(modules, id)).toMatchObject({ id, phase: "complete", warnings: ["Odd title"] });
    expect(await modules.imports(module, forever)).toMatchObject([
      { id, phase: "complete", source: "golf-0123456789ab.zip" },
    ]);
    expect(await modules.preview(id, forever)).toMatch(/^http:\/\//);
    expect(await modules.usage(module, forever)).toEqual([]);
    await modules.publish(module, forever);
    await modules.publish(module, forever);
    expect(await modules.modules(forever)).toEqual([{ id: module, title: "Golf", currentImport: id }]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(sandbox.namedState()["modules"]).toMatchObject([
      { title: "Golf", versions: [{ sha256, source: "golf-0123456789ab.zip", status: "complete", isCurrent: true }] },
    ]);
  });

  it("takes a new version of a module, from an address", async () => {
    const { sandbox, modules } = await sandboxModules({ dialect });
    const store = await localServer((_, response) => response.end("PK"));
    sandbox.training.next(COMPLETE);
    const module = await modules.createModule("Golf", forever);
    const first = await modules.createImport(module, forever);
    await modules.startByUpload(first, uploadOf("PK"), forever);
    await untilEnd(modules, first);
    await modules.publish(module, forever);
    await modules.openDraft(module, "Golf, second", forever);
    const second = await modules.createImport(module, forever);
    sandbox.training.next(COMPLETE);
    await modules.startByUrl(second, `${store.origin}/golf.zip?sig=1`, forever);
    expect(await untilEnd(modules, second)).toMatchObject({
      phase: "complete",
      source: expect.stringContaining("/golf.zip"),
    });
    await modules.publish(module, forever);
    expect(await modules.modules(forever)).toEqual([{ id: module, title: "Golf, second", currentImport: second }]);
    expect((await modules.imports(module, forever)).map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
  });

  it("tells of failures, with and without a message, and of cancels", async () => {
    const { sandbox, modules } = await sandboxModules({ dialect });
    const module = await modules.createModule("Golf", forever);
    const ends: SiteImport[] = [];
    for (const plan of [
      { end: "error" },
      { end: "error", message: "No manifest" },
      { end: "never", status: "unpacking" },
    ] as const) {
      sandbox.training.next(plan);
      const id = await modules.createImport(module, forever);
      await modules.startByUpload(id, uploadOf("PK"), forever);
      if (plan.end === "never") {
        expect(await modules.progress(id, forever)).toMatchObject({ phase: "running" });
        await modules.cancel(id, forever);
        await modules.cancel(id, forever);
      }
      ends.push(await untilEnd(modules, id));
    }
    expect(ends.map(({ phase, message }) => [phase, message])).toEqual([
      ["failed", ""],
      ["failed", "No manifest"],
      ["cancelled", ""],
    ]);
  });

  it("is probed, and nothing of its content comes out", async () => {
    const { sandbox, modules, client } = await sandboxModules({ dialect });
    sandbox.training.next(COMPLETE);
    const module = await modules.createModule("Golf for Anna", forever);
    const id = await modules.createImport(module, forever);
    await modules.startByUpload(id, uploadOf("PK"), forever);
    sandbox.edit.setRow("moduleUsages", {
      moduleid: Number(module),
      doctype: "course",
      docid: 3,
      title: "Anna's first week",
    });
    expect(await modules.usage(module, forever)).toEqual(["course “Anna's first week” docid 3"]);
    const writes = sandbox.recorded.filter(({ method }) => method !== "GET").length;
    const record = await probeTraining(client, { preview: true }, forever);
    expect(sandbox.recorded.filter(({ method }) => method !== "GET")).toHaveLength(writes);
    expect(record.answers.map(({ understood }) => understood).slice(0, 4)).toEqual([
      "1 module",
      "0 modules",
      "1 place",
      "1 import",
    ]);
    expect(JSON.stringify(record)).not.toMatch(/Anna|golf|127\.0\.0\.1/);
  });
});

describe("the sandbox's faults", () => {
  it.each([
    ["a start that worked, answered 502", { kind: "status", status: 502, applied: true }, "running"],
    ["a start that worked, never answered", { kind: "reset", applied: true }, "running"],
    ["a start that failed, answered 502", { kind: "status", status: 502, applied: false }, "created"],
  ] as const)("are seen as lost answers: %s", async (_what, fault, phase) => {
    const { sandbox, modules } = await sandboxModules();
    sandbox.training.next(COMPLETE);
    const id = await modules.createImport(await modules.createModule("Golf", forever), forever);
    sandbox.faults.inject(fault, { path: /byUpload$/ });
    expect(isLost(await failureOf(modules.startByUpload(id, uploadOf("PK"), forever)))).toBe(true);
    expect(await modules.progress(id, forever)).toMatchObject({ phase });
  });

  it("are seen as refusals: too large, not now", async () => {
    const { modules } = await sandboxModules({ maxBytes: 10 });
    const id = await modules.createImport(await modules.createModule("Golf", forever), forever);
    const failure = await failureOf(modules.startByUpload(id, uploadOf("x".repeat(2_000_000)), forever));
    expect(failure).toMatchObject({ status: 413 });
    expect(await modules.progress(id, forever)).toMatchObject({ phase: "created" });
    expect(await modules.progress("999", forever)).toBeUndefined();
  });

  it("let a package through that is told to come again", async () => {
    const { sandbox, modules } = await sandboxModules();
    sandbox.training.next(COMPLETE);
    const id = await modules.createImport(await modules.createModule("Golf", forever), forever);
    sandbox.faults.inject({ kind: "status", status: 429, retryAfter: 0 }, { path: /byUpload$/ });
    await modules.startByUpload(id, uploadOf("PK"), forever);
    expect(await untilEnd(modules, id)).toMatchObject({ phase: "complete" });
    expect(sandbox.recorded.filter(({ path }) => path.endsWith("byUpload"))).toHaveLength(2);
  });
});
