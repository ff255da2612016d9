import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

const password = "sandbox-password";

describe("approvals", () => {
  it("make and change processes, and give those of a category to its new guides only", async () => {
    const { send, get, makeGuide, makeWiki } = await startService();
    const { wikiid } = await makeWiki("CATEGORY", "Frames");
    const old = await makeGuide();
    for (const body of [{ name: "A" }, { name: "A", stages: [] }, { name: "A", stages: [{}], more: 1 }]) {
      expect((await send("POST", "/approvals/process", body)).status).toBe(422);
    }
    const stages = [{ userid: 1, signatures: 1 }];
    const made = await send("POST", "/approvals/process", { name: "Bench", stages });
    expect(made).toMatchObject({ status: 201, body: { approval_processid: 1, workspaceid: null, stages } });
    const patched = await send("PATCH", "/approvals/process/1", { name: "The bench" });
    expect(patched.body).toMatchObject({ name: "The bench", stages });
    expect((await send("PATCH", "/approvals/process/9", {})).status).toBe(404);
    expect((await send("PUT", `/approvals/${wikiid}/9`)).status).toBe(404);
    expect((await send("PUT", "/approvals/99/1")).status).toBe(404);
    expect((await send("PUT", `/approvals/${wikiid}/1`)).status).toBe(200);
    const guide = await makeGuide();
    expect((await get(`/guides/${old.guideid}/approvalProcesses`)).body).toEqual([]);
    expect((await get(`/guides/${guide.guideid}/approvalProcesses`)).body).toMatchObject([{ name: "The bench" }]);
    expect((await send("DELETE", `/approvals/${wikiid}`)).status).toBe(204);
    const last = await makeGuide();
    expect((await get(`/guides/${last.guideid}/approvalProcesses`)).body).toEqual([]);
    expect((await get("/approvals/process/search/BENCH")).body).toHaveLength(1);
    expect((await get(`/approvals/process/candidates/guide/${guide.guideid}`)).body).toHaveLength(1);
    expect((await get("/approvals/process/candidates/course/1")).status).toBe(400);
    expect((await get("/approvals/process/candidates/wiki/99")).status).toBe(404);
  });

  it("hold a release back until every stage is signed with the password", async () => {
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE });
    const { userid } = sandbox.credentials;
    sandbox.edit.setRow("processes", { approval_processid: 1, stages: [{ userid: 5 }, { teamid: 2, signatures: 2 }] });
    const release = await send("POST", "/guides/releases", { guideid: 1, title: "3.0" });
    expect(release).toMatchObject({ status: 201, body: { status: "pending", publish_date: null } });
    const [request] = (await get("/approvals/requests?offset=3")).body;
    const id = String(request["approval_requestid"]);
    expect(request).toMatchObject({
      docid: 1,
      userid,
      status: "pending",
      stage: 1,
      releaseid: release.body["releaseid"],
    });
    expect((await get("/approvals/process/1")).body["pending_requests"]).toMatchObject([{ docid: 1 }]);
    const sign = `/approvals/request/sign/${id}`;
    expect((await send("POST", sign, { approved: true, password })).status).toBe(403);
    expect((await send("POST", sign, { approved: false, password })).body.errors).toMatchObject([{ field: "note" }]);
    expect((await send("POST", `${sign}/token`, { approved: true, token: "x" })).status).toBe(403);
    sandbox.edit.setRow("processes", { approval_processid: 1, stages: [{ userid }] });
    expect((await send("POST", sign, { approved: true, password: "wrong" })).body.message).toBe(
      "The password is wrong.",
    );
    expect((await send("POST", sign, { approved: true, password })).body).toMatchObject({ status: "approved" });
    expect((await send("POST", sign, { approved: true, password })).status).toBe(422);
    expect((await get("/guides/1/releases")).body[0]).toMatchObject({ title: "3.0", status: "released" });
    expect((await get(`/approvals/request/${id}`)).body).toMatchObject({
      process: { approval_processid: 1 },
      stages: [{ userid }],
    });
  });
});

describe("releases", () => {
  it("come out at once or on their day, can be changed and cancelled while they wait, by their author or an admin", async () => {
    let now = 1_000_000;
    const { send, get, sandbox, makeGuide } = await startService({ now: () => now * 1000 });
    await makeGuide();
    for (const body of [{}, { guideid: 9 }, { guideid: 1, type: "huge" }, { guideid: 1, langid: "de" }]) {
      expect((await send("POST", "/guides/releases", body)).status).toBe(422);
    }
    expect((await send("POST", "/guides/releases", { guideid: 1 })).body).toMatchObject({
      releaseid: 1,
      status: "released",
      type: "major",
      title: "1.0",
      publish_date: now,
    });
    const waiting = { guideid: 1, title: "1.1", type: "minor", release_date: now + 500 };
    expect((await send("POST", "/guides/releases", waiting)).body.status).toBe("pending");
    sandbox.edit.createWiki({ namespace: "WIKI", title: "Rules", contents: "" });
    expect((await send("PATCH", "/guides/releases/2", { notes: "Soon." })).body["notes"]).toBe("Soon.");
    expect((await send("PATCH", "/guides/releases/1", { notes: "Late." })).status).toBe(422);
    expect((await send("DELETE", "/guides/releases/1")).status).toBe(422);
    expect((await send("DELETE", "/guides/releases/9")).status).toBe(404);
    now += 500;
    expect((await get("/guides/1/releases")).body).toMatchObject([
      { releaseid: 2, status: "released" },
      { releaseid: 1 },
    ]);
    const early = sandbox.edit.releaseGuide(1, { title: "1.2", release_date: now + 9 });
    const out = await send("PATCH", `/guides/releases/${early}`, { release_date: null });
    expect(out.body).toMatchObject({ status: "released", publish_date: now });
    const third = sandbox.edit.releaseGuide(1, { title: "2.0", release_date: now + 9 });
    expect((await send("DELETE", `/guides/releases/${third}`)).status).toBe(204);
    expect((await get("/guides/releases")).body["releases"]).toMatchObject([
      { releaseid: 1 },
      { releaseid: 2 },
      { releaseid: early },
      { releaseid: third, status: "cancelled" },
    ]);
  });

  it("can be the prerequisites of guides, on dozuki", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const body = { category: "Wren 40", type: "how-to", title: "Next" };
    const needs = (guideid: number, releaseid: number | null) => ({
      ...body,
      prerequisite_releases: [{ guideid, releaseid }],
    });
    for (const wrong of [needs(1, 77), needs(404, null)]) {
      expect((await send("POST", "/guides", wrong)).body.errors).toMatchObject([{ field: "prerequisite_releases" }]);
    }
    expect((await send("POST", "/guides", needs(1, 9))).body.prerequisites).toMatchObject([{ guideid: 1 }]);
    const { body: latest } = await send("POST", "/guides", needs(2, null));
    expect((await get(`/guides/${latest.guideid}`)).body.prerequisites).toMatchObject([{ guideid: 2 }]);
    const without = await startService({ site: SAMPLE_SITE, disabled: ["releases"] });
    expect((await without.send("POST", "/guides", needs(1, 9))).status).toBe(422);
    const ifixit = await startService({ dialect: "ifixit" });
    await ifixit.makeGuide();
    const foreign = { category: "Frames", type: "technique", prerequisite_releases: [] };
    expect((await ifixit.send("POST", "/guides", foreign)).status).toBe(422);
  });

  it("can't be cancelled by others", async () => {
    const { send, sandbox } = await startService({ site: SAMPLE_SITE });
    const release = sandbox.edit.releaseGuide(2, { release_date: 9_999_999_999 });
    expect((await send("DELETE", `/guides/releases/${release}`, undefined, sandbox.tokenOf(5))).status).toBe(403);
    expect((await send("POST", "/guides/releases", { guideid: 2 }, sandbox.tokenOf(11))).status).toBe(403);
  });

  it("are copied into guides of their own, and wikis have them too", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const wrong = { guides: [{ guideid: 1, releaseid: 77 }] };
    expect((await send("POST", "/guides/duplicateReleases", wrong)).status).toBe(422);
    const copies = await send("POST", "/guides/duplicateReleases", { guides: [{ guideid: 1, releaseid: 9 }] });
    const [copy] = copies.body;
    const original = (await get("/guides/1?excludePrerequisiteSteps")).body;
    expect(copies).toMatchObject({ status: 201, body: [{ title: original.title, public: false }] });
    expect(copy.guideid).not.toBe(1);
    expect((await get(`/guides/${copy.guideid}?excludePrerequisiteSteps`)).body.steps[0].stepid).not.toBe(
      original.steps[0].stepid,
    );
    const release = await send("POST", "/wikis/700/releases", { notes: "Autumn." });
    expect(release).toMatchObject({
      status: 201,
      body: { wikiid: 700, title: "Loomworks Handbook", notes: "Autumn." },
    });
    expect((await send("DELETE", `/wikis/releases/${release.body["releaseid"]}`)).status).toBe(204);
    expect((await send("DELETE", `/wikis/releases/${release.body["releaseid"]}`)).status).toBe(404);
    expect((await send("POST", "/wikis/77777/releases", {})).status).toBe(404);
  });
});

describe("periodic reviews", () => {
  it("hang documents on schedules, and a review may ask for a change", async () => {
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE });
    const mio = sandbox.tokenOf(11);
    const plan = { title: "Dye pots", interval_months: 3, reviewers: [11] };
    expect((await send("POST", "/periodic_review", { ...plan, reviewers: [] })).status).toBe(422);
    const { body } = await send("POST", "/periodic_review", plan);
    expect(body).toMatchObject({ prsid: 3, ...plan });
    const documents = [{ doctype: "guide", docid: 25 }];
    const wrong = { prsid: 3, documents: [{ doctype: "guide", docid: 404 }] };
    expect((await send("POST", "/periodic_review/documents", wrong)).status).toBe(422);
    expect((await send("POST", "/periodic_review/documents", { prsid: 3, documents })).body).toMatchObject([
      { prdid: 4, title: "Dye a Skein with Madder" },
    ]);
    expect((await get("/periodic_review/guide/25")).body).toMatchObject({ prsid: 3, prdid: 4 });
    expect((await get("/periodic_review/wiki/25")).status).toBe(404);
    expect((await get("/periodic_review/documents/11")).body).toHaveLength(3);
    const review = { prdid: 4, result: "change_requested", notes: "Cooler." };
    expect((await send("POST", "/periodic_review/review", { ...review, notes: "" }, mio)).status).toBe(422);
    expect((await send("POST", "/periodic_review/review", review, sandbox.tokenOf(3))).status).toBe(403);
    expect((await send("POST", "/periodic_review/review", review, mio)).status).toBe(201);
    expect((await get("/periodic_review/reviews/11", mio)).body).toHaveLength(3);
    expect((await get("/periodic_review/requests/11", mio)).body).toMatchObject([{}, { notes: "Cooler." }]);
    expect((await send("DELETE", "/periodic_review/documents", { prdids: [4, 99] })).status).toBe(204);
    expect((await send("DELETE", "/periodic_review/2")).status).toBe(204);
    expect((await get("/periodic_review/documents/11")).body).toEqual([]);
    expect((await get("/periodic_review/2")).status).toBe(404);
  });
});
