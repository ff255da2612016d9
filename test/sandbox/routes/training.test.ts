import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

const survey = { title: "Reeds", pages: [{ elements: [{ type: "text", name: "dents" }] }] };

describe("quizzes", () => {
  it("are sorted, filtered and searched alike by GET and by POST", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const titles = async (query: Readonly<Record<string, string | number>>) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
      );
      const [list, posted] = await Promise.all([get(`/quizzes?${search}`), send("POST", "/quizzes/getQuizzes", query)]);
      expect(posted.body).toEqual(list.body);
      return list.body.map((row) => row["quiz_title"]);
    };
    expect(await titles({})).toEqual(["Madder or not", "Do you know your Wren?"]);
    expect(await titles({ order: "ASC" })).toEqual(["Do you know your Wren?", "Madder or not"]);
    expect(await titles({ sort: "sessions_submitted" })).toEqual(["Do you know your Wren?", "Madder or not"]);
    expect(await titles({ category: "Dyeing" })).toEqual(["Madder or not"]);
    expect(await titles({ search: "wren 40 TABLE" })).toEqual(["Do you know your Wren?"]);
    expect(await titles({ limit: 1, offset: 1 })).toEqual(["Do you know your Wren?"]);
    expect((await get("/quizzes?sort=colour")).status).toBe(422);
    expect((await send("POST", "/quizzes/getQuizzes", { colour: 1 })).status).toBe(422);
    expect((await get("/quizzes/categories")).body).toEqual([
      { name: "Dyeing" },
      { name: "Safety" },
      { name: "Wren 40" },
    ]);
  });

  it("are made from SurveyJS, read as SurveyJS, tied to guides and wikis, deleted", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    expect((await send("POST", "/quizzes/import", { pages: [] })).status).toBe(422);
    const made = await send("POST", "/quizzes/import", survey);
    expect(made).toMatchObject({ status: 201, body: { quizid: 4, quiz_title: "Reeds" } });
    expect(made.body).not.toHaveProperty("survey");
    expect((await get("/quizzes/4")).body).toEqual(survey);
    const before = (await get("/guides/2")).body.guide_revisionid;
    const tied = await send("POST", "/quizzes/attach/guide", { quizid: 4, guideid: 2 });
    const after = (await get("/guides/2")).body.guide_revisionid;
    expect(tied.body).toMatchObject({ guideid: 2, guide_revisionid: after });
    expect(after).not.toBe(before);
    expect((await send("POST", "/quizzes/attach/guide", { quizid: 4, guideid: 404 })).status).toBe(422);
    expect((await send("POST", "/quizzes/attach/wiki", { quizid: 4, wikiid: 700 })).body).toMatchObject({
      wikiid: 700,
    });
    expect((await get("/guides?guideids=2")).body[0]["attachedQuiz"]).toMatchObject({ quizid: 4 });
    expect((await send("POST", "/quizzes/delete", { quizids: [4, 99] })).status).toBe(204);
    expect((await get("/quizzes/4")).status).toBe(404);
    expect((await get("/quizzes")).body).toHaveLength(2);
  });

  it("have one open session a person, which admins can end for all", async () => {
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE });
    const bram = sandbox.tokenOf(3);
    const answer = (quizid: number, dents: number) => ({ quizid, response_json: { dents } });
    expect((await send("POST", "/quizzes/sessions/cancel", { quizid: 1 }, bram)).status).toBe(204);
    expect((await send("POST", "/quizzes/sessions/save", answer(3, 1), bram)).status).toBe(422);
    const first = await send("POST", "/quizzes/sessions/save", answer(1, 8), bram);
    const again = await send("POST", "/quizzes/sessions/save", answer(1, 10), bram);
    expect(again.body).toMatchObject({ sessionid: first.body["sessionid"], response_json: { dents: 10 } });
    expect((await get(`/quizzes/submissions/${first.body["sessionid"]}`, bram)).status).toBe(404);
    expect((await send("POST", "/quizzes/sessions/submit", answer(1, 12), bram)).body.status).toBe("submitted");
    expect((await get(`/quizzes/submissions/${first.body["sessionid"]}`, bram)).body).toMatchObject({ quizid: 1 });
    expect((await get("/quizzes?sort=sessions_submitted")).body[0]["quizzes_submitted"]).toBe(3);
    expect((await get("/quizzes/sessions", bram)).body["quizSessions"]).toHaveLength(2);
    // Tilda owns the team that Bram and Mio are in.
    expect((await get("/quizzes/sessions", sandbox.tokenOf(1))).body["quizSessions"]).toHaveLength(4);
    expect((await get("/quizzes/sessions?query=eight")).body["quizSessions"]).toMatchObject([{ sessionid: 1 }]);
    const cancelled = await send("POST", "/quizzes/sessions/bulkCancel", { sessionids: [1, 3] });
    expect(cancelled.body["quizSessions"]).toMatchObject([{ sessionid: 3, status: "cancelled" }]);
    const invalid = await send("PATCH", "/quizzes/sessions/userInvalidateAll/3");
    expect(invalid.body["quizSessions"]).toMatchObject([{ status: "invalidated" }, { status: "invalidated" }]);
  });
});

describe("the work log", () => {
  it("starts, pauses, hands over, takes data and ends, each only from where it may", async () => {
    let now = 5000;
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE, now: () => now * 1000 });
    const mio = sandbox.tokenOf(11);
    expect((await send("POST", "/work_log", { guideid: 1 }, mio)).status).toBe(422);
    expect((await send("POST", "/work_log", { guideid: 404, workorderid: "A" }, mio)).status).toBe(422);
    expect((await send("POST", "/work_log?guideid=2&workorderid=B", undefined, mio)).status).toBe(201);
    const { body } = await send("POST", "/work_log", { guideid: 1, workorderid: "A" }, mio);
    const path = `/work_log/${body["entryid"]}`;
    const act = async (name: string, token = mio) => (await send("POST", `${path}/${name}`, {}, token)).status;
    expect(await act("resume")).toBe(422);
    expect(await act("pause")).toBe(200);
    expect((await send("PUT", `${path}/stepData`, { fields: { 5: "x" } }, mio)).status).toBe(403);
    expect(await act("suspend")).toBe(200);
    expect((await get("/work_log/1/suspended", mio)).body["results"]).toHaveLength(2);
    expect(await act("finish", sandbox.tokenOf(3))).toBe(403);
    expect(await act("assume", sandbox.tokenOf(3))).toBe(200);
    expect(await act("finish")).toBe(403);
    const data = await send("PUT", `${path}/stepData`, { fields: { 5: "x", 6: 1 } }, sandbox.tokenOf(3));
    expect([data.status, data.body]).toEqual([200, ""]);
    expect((await send("PUT", `${path}/stepData`, { fields: { 5: "y" } })).status).toBe(200);
    now += 60;
    expect((await send("POST", `${path}/finish`, {})).body).toEqual({
      endtime: now,
      max_form_revisionid: 0,
      guide_revisionid: 318,
    });
    expect(await act("cancel", sandbox.token)).toBe(422);
    const work_data = [
      { field_revisionid: 6, value: 1 },
      { field_revisionid: 5, value: "y" },
    ];
    expect((await get(path)).body).toMatchObject({ userid: 3, status: "complete", duration: 60, work_data });
    expect((await get("/work_log?workorderid=A&guideid=1")).body["results"]).toHaveLength(1);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });
});
