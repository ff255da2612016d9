import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

describe("what hangs on a guide", () => {
  it("lets people and teams see it: 201 with the list after adding, 200 with an object after taking away", async () => {
    const { sandbox, send, get, makeGuide } = await startService();
    await makeGuide();
    const { userid } = sandbox.credentials;
    const added = await send("PUT", `/guides/1/users/${userid}`);
    expect(added).toMatchObject({ status: 201, body: [{ userid }] });
    expect(added.body[0]).not.toHaveProperty("privileges");
    expect((await get("/guides/1/users")).body).toEqual(added.body);
    expect(await send("DELETE", "/guides/1/users/77")).toMatchObject({ status: 200, body: { users: [{ userid }] } });
    expect((await send("PUT", "/guides/1/users/77")).status).toBe(404);
    const teams = { guideTeams: [], canIViewGuide: true, canIEditGuide: true, canIChangeGuidePrivacy: true };
    expect((await get("/guides/1/teams")).body).toEqual(teams);
    expect(await send("DELETE", "/guides/1/teams/3")).toMatchObject({ status: 200, body: teams });
    expect((await send("PUT", "/guides/88/users/1")).status).toBe(403);
  });

  it("is completed without a body to speak of, twice if need be", async () => {
    const { send, get, makeGuide } = await startService();
    await makeGuide();
    for (const completed of [true, true, false, false]) {
      expect((await send(completed ? "PUT" : "DELETE", "/guides/1/completed", {})).status).toBe(204);
      expect((await get("/guides/1")).body.completed).toBe(completed);
    }
  });

  it("answers its releases, and all of them as an object, on dozuki only", async () => {
    const dozuki = await startService();
    await dozuki.makeGuide();
    expect((await dozuki.get("/guides/1/releases")).body).toEqual([]);
    expect((await dozuki.get("/guides/releases")).body).toEqual({ releases: [] });
    const ifixit = await startService({ dialect: "ifixit" });
    expect((await ifixit.get("/guides/releases")).status).toBe(404);
  });

  it("takes comments of 12 to 4096 characters, replies one level deep, and gives them a date and an author of its own", async () => {
    const { sandbox, send, get, makeGuide, makeStep } = await startService({ now: () => 7000 });
    await makeGuide();
    await makeStep(1);
    const comment = (path: string, body: unknown) => send("POST", path, body);
    for (const body of [{ text: "too short" }, { text: "x".repeat(4097) }, {}, { text: "x".repeat(12), author: 5 }]) {
      expect((await comment("/comments/guide/1", body)).status).toBe(422);
    }
    const first = await comment("/comments/guide/1", { text: "Well sharpened." });
    expect(first).toMatchObject({
      status: 201,
      body: { commentid: 1, date: 7, modified_date: 0, locale: null, author: { userid: sandbox.credentials.userid } },
    });
    expect((await comment("/comments/step/1", { text: "Which stone is it?" })).status).toBe(201);
    expect((await comment("/comments/guide/1", { text: "Thank you, Kit.", parentid: 1 })).body.parentid).toBe(1);
    expect((await comment("/comments/guide/1", { text: "And so on and on.", parentid: 3 })).status).toBe(422);
    expect((await comment("/comments/guide/9", { text: "Nobody is here." })).status).toBe(404);
    expect((await comment("/comments/info/1", { text: "Nobody is here." })).status).toBe(400);
    const guide = (await get("/guides/1")).body;
    expect(guide.comments).toMatchObject([{ commentid: 1, replies: [{ commentid: 3 }] }]);
    expect(guide.steps[0].comments).toMatchObject([{ commentid: 2 }]);
    expect((await send("PATCH", "/comments/2", { text: "Which stone was it?" })).body.text_raw).toBe(
      "Which stone was it?",
    );
    expect((await get("/comments")).body).toHaveLength(2);
    expect((await get("/comments", null)).body).toEqual([]);
    expect((await send("DELETE", "/comments/1")).status).toBe(204);
    expect((await get("/comments/1")).body.status).toBe("deleted");
    expect((await get("/comments/3")).body.status).toBe("deleted");
    expect((await get("/guides/1")).body.comments).toEqual([]);
  });

  it("renders a line for a preview", async () => {
    const { send } = await startService();
    expect((await send("POST", "/guides/steps/lines/preview", "'''now'''")).body).toEqual({
      html: "<strong>now</strong>",
    });
    expect((await send("POST", "/guides/steps/lines/preview", {})).status).toBe(422);
  });

  it("may have another author, who must be somebody", async () => {
    const { sandbox, send, get, makeGuide } = await startService({ account: { userid: 5, username: "Kit" } });
    const guide = await makeGuide({ author: 5 });
    expect(guide.author).toMatchObject({ userid: 5, username: "Kit" });
    const answer = await send("PATCH", `/guides/1?revisionid=${guide.guide_revisionid}`, { author: 6 });
    expect(answer.body.errors).toMatchObject([{ field: "author" }]);
    expect(sandbox.credentials.userid).toBe(5);
    expect((await get("/users")).body).toMatchObject([{ userid: 5 }]);
  });
});

describe("the two dialects", () => {
  it("differ in what they have and how it reads", async () => {
    const answers = await Promise.all(
      (["dozuki", "ifixit"] as const).map(async (dialect) => {
        const { send, get, makeGuide, makeStep } = await startService({ dialect });
        await makeGuide({ public: true, parts: [{ name: "Nail", isoptional: true }] });
        await makeStep(1);
        const { body } = await get("/guides/1");
        const foreign = { category: "Frames", type: "how-to", work_log_enabled: true };
        return {
          uploads: (await send("POST", "/user/media/uploads?file=a.txt")).status,
          current: (await get("/user/media/current")).status,
          leaf: (await get("/categories")).body["Frames"],
          rowTags: (await get("/guides")).body[0].tags,
          workLog: "work_log_enabled" in body,
          written: (await send("POST", "/guides", foreign)).status,
          style: "bullet_style" in body.steps[0].lines[0],
          optional: body.parts[0].isoptional,
          difficulty: body.difficulty,
          category: (await get("/wikis/CATEGORY/Frames")).body.revisionid === null,
        };
      }),
    );
    expect(answers).toEqual([
      {
        uploads: 422,
        current: 200,
        leaf: {},
        rowTags: false,
        workLog: true,
        written: 201,
        style: true,
        optional: undefined,
        difficulty: "Moderate",
        category: true,
      },
      {
        uploads: 404,
        current: 404,
        leaf: null,
        rowTags: undefined,
        workLog: false,
        written: 422,
        style: false,
        optional: true,
        difficulty: null,
        category: false,
      },
    ]);
  });
});
