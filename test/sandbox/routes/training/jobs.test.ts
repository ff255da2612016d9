import { describe, expect, it } from "vitest";
import { packed, ROOT, trainingService } from "./training-service.js";

describe("an import job", () => {
  it("runs for as many looks as the site is set to, through its stages", async () => {
    const { running, progress, get } = await trainingService({ training: { looks: 6 } });
    const path = await running("Knots");
    const stages: unknown[] = [];
    for (let look = 0; look < 7; look += 1) stages.push((await progress(path))["stage"]);
    expect(stages).toEqual(["queued", "queued", "unpacking", "unpacking", "parsing", "parsing", null]);
    expect(await progress(path)).toMatchObject({ status: "complete", message: "", learningStandard: "SCORM12" });
    expect((await get(`${ROOT}/1/imports`)).body).toMatchObject([{ status: "complete", version: 1 }]);
  });

  it("is brought forward by looks at its progress alone", async () => {
    const { running, get, looks } = await trainingService({ training: { looks: 1 } });
    const path = await running("Knots");
    const listed = async () => (await get(`${ROOT}/1/imports`)).body.map(({ status }) => status);
    expect([await listed(), await listed(), await listed()]).toEqual([["running"], ["running"], ["running"]]);
    expect([await looks(path, 1), await listed()]).toEqual([["running"], ["running"]]);
    expect([await looks(path, 1), await listed()]).toEqual([["complete"], ["complete"]]);
  });

  it("runs for some time by the clock of the site, and then is over for whoever asks", async () => {
    let now = 1_000_000;
    const service = await trainingService({ training: { milliseconds: 9000 }, now: () => now });
    const { running, progress, looks, get, send } = service;
    const path = await running("Knots");
    expect(await looks(path, 20)).toEqual(Array.from({ length: 20 }, () => "running"));
    now += 4000;
    expect(await progress(path)).toMatchObject({ stage: "unpacking" });
    now += 5000;
    expect((await get(`${ROOT}/1/imports`)).body).toMatchObject([{ status: "complete", stage: null }]);
    const other = await running("Bends");
    now += 9000;
    expect((await send("PUT", `${ROOT}/2/current`)).body["current"]).toMatchObject({ importid: 2 });
    const third = await running("Splices");
    now += 9000;
    expect((await get(`${third}/preview`)).status).toBe(200);
    expect((await send("POST", `${other}/cancel`)).status).toBe(422);
  });

  it("goes as a test has planned, by file name, by title, and so many times", async () => {
    const { running, looks, progress, sandbox } = await trainingService({ training: { looks: 0 } });
    const { training } = sandbox;
    training.next({ end: "error" }, { title: /^Bends/ });
    training.next({ end: "error", message: "No launch.", parserWarnings: ["w"] }, { source: "b.zip", times: 2 });
    training.next({ looks: 2, status: "unpacking" }, { source: /^c/y, times: 2 });
    const paths = [
      await running("Knots", "a.zip"),
      await running("Bends and hitches", "a.zip"),
      await running("Knots", "b.zip"),
      await running("Bends and hitches", "b.zip"),
      await running("Knots", "b.zip"),
      await running("Knots", "c.zip"),
      await running("Bends", "c.zip"),
    ];
    expect(await looks(paths[6] ?? "", 1)).toEqual(["unpacking"]);
    expect(await looks(paths[6] ?? "", 2)).toEqual(["unpacking", "complete"]);
    expect(await looks(paths[5] ?? "", 3)).toEqual(["unpacking", "unpacking", "complete"]);
    const ends = await Promise.all(paths.map(progress));
    expect(ends.map(({ status, message, parserWarnings }) => [status, message, parserWarnings])).toEqual([
      ["complete", "", []],
      ["error", "", []],
      ["error", "No launch.", ["w"]],
      ["error", "No launch.", ["w"]],
      ["complete", "", []],
      ["complete", "", []],
      ["complete", "", []],
    ]);
    expect(training.mostAtOnce).toBe(7);
  });

  it("is complete with warnings, whatever its bytes are, where a test has planned that", async () => {
    const { draft, record, start, progress, sandbox } = await trainingService({ training: { looks: 0 } });
    sandbox.training.next({ end: "complete", parserWarnings: ["The title of item_1 is empty."] });
    const path = await record(await draft("Knots"));
    await start(path, Buffer.from("no zip"));
    const ended = await progress(path);
    expect(ended).toMatchObject({ status: "complete", parserWarnings: ["The title of item_1 is empty."] });
  });

  it("that has no end runs until it is finished from outside, and ends as its bytes deserve", async () => {
    const { running, draft, record, start, looks, get, sandbox } = await trainingService();
    sandbox.training.next({ end: "never" }, { times: Number.POSITIVE_INFINITY });
    const path = await running("Knots");
    const bad = await record(await draft("Bends"));
    await start(bad, new Uint8Array(7));
    expect(new Set(await looks(path, 30))).toEqual(new Set(["running"]));
    await sandbox.training.finish();
    expect((await get(`${ROOT}/1/imports`)).body).toMatchObject([{ status: "complete" }]);
    expect(await looks(bad, 1)).toEqual(["error"]);
    sandbox.training.clear();
    expect(await looks(await running("Splices"), 4)).toEqual(["running", "running", "running", "complete"]);
  });

  it.each([422, 409] as const)("is started once and not cancelled after its end: %i", async (wrongState) => {
    const { running, draft, record, start, send, looks, progress } = await trainingService({
      training: { wrongState },
    });
    const path = await running("Knots");
    const again = await start(path, await packed(), "again.zip");
    const byUrl = await send("POST", `${path}/start/byUrl`, { url: "https://a.example/x.zip" });
    expect([again.status, byUrl.status]).toEqual([wrongState, wrongState]);
    if (wrongState === 409) expect(again.body).toMatchObject({ importid: 1, status: "running" });
    expect((await progress(path))["source"]).toMatchObject({ filename: "course.zip" });
    await looks(path, 3);
    expect((await send("POST", `${path}/cancel`)).status).toBe(wrongState);
    const other = await record(await draft("Bends"));
    expect((await send("POST", `${other}/cancel`)).body.status).toBe("cancelled");
    expect((await start(other, await packed())).status).toBe(wrongState);
    expect((await send("POST", `${other}/cancel`)).status).toBe(wrongState);
  });

  it("that is cancelled stays cancelled, though a site may take no notice", async () => {
    const { running, looks, send, sandbox } = await trainingService();
    const path = await running("Knots");
    expect((await send("POST", `${path}/cancel`)).body).toMatchObject({ status: "cancelled", stage: null });
    await sandbox.training.finish();
    expect(new Set(await looks(path, 5))).toEqual(new Set(["cancelled"]));
    expect((await send("PUT", `${ROOT}/1/current`)).status).toBe(422);
    sandbox.training.next({ ignoresCancel: true });
    const deaf = await running("Bends");
    expect((await send("POST", `${deaf}/cancel`)).body.status).toBe("running");
    expect(await looks(deaf, 4)).toEqual(["running", "running", "running", "complete"]);
  });
});
