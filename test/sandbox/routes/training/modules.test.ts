import { expect, it } from "vitest";
import { SAMPLE_SITE } from "../../service.js";
import { packed, ROOT, trainingService } from "./training-service.js";

it("a module goes from a draft over an import to a current version", async () => {
  const { send, get, sandbox, draft, record, start, looks } = await trainingService({ site: SAMPLE_SITE });
  const made = await send("POST", `${ROOT}/drafts`, { title: "Knots" });
  expect(made).toMatchObject({ status: 201, body: { id: 4, current: null, draft: { title: "Knots", version: 1 } } });
  const better = await send("PUT", `${ROOT}/4/draft`, { title: "Better knots" });
  expect(better.body).toMatchObject({ title: "Knots", draft: { title: "Better knots", version: 1 } });
  expect((await send("PUT", `${ROOT}/4/current`)).status).toBe(422);
  const one = await record(4);
  await start(one, await packed());
  expect((await get(`${one}/preview`)).status).toBe(404);
  expect(await looks(one, 4)).toEqual(["running", "running", "running", "complete"]);
  expect((await get(`${one}/preview`)).body["launchLink"]).toContain(sandbox.origin);
  expect((await get(`${ROOT}/4/player`)).status).toBe(404);
  const published = await send("PUT", `${ROOT}/4/current`);
  expect(published.body).toMatchObject({ title: "Better knots", current: { importid: 4, version: 1 }, draft: null });
  expect((await get(`${ROOT}/4/player`)).body["launchLink"]).toContain("/external-training-modules/4/play");
  expect(await draft("Splices")).toBe(5);
});

it("a module keeps its id over its versions, and its imports are its history", async () => {
  const { send, get, sandbox, running, record, start, looks } = await trainingService({ training: { looks: 0 } });
  await looks(await running("Knots", "first.zip"), 1);
  await send("PUT", `${ROOT}/1/current`);
  expect((await send("POST", `${ROOT}/imports`, { moduleid: 1 })).status).toBe(422);
  const opened = await send("PUT", `${ROOT}/1/draft`, { title: "Knots and bends" });
  expect(opened.body).toMatchObject({ id: 1, title: "Knots", draft: { version: 2, importid: null } });
  expect((await send("PUT", `${ROOT}/1/current`)).status).toBe(422);
  for (const name of ["broken.zip", "second.zip", "third.zip"]) {
    const path = await record(1);
    await start(path, name === "broken.zip" ? new Uint8Array(9) : await packed(), name);
    await looks(path, 1);
  }
  expect((await get(`${ROOT}/current`)).body).toMatchObject([{ current: { importid: 1 }, draft: { importid: 4 } }]);
  await send("PUT", `${ROOT}/1/current`);
  const history = (await get(`${ROOT}/1/imports`)).body;
  expect(history.map((one) => [one["version"], one.status, one["source"]])).toMatchObject([
    [1, "complete", { filename: "first.zip" }],
    [2, "error", { filename: "broken.zip", bytes: 9 }],
    [2, "complete", { filename: "second.zip" }],
    [2, "complete", { filename: "third.zip" }],
  ]);
  const [module] = sandbox.namedState().modules;
  expect(module).toMatchObject({ title: "Knots and bends", draft: null });
  expect(module?.["versions"]).toMatchObject([{}, {}, { isCurrent: false }, { isCurrent: true, source: "third.zip" }]);
});

it("an import of an older version does not become part of a draft that was opened since", async () => {
  const { send, get, running, record, looks, start, sandbox } = await trainingService();
  sandbox.training.next({ end: "never" });
  const late = await running("Knots");
  const good = await record(1);
  await start(good, await packed());
  await looks(good, 4);
  await send("PUT", `${ROOT}/1/current`);
  await send("PUT", `${ROOT}/1/draft`, { title: "Knots again" });
  await sandbox.training.finish();
  expect((await get(`${late}/progress`)).body.status).toBe("complete");
  expect((await send("PUT", `${ROOT}/1/current`)).status).toBe(422);
});

it("publishing again changes nothing, or is refused where the site is set so", async () => {
  for (const [training, status] of [
    [{}, 200],
    [{ publishesOnce: true }, 422],
    [{ publishesOnce: true, wrongState: 409 }, 409],
  ] as const) {
    const { send, running, looks } = await trainingService({ training });
    await looks(await running("Knots"), 4);
    const first = await send("PUT", `${ROOT}/1/current`);
    const again = await send("PUT", `${ROOT}/1/current`);
    expect([first.status, again.status]).toEqual([200, status]);
    if (status !== 422) expect(again.body).toEqual(first.body);
  }
});

it("modules that were never published are listed with no current version, or hidden", async () => {
  const listed = async (hidesDrafts: boolean) => {
    const { get } = await trainingService({ site: SAMPLE_SITE, training: { hidesDrafts } });
    return (await get(`${ROOT}/current`)).body.map((module) => [module.id, module["current"] === null]);
  };
  expect(await listed(false)).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  expect(await listed(true)).toEqual([
    [1, false],
    [2, false],
  ]);
});

it("usage says where a module is used, and whatever is not there is 404", async () => {
  const { get, send, sandbox, draft } = await trainingService({ site: SAMPLE_SITE });
  const module = await draft("Knots");
  expect((await get(`${ROOT}/${module}/usage`)).body).toEqual([]);
  sandbox.edit.setRow("moduleUsages", { moduleid: module, doctype: "assignment", docid: 8, title: "Spring crew" });
  expect((await get(`${ROOT}/${module}/usage`)).body).toEqual([
    { moduleid: module, doctype: "assignment", docid: 8, title: "Spring crew" },
  ]);
  expect((await get(`${ROOT}/1/usage`)).body).toHaveLength(2);
  for (const path of ["404/usage", "404/imports", "404/player", "imports/404/progress", "imports/404/preview"]) {
    expect([path, (await get(`${ROOT}/${path}`)).status]).toEqual([path, 404]);
  }
  const lost: readonly (readonly [method: string, path: string, body: object])[] = [
    ["PUT", "404/draft", { title: "A" }],
    ["PUT", "404/current", {}],
    ["POST", "imports/404/cancel", {}],
    ["POST", "imports/404/start/byUrl", { url: "https://a.example/x.zip" }],
    ["POST", "imports/404/start/byUpload", {}],
  ];
  for (const [method, path, body] of lost) {
    expect([path, (await send(method, `${ROOT}/${path}`, body)).status]).toEqual([path, 404]);
  }
  for (const moduleid of [404, "404", "a", -1, null]) {
    expect((await send("POST", `${ROOT}/imports`, { moduleid })).status).toBe(422);
  }
  expect((await send("POST", `${ROOT}/imports`, { moduleid: String(module) })).body["moduleid"]).toBe(module);
});
