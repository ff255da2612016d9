import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

const lines = (count: number) => Array.from({ length: count }, () => "x").join("\n");

/** A field of a guide, a value that is refused, the code of the refusal. */
const REFUSED: readonly (readonly [field: string, value: unknown, code?: string])[] = [
  ["category", "frames"],
  ["type", "upgrade"],
  ["title", 5],
  ["summary", "x".repeat(156)],
  ["introduction", lines(50)],
  ["conclusion", null],
  ["difficulty", "Mittel"],
  ["difficulty", ""],
  ["time_required_min", -1],
  ["time_required_max", "5"],
  ["image", 7],
  ["image", null],
  ["flags", ["GUIDE_USER_CONTRIBUTED", "GUIDE_PATAGONIA"]],
  ["flags", "GUIDE_STARRED"],
  ["prerequisites", [99]],
  ["documents", [99]],
  ["featured_documentid", 99],
  ["parts", [{ name: "" }]],
  ["parts", [{ name: "Nail", quantity: 0 }]],
  ["parts", [{ name: "Nail", quantity: 1.5 }]],
  ["parts", [{ name: "Nail", notes: null }]],
  ["objectid", 99],
  ["public", "yes"],
  ["author", 99],
  ["langid", "xx"],
  ["work_log_enabled", 1],
  ["revisionid", 5, "unknown_field"],
  ["introduction_raw", "x", "unknown_field"],
  ["steps", [], "unknown_field"],
  ["tags", [], "unknown_field"],
  ["prerequisite_releases", [{ guideid: 404, releaseid: null }], "invalid_value"],
];

const TAKEN: Readonly<Record<string, unknown>> = {
  summary: "x".repeat(155),
  introduction: lines(49),
  conclusion: "Done.",
  difficulty: "Very difficult",
  time_required_min: 90,
  time_required_max: 5400,
  time_required: "anything",
  flags: ["GUIDE_STARRED"],
  langid: "en",
  work_log_enabled: true,
};

describe("writing guides", () => {
  it.each(REFUSED)(
    "refuses %s %j when creating and when changing, and keeps the guide as it was",
    async (field, value, code) => {
      const { send, makeGuide, sandbox } = await startService();
      const guide = await makeGuide();
      const before = sandbox.state();
      const create = await send("POST", "/guides", { category: "Frames", type: "how-to", [String(field)]: value });
      const change = await send("PATCH", `/guides/1?revisionid=${guide.guide_revisionid}`, { [String(field)]: value });
      for (const answer of [create, change]) {
        expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
        expect(answer.body.errors[0].field).toMatch(new RegExp(`^${field}`));
        expect(answer.body.errors[0].code).toBe(code ?? "invalid_value");
      }
      expect(sandbox.state()).toEqual(before);
    },
  );

  it.each(["category", "type"])("needs %s", async (field) => {
    const { send, makeGuide } = await startService();
    await makeGuide();
    const body = { category: "Frames", type: "how-to", [field]: undefined };
    const answer = await send("POST", "/guides", body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, code: "missing_field" }] } });
  });

  it("takes every other field and reads it back under its reading name", async () => {
    const { get, makeGuide } = await startService();
    await makeGuide({ ...TAKEN, title: "  Plane \n it ", public: true });
    const { body } = await get("/guides/1");
    expect(body).toMatchObject({
      title: "Plane it",
      summary: "x".repeat(155),
      introduction_raw: lines(49),
      conclusion_raw: "Done.",
      difficulty: "Very difficult",
      time_required: "1 minute - 1 hour",
      time_required_min: 90,
      time_required_max: 5400,
      public: true,
      work_log_enabled: true,
      langid: "en",
    });
    expect(body).not.toHaveProperty("tags");
  });

  it("is private by default, builds a missing title, and adds the flags that a server adds", async () => {
    const { makeGuide } = await startService({ dialect: "dozuki" });
    const guide = await makeGuide({ title: undefined, subject: "Leg", flags: ["GUIDE_STARRED"] });
    expect(guide).toMatchObject({ public: false, title: "Frames Leg How-to" });
    expect(guide.flags.map((flag: { flagid: string }) => flag.flagid)).toEqual([
      "GUIDE_STARRED",
      "GUIDE_USER_CONTRIBUTED",
      "GUIDE_IN_PROGRESS",
    ]);
  });

  it("wants privileged flags repeated and lets others go", async () => {
    const { send, makeGuide } = await startService({ dialect: "dozuki" });
    const guide = await makeGuide();
    const path = `/guides/1?revisionid=${guide.guide_revisionid}`;
    expect((await send("PATCH", path, { flags: [] })).status).toBe(422);
    const { status, body } = await send("PATCH", path, { flags: ["GUIDE_USER_CONTRIBUTED"] });
    expect(status).toBe(200);
    expect(body.flags).toMatchObject([{ flagid: "GUIDE_USER_CONTRIBUTED" }]);
  });

  it("keeps text the way a server does: LF, no blanks at line ends", async () => {
    const { makeGuide } = await startService();
    const guide = await makeGuide({ introduction: "one  \r\ntwo\t\r\n\r\n", summary: " x " });
    expect(guide.introduction_raw).toBe("one\ntwo");
    expect(guide.summary).toBe(" x");
  });

  it("makes item pages for parts and tools that have none, and leaves existing ones alone", async () => {
    const { get, makeGuide, makeWiki } = await startService();
    await makeWiki("ITEM", "Wood glue", { description: "the white one" });
    const parts = [
      { name: "Wood_glue", quantity: 2, summary: "ignored" },
      { name: '1/2" nail', summary: "short", url: "https://shop.example/1" },
    ];
    const guide = await makeGuide({ parts, tools: [{ name: "Hammer", notes: "heavy", type: "steel" }] });
    expect(guide.parts).toMatchObject([
      { text: "Wood glue", quantity: 2, notes: null, type: "", url: "/Item/Wood_glue" },
      { text: '1/2" nail', quantity: 1 },
    ]);
    expect(guide.tools).toMatchObject([{ text: "Hammer", notes: "heavy", type: "steel" }]);
    expect((await get("/wikis/ITEM/Wood%20glue")).body.description).toBe("the white one");
    expect((await get(`/wikis/ITEM/${encodeURIComponent('1/2" nail')}`)).body).toMatchObject({
      description: "short",
      suppliers: [{ url: "https://shop.example/1" }],
    });
  });

  it("inlines the steps of prerequisites once each, before its own, also around a cycle, unless the flag is there", async () => {
    const { send, get, makeGuide, makeStep } = await startService();
    const first = await makeGuide({ title: "first", public: true });
    await makeGuide({ title: "second", prerequisites: [1], public: true });
    for (const guideid of [1, 2]) await makeStep(guideid);
    const { guide_revisionid } = (await get("/guides/1")).body;
    await send("PATCH", `/guides/1?revisionid=${guide_revisionid}`, { prerequisites: [2] });
    const stepsOf = async (path: string) =>
      (await get(path)).body.steps.map((step: { guideid: number; orderby: number }) => [step.guideid, step.orderby]);
    expect(first.prerequisites).toEqual([]);
    expect(await stepsOf("/guides/2")).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(await stepsOf("/guides/2?excludePrerequisiteSteps")).toEqual([[2, 1]]);
    expect(await stepsOf("/guides/2?excludePrerequisiteSteps=false")).toEqual([[2, 1]]);
    expect((await get("/guides/2")).body.prerequisites).toMatchObject([
      { guideid: 1, title: "first", dataType: "guide" },
    ]);
    expect((await send("PATCH", `/guides/1?revisionid=1`, { prerequisites: [1] })).status).toBe(409);
  });

  it("deletes for good, answers 404 and 403 afterwards, and restores for an admin", async () => {
    const { send, get, makeGuide } = await startService();
    const { guide_revisionid } = await makeGuide({ public: true });
    expect((await send("DELETE", "/guides/1")).body.errors).toMatchObject([
      { field: "revisionid", code: "missing_field" },
    ]);
    expect((await send("DELETE", `/guides/1?revisionid=${guide_revisionid}`)).status).toBe(204);
    expect((await get("/guides/1")).status).toBe(404);
    expect(await get("/guides/1/tags")).toMatchObject({ status: 403, body: { message: "Guide is private." } });
    expect((await get("/guides/77/users")).status).toBe(403);
    expect((await send("DELETE", `/guides/1?revisionid=${guide_revisionid}`)).status).toBe(404);
    expect((await send("POST", "/guides/1/en/restore")).status).toBe(200);
    expect((await get("/guides/1")).status).toBe(200);
  });

  it("needs a subject where the type asks for one", async () => {
    const { send, makeGuide } = await startService({ dialect: "ifixit" });
    await makeGuide({ type: "technique" });
    const body = { category: "Frames", type: "repair" };
    expect((await send("POST", "/guides", body)).body.errors).toMatchObject([{ field: "subject" }]);
    expect((await send("POST", "/guides", { ...body, subject: "Leg" })).status).toBe(201);
  });

  it("names the types that it takes when a type is not allowed", async () => {
    const { send, makeGuide } = await startService({ guideTypes: ["how-to"] });
    await makeGuide();
    const answer = await send("POST", "/guides", { category: "Frames", type: "repair" });
    expect(answer.body.message).toBe("Invalid guide type, accepted are: how-to");
  });
});
