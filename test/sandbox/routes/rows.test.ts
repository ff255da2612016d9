import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

const MIO = 11;

describe("families of which only paths are public", () => {
  it("keep a body as it comes, and show, change and remove it by its number", async () => {
    const { send, get } = await startService();
    const made = await send("POST", "/approvals/process", { name: "Bench", anything: [1] });
    expect(made).toMatchObject({ status: 201, body: { approval_processid: 1, name: "Bench", anything: [1] } });
    const changed = await send("PATCH", "/approvals/process/1", { name: "The bench" });
    expect(changed).toMatchObject({ status: 200, body: { name: "The bench", anything: [1] } });
    expect((await get("/approvals/process/1")).body).toEqual(changed.body);
    expect((await get("/approvals/processes")).body).toEqual([changed.body]);
    expect((await get("/approvals/process/search/BENCH")).body).toHaveLength(1);
    expect((await get("/approvals/process/search/lathe")).body).toEqual([]);
    expect((await send("PATCH", "/approvals/process/9", {})).status).toBe(404);
    expect((await get("/approvals/process/9")).status).toBe(404);
    expect((await send("POST", "/approvals/process", [])).status).toBe(422);
    expect((await send("PUT", "/approvals/77/1")).body).toEqual({ wikiid: 77, approval_processid: 1 });
    expect((await send("DELETE", "/approvals/77")).status).toBe(204);
    expect((await send("DELETE", "/approvals/77")).status).toBe(404);
  });

  it("are found by the fields of a path, also in lists in a row", async () => {
    const { get, send } = await startService({ site: SAMPLE_SITE });
    expect((await get("/periodic_review/guide/7")).body).toMatchObject({ prdid: 2 });
    expect((await get("/periodic_review/wiki/7")).status).toBe(404);
    expect((await get("/periodic_review/documents/11")).body).toMatchObject([{ prdid: 2 }, { prdid: 3 }]);
    expect((await get("/work_log/1/suspended")).body).toMatchObject({ results: [{ entryid: 2 }] });
    expect((await get("/work_log?workorderid=W40-0107")).body).toMatchObject({ results: [{ entryid: 1 }] });
    expect((await get("/step_forms/stepid/213")).body).toMatchObject({ form_revisionid: 3 });
    expect((await get("/step_forms/field_revisionid/4")).body).toMatchObject({ form_revisionid: 2 });
    expect((await send("POST", "/step_forms/213", { fields: [] })).body).toMatchObject({ form_revisionid: 4 });
    expect((await get("/step_forms/stepid/213")).body).toMatchObject({ form_revisionid: 4, fields: [] });
  });

  it("show and change rows of a person for that person and admins only", async () => {
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE });
    const mio = sandbox.tokenOf(MIO);
    expect((await get("/work_log", mio)).body).toMatchObject({ results: [{ entryid: 1 }, { entryid: 3 }] });
    expect((await send("POST", "/work_log/2/pause", {}, mio)).status).toBe(403);
    expect((await send("POST", "/work_log/3/pause", { status: "paused" }, mio)).body).toMatchObject({
      status: "paused",
    });
    const started = await send("POST", "/work_log", { guideid: 1, workorderid: "W40-0110" }, mio);
    expect(started).toMatchObject({ status: 201, body: { entryid: 5, userid: MIO } });
    expect((await send("PATCH", "/users/3", { summary: "No." }, mio)).status).toBe(403);
    expect((await send("PATCH", "/users/11", { summary: "Knots." }, mio)).body).toMatchObject({ summary: "Knots." });
    expect((await get("/users/11", mio)).body).toMatchObject({ summary: "Knots.", email: "mio@loomworks.example" });
  });

  it("list quizzes by their last release without their questions, and remember categories of deleted ones", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const quizzes = async () => (await get("/quizzes")).body.map((row) => row["quizid"]);
    expect(await quizzes()).toEqual([2, 1]);
    expect((await get("/quizzes")).body[0]).not.toHaveProperty("survey");
    expect((await send("POST", "/quizzes/getQuizzes", {})).body).toEqual((await get("/quizzes")).body);
    expect((await get("/quizzes/1")).body).toMatchObject({ title: "Do you know your Wren?", pages: [{}] });
    const survey = { title: "Knots", pages: [] };
    const { body } = await send("POST", "/quizzes/import", survey);
    expect((await get(`/quizzes/${body["quizid"]}`)).body).toMatchObject(survey);
    const categories = (await get("/quizzes/categories")).body;
    expect(categories).toEqual([{ name: "Dyeing" }, { name: "Safety" }, { name: "Wren 40" }]);
    expect((await send("POST", "/quizzes/delete", { quizids: [1, 99] })).status).toBe(204);
    expect(await quizzes()).toEqual([2, 4]);
    expect((await get("/quizzes/1")).status).toBe(404);
    expect((await get("/quizzes/categories")).body).toEqual(categories);
  });
});
