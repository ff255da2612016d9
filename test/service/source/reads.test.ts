import { expect, test } from "vitest";
import type { Item, WikiItem } from "../../../src/core/model/item.js";
import { startSandbox } from "../../../src/sandbox/index.js";
import { json, localServer } from "../../helpers/local-server.js";
import { SAMPLE_SITE, sourceOf, startSite } from "../../sync/extract-site.js";
import { guide, never, tokens } from "./look.js";

test("a guide comes without the steps of its prerequisites and without edits that wait", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  sandbox.edit.pendGuide(1, { introduction: "Pending words." });
  const { body, raw } = await guide(source, "guide/1");
  expect(body.prerequisites).toEqual(["guide/4"]);
  expect(body.introduction).not.toContain("Pending");
  const asked = sandbox.recorded.filter(({ path }) => path.startsWith("/guides/1"));
  expect(asked.map(({ query }) => query)).toEqual(expect.arrayContaining(["excludePrerequisiteSteps=true"]));
  expect(sandbox.recorded.some(({ query }) => /unpatrolled|machineTranslate/.test(query))).toBe(false);
  expect(raw).toMatchObject({ json: { guideid: 1, steps: expect.any(Array) } });
});

test("a translation is kept only when the answer is in its language", async () => {
  const { source } = await startSite({ site: SAMPLE_SITE });
  expect((await guide(source, "guide/12@de")).body).toMatchObject({
    language: "de",
    difficulty: expect.stringMatching(/^[A-Z]/),
  });
  expect(await source.read("guide/18@de", never)).toBeUndefined();
  expect(await source.read("guide/1@de", never)).toBeUndefined();
});

test("which translations there may be is told by the guide, else by the option", async () => {
  const ifixit = await startSite({ site: SAMPLE_SITE, dialect: "ifixit" });
  expect((await guide(ifixit.source, "guide/12")).translations).toEqual(["guide/12@de"]);
  const dozuki = await startSite({ site: SAMPLE_SITE }, { languages: ["en", "de"] });
  expect((await guide(dozuki.source, "guide/12")).translations).toEqual(["guide/12@de"]);
});

test("the viewers of a private guide come with it; public guides have none", async () => {
  const { source } = await startSite({ site: SAMPLE_SITE });
  const { body, raw } = await guide(source, "guide/11");
  expect(body.viewers?.users.every(({ name }) => name !== "")).toBe(true);
  expect(body.viewers?.teams.every(({ name }) => name !== "")).toBe(true);
  expect([...(body.viewers?.users ?? []), ...(body.viewers?.teams ?? [])]).not.toEqual([]);
  expect(raw).toHaveProperty("users");
  expect((await guide(source, "guide/1")).body.viewers).toBeNull();
});

test("a page whose own answer has no tags is asked for them, and one that has them is not", async () => {
  const { origin, arrivals } = await localServer(({ path }, response) => {
    const page = { wikiid: 5, namespace: "INFO", title: "Flags", contents_raw: "Text.", langid: "en" };
    if (path.endsWith("/tags")) json(response, ["loom", "reed"]);
    else json(response, path.endsWith("/Flags") ? page : { ...page, title: "Other", tags: [] });
  });
  const source = sourceOf({ url: `${origin}/api/2.0`, token: "t" });
  expect(await source.read("wiki/INFO/Flags", never)).toMatchObject({ body: { tags: ["loom", "reed"] } });
  expect(await source.read("wiki/INFO/Other", never)).toMatchObject({ body: { tags: [] } });
  expect(arrivals.filter(({ path }) => path.endsWith("/tags"))).toHaveLength(1);
});

test("tags come from the list, or from a call of their own where lists have none", async () => {
  const [dozuki, ifixit] = [
    await startSite({ site: SAMPLE_SITE }),
    await startSite({ site: SAMPLE_SITE, dialect: "ifixit" }),
  ];
  for (const { source } of [dozuki, ifixit]) await tokens(source);
  const tags = (await guide(dozuki.source, "guide/1")).body.tags;
  expect(tags).not.toEqual([]);
  expect((await guide(ifixit.source, "guide/1")).body.tags).toEqual(tags);
  const asked = (site: typeof dozuki) =>
    site.sandbox.recorded.filter(({ path }) => path.endsWith("/tags") && path !== "/tags");
  expect(asked(dozuki)).toEqual([]);
  expect(asked(ifixit)).toHaveLength(1);
});

test("private guides are listed for admins only, and only when they are wanted", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  expect((await tokens(source)).has("guide/11")).toBe(true);
  expect((await tokens(source, { includePrivate: false })).has("guide/11")).toBe(false);
  const user = await startSandbox({ site: SAMPLE_SITE, account: { admin: false } });
  try {
    expect((await tokens(sourceOf(user))).has("guide/11")).toBe(false);
    expect(user.recorded.some(({ query }) => query.includes("includePrivate"))).toBe(false);
    expect((await tokens(sourceOf(sandbox, { anonymous: true }))).has("guide/11")).toBe(false);
  } finally {
    await user.close();
  }
});

test("a category stands in the tree with its parent and its place", async () => {
  const { source } = await startSite({ site: SAMPLE_SITE });
  const bodies = await Promise.all(
    [...(await tokens(source)).keys()]
      .filter((key) => key.startsWith("category/"))
      .map((key) => source.read(key, never)),
  );
  const categories = bodies.filter((item): item is WikiItem => item?.kind === "category").map(({ body }) => body);
  expect(categories.filter(({ parent }) => parent === null).length).toBeGreaterThan(0);
  const brothers = categories.filter(({ parent }) => parent === categories.find((one) => one.parent !== null)?.parent);
  expect(brothers.map(({ position }) => position).toSorted()).toEqual(brothers.map((_one, index) => index));
});

test("a site without an ordered hierarchy still tells the parents", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  sandbox.faults.decide(({ query }) =>
    query.includes("hierarchyOrder") ? { kind: "status", status: 400 } : undefined,
  );
  const item = (await source.read("category/Wren Frame", never)) as WikiItem;
  expect(item.body).toMatchObject({ parent: expect.any(String), position: null });
});

test("an image's detail is asked for when details are wanted, or when its address is not known", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  const use = (await guide(source, "guide/7")).media.find(({ key }) => key === "image/130");
  if (use === undefined) throw new Error("guide 7 does not show image 130");
  const details = () => sandbox.recorded.filter(({ path }) => path.startsWith("/media/images/")).length;
  expect((await source.readMedia(use, never))?.body).toMatchObject({ markup: null, sourceImage: null });
  expect(details()).toBe(0);
  const bySite = await source.readMedia({ ...use, url: null, guid: null }, never);
  // However it was found, it is the same picture: a text's reference must not bring its bytes in
  // anew.
  expect(bySite?.revision).toBe((await source.readMedia(use, never))?.revision);
  expect(bySite?.body).toMatchObject({
    url: expect.stringContaining("http"),
  });
  const detailed = await sourceOf(sandbox, { imageDetails: true }).readMedia(use, never);
  expect(detailed?.body).toMatchObject({ markup: expect.stringContaining("circle"), sourceImage: "image/111" });
  expect(detailed?.media.map(({ key }) => key)).toEqual(["image/111"]);
  expect(details()).toBe(2);
});

test("answers that a site refuses are kept as refused, with a note", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  for (const status of [401, 403, 404, 405]) {
    sandbox.faults.decide(({ path }) =>
      ["/tags", "/comments"].includes(path) ? { kind: "status", status } : undefined,
    );
    for (const key of ["record/tags", "record/comments"] as const) {
      if (status === 401) continue;
      const item: Item | undefined = await source.read(key, never);
      expect(item).toMatchObject({
        body: { status, answer: null },
        issues: [{ code: "not-available", level: "note" }],
      });
    }
  }
});
