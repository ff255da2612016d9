import { describe, expect, it } from "vitest";
import { generatedPng } from "../../src/sandbox/media-bytes.js";
import { type Service, startService } from "./service.js";

const line = (fields: Readonly<Record<string, unknown>> = {}) => ({
  text: "Cut.",
  bullet: "black",
  level: 0,
  ...fields,
});

/** Fields of a step that are refused, and what the answer names. */
const REFUSED: readonly (readonly [name: string, body: Readonly<Record<string, unknown>>, field: string])[] = [
  ["no lines", { lines: [] }, "lines"],
  ["nine lines", { lines: Array.from({ length: 9 }, () => line()) }, "lines"],
  ["an empty line", { lines: [line({ text: "  " })] }, "lines.text"],
  ["a line of 351 characters", { lines: [line({ text: "x".repeat(351) })] }, "lines.text"],
  ["text_raw for text", { lines: [{ text_raw: "Cut.", bullet: "black", level: 0 }] }, "lines.text"],
  ["an unknown bullet", { lines: [line({ bullet: "pink" })] }, "lines.bullet"],
  ["no bullet", { lines: [line({ bullet: undefined })] }, "lines.bullet"],
  ["an unknown bullet style", { lines: [line({ bullet_styleid: 77 })] }, "lines.bullet_styleid"],
  ["a first line below the top", { lines: [line({ level: 1 })] }, "lines.level"],
  ["a line two levels deeper", { lines: [line(), line({ level: 2 })] }, "lines.level"],
  ["a level of three", { lines: [line(), line({ level: 1 }), line({ level: 2 }), line({ level: 3 })] }, "lines.level"],
  ["four images", { media: { type: "image", data: [1, 2, 3, 4] } }, "media.data"],
  ["an image that is not there", { media: { type: "image", data: [1] } }, "media.data"],
  ["a video as video", { media: { type: "video", data: 1 } }, "media.type"],
  ["an object that is not there", { media: { type: "object", data: 1 } }, "media.data"],
  ["an unknown field", { comments: [] }, "comments"],
];

/** Bullets of the site's own are dozuki's alone. */
async function withGuide(): Promise<Service> {
  const service = await startService({ dialect: "dozuki" });
  await service.makeGuide();
  return service;
}

describe("writing steps", () => {
  it.each(REFUSED)("refuses %s", async (_name, fields, field) => {
    const { send, makeStep } = await withGuide();
    const { steps } = await makeStep(1);
    const create = await send("POST", "/guides/1/steps", { orderby: 1, lines: [line()], ...fields });
    const change = await send("PATCH", `/guides/1/steps/1?revisionid=${steps[0].revisionid}`, fields);
    for (const answer of [create, change]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
  });

  it.each([
    ["orderby", { lines: [line()] }],
    ["lines", { orderby: 1, media: { type: "image", data: [] } }],
  ])("needs %s for a new step", async (field, body) => {
    const { send } = await withGuide();
    const answer = await send("POST", "/guides/1/steps", body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, code: "missing_field" }] } });
  });

  it("says which line is indented wrongly, in the service's words", async () => {
    const { send } = await withGuide();
    const answer = await send("POST", "/guides/1/steps", { orderby: 1, lines: [line(), line({ level: 2 })] });
    expect(answer.body).toMatchObject({ message: "Invalid line indentation", errors: [{ index: 1 }] });
  });

  it("takes 8 lines of 350 characters, counted as people do, on three levels, with lineid or a style for the bullet", async () => {
    const { makeStep } = await withGuide();
    const text = "🪚".repeat(350);
    const lines = [
      line({ text }),
      line({ level: 1, lineid: 0 }),
      line({ level: 2, bullet: undefined, bullet_styleid: 10 }),
    ];
    const { steps } = await makeStep(1, {
      title: " Rip \n it ",
      lines: [...lines, ...Array.from({ length: 5 }, () => line())],
    });
    expect(steps[0]).toMatchObject({ title: "Rip it", orderby: 1, guideid: 1, media: { type: "image", data: [] } });
    expect(steps[0].lines).toHaveLength(8);
    expect(steps[0].lines[0]).toMatchObject({
      text_raw: text,
      bullet: "black",
      level: 0,
      lineid: null,
      bullet_styleid: 1,
    });
    expect(steps[0].lines[2]).toMatchObject({ bullet: "icon_note", level: 2 });
  });

  it("puts a step where orderby says, answers with the whole guide, and refuses a place behind the end", async () => {
    const { send, makeStep } = await withGuide();
    await makeStep(1);
    await makeStep(1, { orderby: 2 });
    const { steps } = await makeStep(1, { orderby: 2 });
    expect(steps.map((step: { stepid: number; orderby: number }) => [step.stepid, step.orderby])).toEqual([
      [1, 1],
      [3, 2],
      [2, 3],
    ]);
    for (const orderby of [0, 5]) {
      expect((await send("POST", "/guides/1/steps", { orderby, lines: [line()] })).status).toBe(422);
    }
  });

  it("loses no step when many are created at once", async () => {
    const { get, makeStep } = await withGuide();
    await Promise.all(Array.from({ length: 20 }, () => makeStep(1)));
    expect((await get("/guides/1")).body.steps).toHaveLength(20);
  });

  it("orders steps by a permutation of its own ones only", async () => {
    const { send, get, makeStep } = await withGuide();
    for (let step = 0; step < 3; step += 1) await makeStep(1);
    const { guide_revisionid } = (await get("/guides/1")).body;
    const path = `/guides/1/steporder?revisionid=${guide_revisionid}`;
    for (const stepids of [
      [1, 2],
      [1, 2, 2],
      [1, 2, 3, 4],
      ["1", 2, 3],
    ]) {
      expect((await send("PUT", path, { stepids })).status).toBe(422);
    }
    const same = await send("PUT", path, { stepids: [3, 2, 1] });
    expect(same.body.guide_revisionid).toBe(guide_revisionid);
    const ordered = await send("PUT", path, { stepids: [1, 3, 2] });
    expect(ordered.body.steps.map((step: { stepid: number }) => step.stepid)).toEqual([1, 3, 2]);
    expect((await send("PUT", path, { stepids: [1, 2, 3] })).status).toBe(409);
  });

  it("stores an attached image under a new id, the same one every time", async () => {
    const { send, get, upload, makeStep } = await withGuide();
    const { image } = (await upload("/user/media/images?file=a.png", generatedPng("a"))).body;
    const { steps } = await makeStep(1, { media: { type: "IMAGE", data: [image.id] } });
    const [stored] = steps[0].media.data;
    expect(stored.id).not.toBe(image.id);
    expect((await get(`/media/images/${stored.id}`)).body.srcid).toBe(image.id);
    const path = `/guides/1/steps/1?revisionid=${steps[0].revisionid}`;
    for (const id of [image.id, stored.id]) {
      const again = await send("PATCH", path, { media: { type: "image", data: [id] } });
      expect(again.body.revisionid).toBe(steps[0].revisionid);
    }
    expect((await get("/user/media/images")).body).toHaveLength(1);
  });

  it("refuses a small image, somebody else's, and one that left the media manager, but keeps what is attached", async () => {
    const { send, sandbox, upload, makeStep } = await withGuide();
    const narrow = (await upload("/user/media/images?file=n.png", generatedPng("n", 799, 600))).body.image.id;
    const flat = (await upload("/user/media/images?file=f.png", generatedPng("f", 800, 599))).body.image.id;
    const gone = (await upload("/user/media/images?file=g.png", generatedPng("g"))).body.image.id;
    const kept = await makeStep(1, { media: { type: "image", data: [gone] } });
    expect((await send("DELETE", `/user/media/images/${gone}`)).status).toBe(204);
    for (const id of [narrow, flat, gone]) {
      const body = { orderby: 1, lines: [line()], media: { type: "image", data: [id] } };
      expect((await send("POST", "/guides/1/steps", body)).status).toBe(422);
    }
    const [step] = kept.steps;
    const data = step.media.data.map((image: { id: number }) => image.id);
    const body = { title: "x", media: { type: "image", data } };
    expect((await send("PATCH", `/guides/1/steps/1?revisionid=${step.revisionid}`, body)).status).toBe(200);
    expect(() => sandbox.edit.addStep(1, { orderby: 1, lines: [line()], media: { type: "image", data } })).toThrow();
  });
});
