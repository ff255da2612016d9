import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

const LINES = [{ text: "Cut.", bullet: "black", level: 0 }];

describe("revisions", () => {
  it("show three numbers of a dozuki guide that never coincide, the list its own", async () => {
    const { get, makeGuide, makeStep } = await startService({ dialect: "dozuki" });
    await makeGuide({ public: true });
    await makeStep(1);
    const full = (await get("/guides/1")).body;
    const [row] = (await get("/guides")).body;
    expect(row.guide_revisionid).toBe(full.guide_revisionid);
    const numbers = [full.guide_revisionid, full.revisionid, row.revisionid, full.steps[0].revisionid];
    expect(new Set(numbers).size).toBe(4);
  });

  it("show one number of an ifixit guide, the same in the list", async () => {
    const { get, makeGuide } = await startService({ dialect: "ifixit" });
    await makeGuide({ public: true });
    const full = (await get("/guides/1")).body;
    const [row] = (await get("/guides")).body;
    expect(full).not.toHaveProperty("guide_revisionid");
    expect(row).not.toHaveProperty("guide_revisionid");
    expect(row.revisionid).toBe(full.revisionid);
  });

  it.each([
    ["dozuki", "guide_revisionid", "revisionid"],
    ["dozuki", "revisionid", "guide_revisionid"],
  ] as const)("on %s are asked for as %s when so set, and %s conflicts", async (dialect, field, other) => {
    const { send, makeGuide } = await startService({ dialect, revisionField: field });
    const guide = await makeGuide();
    expect((await send("PATCH", `/guides/1?revisionid=${guide[other]}`, { title: "B" })).status).toBe(409);
    expect((await send("PATCH", `/guides/1?revisionid=${guide[field]}`, { title: "B" })).status).toBe(200);
  });

  it("are new after every change and old after a write of equal values", async () => {
    const { send, makeGuide } = await startService();
    const guide = await makeGuide({ title: "A", parts: [{ name: "Nail" }], flags: ["GUIDE_STARRED"] });
    const same = { title: " A ", parts: [{ name: "Nail", quantity: 1 }], summary: "" };
    const unchanged = await send("PATCH", `/guides/1?revisionid=${guide.guide_revisionid}`, same);
    expect(unchanged.body).toEqual(guide);
    const changed = await send("PATCH", `/guides/1?revisionid=${guide.guide_revisionid}`, { title: "B" });
    expect(changed.body.guide_revisionid).toBeGreaterThan(guide.guide_revisionid);
    expect(changed.body.revisionid).toBeGreaterThan(guide.revisionid);
  });

  it("of a guide and a step both change with a step, the guide's not with its tags and viewers", async () => {
    const { send, get, makeGuide, makeStep } = await startService();
    const empty = await makeGuide();
    const guide = await makeStep(1);
    expect(guide.guide_revisionid).not.toBe(empty.guide_revisionid);
    const [step] = guide.steps;
    const changed = await send("PATCH", `/guides/1/steps/1?revisionid=${step.revisionid}`, { title: "B" });
    expect(changed.body).toMatchObject({ stepid: 1, title: "B" });
    expect(changed.body.revisionid).not.toBe(step.revisionid);
    const after = (await get("/guides/1")).body;
    expect(after.guide_revisionid).not.toBe(guide.guide_revisionid);
    await send("PUT", "/guides/1/tag", { tag: "oak" });
    await send("PUT", "/guides/1/users/1");
    expect((await get("/guides/1")).body.guide_revisionid).toBe(after.guide_revisionid);
  });

  it("that are wrong give 409 with the current resource, of its own kind, and change nothing", async () => {
    const { send, sandbox, makeGuide, makeStep, makeWiki } = await startService();
    await makeGuide();
    await makeStep(1);
    await makeWiki("WIKI", "Glue");
    const before = sandbox.state();
    const conflicts: readonly (readonly [string, string, unknown, unknown])[] = [
      ["PATCH", "/guides/1", { title: "B" }, { guideid: 1, steps: [{ stepid: 1 }] }],
      ["DELETE", "/guides/1", undefined, { guideid: 1 }],
      ["PUT", "/guides/1/public", {}, { guideid: 1, public: false }],
      ["PUT", "/guides/1/steporder", { stepids: [1] }, { guideid: 1 }],
      ["PATCH", "/guides/1/steps/1", { title: "B" }, { stepid: 1, revisionid: expect.any(Number) }],
      ["DELETE", "/guides/1/steps/1", undefined, { stepid: 1 }],
      ["PATCH", "/wikis/WIKI/Glue", { contents: "B" }, { namespace: "WIKI", title: "Glue" }],
      ["DELETE", "/wikis/WIKI/Glue", undefined, { title: "Glue" }],
      ["PATCH", "/wikis/CATEGORY/Frames", { contents: "B" }, { title: "Frames", revisionid: expect.any(Number) }],
      ["PUT", "/wikis/CATEGORY/Frames/parent", { parent: null }, { title: "Frames", revisionid: expect.any(Number) }],
    ];
    for (const [method, path, body, current] of conflicts) {
      expect(await send(method, `${path}?revisionid=999999`, body)).toMatchObject({ status: 409, body: current });
      const missing = await send(method, path, body);
      expect(missing.body.errors).toMatchObject([{ field: "revisionid", code: "missing_field" }]);
    }
    expect(sandbox.state()).toEqual(before);
  });

  it("count only in the query: one in the body of publish is not seen", async () => {
    const { send, makeGuide } = await startService();
    const { guide_revisionid: revisionid } = await makeGuide();
    expect((await send("PUT", "/guides/1/public", { revisionid })).status).toBe(422);
    const published = await send("PUT", `/guides/1/public?revisionid=${revisionid}`, {});
    expect(published).toMatchObject({ status: 200, body: { public: true } });
    const again = await send("PUT", `/guides/1/public?revisionid=${published.body.guide_revisionid}`);
    expect(again.body.guide_revisionid).toBe(published.body.guide_revisionid);
    const hidden = await send("DELETE", `/guides/1/public?revisionid=${again.body.guide_revisionid}`);
    expect(hidden).toMatchObject({ status: 200, body: { public: false } });
  });

  it("of somebody else's edit conflict with ours", async () => {
    const { send, sandbox, makeGuide } = await startService();
    const { guide_revisionid } = await makeGuide();
    sandbox.edit.guide(1, { title: "Theirs" });
    const ours = await send("PATCH", `/guides/1?revisionid=${guide_revisionid}`, { title: "Ours" });
    expect(ours).toMatchObject({ status: 409, body: { title: "Theirs" } });
  });

  it("of a pending edit are shown with unpatrolled only, and are the ones to edit against", async () => {
    const { send, get, sandbox, makeGuide, makeWiki } = await startService();
    const guide = await makeGuide({ title: "Approved" });
    sandbox.edit.pendGuide(1, { title: "Pending" });
    expect((await get("/guides/1")).body.title).toBe("Approved");
    const pending = (await get("/guides/1?unpatrolled=false")).body;
    expect(pending.title).toBe("Pending");
    expect((await send("PATCH", `/guides/1?revisionid=${guide.guide_revisionid}`, { summary: "x" })).status).toBe(409);
    expect((await send("PATCH", `/guides/1?revisionid=${pending.guide_revisionid}`, { summary: "x" })).status).toBe(
      200,
    );
    expect((await get("/guides/1")).body).toMatchObject({ title: "Pending", summary: "x" });
    await makeWiki("WIKI", "Glue");
    sandbox.edit.pendWiki("WIKI", "Glue", { contents: "Pending" });
    expect((await get("/wikis/WIKI/Glue")).body.contents_raw).toBe("");
    expect((await get("/wikis/WIKI/Glue?unpatrolled")).body.contents_raw).toBe("Pending");
  });

  it("are not asked for by a new step, and steps go through their own guide", async () => {
    const { send, makeGuide, makeStep } = await startService();
    await makeGuide();
    await makeGuide({ prerequisites: [1] });
    const { steps } = await makeStep(1);
    const foreign = await send("PATCH", `/guides/2/steps/1?revisionid=${steps[0].revisionid}`, { lines: LINES });
    expect(foreign.status).toBe(404);
    const removed = await send("DELETE", `/guides/1/steps/1?revisionid=${steps[0].revisionid}`);
    expect(removed).toMatchObject({ status: 200, body: { guideid: 1, steps: [] } });
  });
});
