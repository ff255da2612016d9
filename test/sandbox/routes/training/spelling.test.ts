import { expect, it } from "vitest";
import { packed, ROOT, trainingService } from "./training-service.js";

it("a site of the other dialect wraps its answers and spells names and states otherwise", async () => {
  const { send, get, start, sandbox } = await trainingService({ training: { dialect: "nested", looks: 1 } });
  const made = await send("POST", `${ROOT}/drafts`, { title: "Knots" });
  expect(made.body).toMatchObject({ data: { id: 1, title: "Knots", draft: { importId: null }, current: null } });
  const recorded = await send("POST", `${ROOT}/imports`, { moduleid: 1 });
  expect(recorded.body["data"]).toMatchObject({ importId: 1, moduleId: 1, state: "CREATED" });
  expect((await start(`${ROOT}/imports/1`, await packed())).body["data"]).toMatchObject({ state: "RUNNING" });
  const look = async () => (await get(`${ROOT}/imports/1/progress`)).body["data"];
  const running = await look();
  expect(running).toMatchObject({ state: "RUNNING", importResult: { parserWarnings: [], learningStandard: null } });
  expect(running).not.toHaveProperty("importId");
  expect(await look()).toMatchObject({ state: "COMPLETED", importResult: { learningStandard: "SCORM12" } });
  expect((await get(`${ROOT}/1/imports`)).body).toMatchObject({ data: [{ importId: 1, state: "COMPLETED" }] });
  expect((await get(`${ROOT}/imports/1/preview`)).body["data"]).toMatchObject({ launchLink: expect.any(String) });
  expect((await send("PUT", `${ROOT}/1/current`)).body["data"]).toMatchObject({ current: { importId: 1 } });
  expect((await get(`${ROOT}/current`)).body).toMatchObject({ data: [{ id: 1 }] });
  sandbox.edit.setRow("moduleUsages", { moduleid: 1, doctype: "course", docid: 3 });
  expect((await get(`${ROOT}/1/usage`)).body).toEqual({ data: [{ moduleId: 1, doctype: "course", docid: 3 }] });
});

it("a site may not tell what an import was started with", async () => {
  const { running, progress, get } = await trainingService({ training: { hidesSources: true } });
  const path = await running("Knots");
  expect(await progress(path)).not.toHaveProperty("source");
  expect((await get(`${ROOT}/1/imports`)).body[0]).not.toHaveProperty("source");
});

it("launch links lead to pages, that of a cmi5 preview to an error", async () => {
  const { draft, record, start, get, send, looks } = await trainingService({ training: { looks: 0 } });
  const opened = async (path: string) => (await fetch(String((await get(path)).body["launchLink"]))).status;
  for (const files of [{ "imsmanifest.xml": "<manifest/>" }, { "cmi5.xml": "<courseStructure/>" }]) {
    const module = await draft("Knots");
    const path = await record(module);
    await start(path, await packed(files));
    await looks(path, 1);
    await send("PUT", `${ROOT}/${module}/current`);
    expect(await opened(`${ROOT}/${module}/player`)).toBe(200);
    expect(await opened(`${path}/preview`)).toBe("cmi5.xml" in files ? 500 : 200);
  }
});
