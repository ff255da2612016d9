import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.js";
import { startService } from "./service.js";

const SITE = { languages: ["en", "de"] } as const;
const LINES = [{ text: "Drehen.", bullet: "black", level: 0 }];

/** A guide of one step, at a site that takes translations as it says. */
async function service(guideTranslations: SandboxOptions["guideTranslations"], more: SandboxOptions = {}) {
  const site = await startService({ ...SITE, ...more, guideTranslations: guideTranslations ?? "no" });
  const { guideid } = await site.makeGuide({ title: "Warp" });
  await site.makeStep(guideid);
  const path = `/guides/${guideid}`;
  const read = async (langid: string) => (await site.get(`${path}?langid=${langid}&unpatrolled`)).body;
  const guide = await read("en");
  return { ...site, path, read, guide, step: guide.steps[0] };
}

test("by default a write does not look at the language", async () => {
  const { send, path, guide, read } = await service("no");
  const query = `langid=de&revisionid=${guide.guide_revisionid}`;
  expect(await send("PATCH", `${path}?${query}`, { title: "Kette" })).toMatchObject({ status: 200 });
  expect((await read("en")).title).toBe("Kette");
});

test("a site may refuse them", async () => {
  const { send, path, guide, step } = await service("refused");
  const query = `langid=de&revisionid=${guide.guide_revisionid}`;
  expect((await send("PATCH", `${path}?${query}`, { title: "Kette" })).status).toBe(422);
  const ofStep = `${path}/steps/${step.stepid}?langid=de&revisionid=${step.revisionid}`;
  expect((await send("PATCH", ofStep, { lines: LINES })).status).toBe(422);
});

test("one starts from the guide's revision, has revisions of its own, and leaves the source text alone", async () => {
  const { send, get, path, guide, step, read } = await service("yes");
  const patch = (langid: string, revision: number, body: object) =>
    send("PATCH", `${path}?langid=${langid}&revisionid=${revision}`, body);
  expect((await send("PATCH", `${path}/steps/${step.stepid}?langid=de&revisionid=1`, { lines: LINES })).status).toBe(
    404,
  );
  expect((await patch("de", 1, { title: "Kette" })).status).toBe(409);
  expect((await patch("fr", guide.guide_revisionid, { title: "Chaine" })).status).toBe(422);
  expect((await patch("de", guide.guide_revisionid, { nonsense: 1 })).status).toBe(422);
  const started = (await patch("de", guide.guide_revisionid, { title: "Kette" })).body;
  expect(started).toMatchObject({ langid: "de", title: "Kette", steps: [{ stepid: step.stepid }] });
  expect((await patch("de", guide.guide_revisionid, { title: "Alt" })).status).toBe(409);
  const ofStep = `${path}/steps/${step.stepid}?langid=de&revisionid=${started.steps[0].revisionid}`;
  expect((await send("PATCH", ofStep, { lines: LINES })).body).toMatchObject({ lines: [{ text_raw: "Drehen." }] });
  expect((await send("PATCH", ofStep, { lines: LINES })).status).toBe(409);
  expect(await read("en")).toMatchObject({ title: "Warp", guide_revisionid: guide.guide_revisionid });
  expect((await read("en")).steps[0].lines[0].text_raw).not.toBe("Drehen.");
  expect((await get(`${path}?langid=de`)).body).toMatchObject({
    title: "Kette",
    steps: [{ lines: [{ text_raw: "Drehen." }] }],
  });
});

test("steps, category and visibility are those of the guide", async () => {
  const { send, path, guide, makeStep, read } = await service("yes");
  await send("PATCH", `${path}?langid=de&revisionid=${guide.guide_revisionid}`, { title: "Kette" });
  await makeStep(guide.guideid);
  expect((await read("de")).steps).toHaveLength(2);
  const { guide_revisionid: revision } = await read("en");
  await send("PUT", `${path}/public?revisionid=${revision}`, {});
  expect(await read("de")).toMatchObject({ title: "Kette", public: true });
  expect((await send("DELETE", `${path}?revisionid=${(await read("en")).guide_revisionid}`)).status).toBe(204);
  expect((await send("GET", `${path}?langid=de&unpatrolled`)).status).toBe(404);
});
