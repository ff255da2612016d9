import { expect, onTestFinished, test } from "vitest";
import { connectTarget } from "../../../src/commands/compose.js";
import type { Key } from "../../../src/core/model/key.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { siteOf, talk } from "../../helpers/migration.js";

const NEVER = new AbortController().signal;

async function absentAt(sandbox: Sandbox, things: readonly { readonly key: Key; readonly id: string }[]) {
  const choices = { onConflict: "skip", onExisting: "adopt", dangling: "absolute" } as const;
  const { target, close } = connectTarget(siteOf(sandbox), talk({}), choices, () => undefined);
  onTestFinished(close);
  await target.survey(NEVER);
  const before = sandbox.recorded.length;
  const absent: Key[] = [];
  for await (const key of target.absent(things, NEVER)) absent.push(key);
  return { absent, requests: sandbox.recorded.slice(before).map(({ path }) => path) };
}

async function siteWith(guides: number, pages: number, options = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (let number = 1; number <= guides; number += 1)
    sandbox.edit.createGuide({
      category: "Looms",
      type: "how-to",
      subject: `${number}`,
      title: `Guide ${number}`,
      difficulty: "Easy",
    });
  for (let number = 1; number <= pages; number += 1)
    sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${number}`, contents: "Text." });
  return sandbox;
}

const guideThings = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `guide/9${index + 1}` as Key, id: String(index + 1) }));
const pageThings = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `wiki/WIKI/Old ${index + 1}` as Key,
    id: `WIKI/Page ${index + 1}`,
  }));

test("what the lists show is there, at one request for 200 things and one to see that a list ends", async () => {
  const sandbox = await siteWith(450, 250);
  const { absent, requests } = await absentAt(sandbox, [...guideThings(450), ...pageThings(250)]);
  expect(absent).toEqual([]);
  expect(requests).toHaveLength(Math.ceil(450 / 200) + 1 + Math.ceil(250 / 200) + 1);
});

test("what the lists lack is asked for by its address, and only 404 counts", async () => {
  const sandbox = await siteWith(10, 10);
  sandbox.edit.deleteGuide(3);
  sandbox.edit.deleteGuide(4);
  sandbox.edit.deleteWiki("WIKI", "Page 7");
  sandbox.faults.decide(({ path }) => (path === "/guides/4" ? { kind: "status", status: 403 } : undefined));
  const { absent, requests } = await absentAt(sandbox, [...guideThings(10), ...pageThings(10)]);
  expect(absent).toEqual(["guide/93", "wiki/WIKI/Old 7"]);
  expect(requests.filter((path) => /\/guides\/\d+$|\/WIKI\//.test(path))).toHaveLength(3);
});

test("a few are asked for without their list", async () => {
  const sandbox = await siteWith(10, 0);
  const { absent, requests } = await absentAt(sandbox, [
    { key: "guide/1", id: "1" },
    { key: "guide/99", id: "99" },
    { key: "category/Looms", id: "Looms" },
  ]);
  expect(absent).toEqual(["guide/99"]);
  expect(requests).toHaveLength(3);
});

test("steps and media are not looked at", async () => {
  const sandbox = await siteWith(1, 0);
  const { absent, requests } = await absentAt(sandbox, [
    { key: "step/1", id: "77" },
    { key: "image/5", id: "78" },
  ]);
  expect([absent, requests]).toEqual([[], []]);
});

test("an account that is no admin finds its private guides in its own list", async () => {
  const sandbox = await siteWith(8, 0, { account: { admin: false } });
  const own: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    const answer = await fetch(`${sandbox.url}/guides`, {
      method: "POST",
      headers: { authorization: `api ${sandbox.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        category: "Looms",
        type: "how-to",
        subject: "x",
        title: `Own ${number}`,
        difficulty: "Easy",
        public: false,
      }),
    });
    own.push(((await answer.json()) as { readonly guideid: number }).guideid);
  }
  const { absent, requests } = await absentAt(
    sandbox,
    own.map((id) => ({ key: `guide/${id}` as Key, id: String(id) })),
  );
  expect(absent).toEqual([]);
  expect(requests.filter((path) => /\/guides\/\d+$/.test(path))).toEqual([]);
});

test("of a list that the site refuses nothing is said, and a site that pages wrongly is not asked for ever", async () => {
  const sandbox = await siteWith(10, 10);
  sandbox.edit.deleteGuide(3);
  sandbox.edit.deleteWiki("WIKI", "Page 7");
  const rows = Array.from({ length: 10 }, (_, index) => ({ namespace: "WIKI", title: `Page ${index + 1}` }));
  sandbox.faults.decide(({ path, query }) => {
    if (path === "/guides" && query.includes("offset")) return { kind: "status", status: 405 };
    return path === "/wikis/WIKI" ? { kind: "status", status: 200, body: rows } : undefined;
  });
  const { absent, requests } = await absentAt(sandbox, [...guideThings(10), ...pageThings(10)]);
  expect(absent).toEqual([]);
  expect(requests.length).toBeLessThan(6);
});
