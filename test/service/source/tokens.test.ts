import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.js";
import { type Arrival, localServer } from "../../helpers/local-server.js";
import { SAMPLE_SITE, sourceOf, startSite } from "../../sync/extract-site.js";
import { never, tokens } from "./look.js";

/** The keys whose tokens another person's work changed. */
async function changedBy(
  work: (site: Awaited<ReturnType<typeof startSite>>) => void,
  options: Parameters<typeof startSite>[0] = {},
) {
  const site = await startSite({ site: SAMPLE_SITE, ...options });
  const before = await tokens(site.source);
  work(site);
  const after = await tokens(site.source);
  return [...after].filter(([key, token]) => before.get(key) !== token || token === "").map(([key]) => key);
}

test.each([
  ["the text of a guide", ({ edit }) => edit.guide(10, { introduction: "New." }), ["guide/10"]],
  ["the tags of a guide", ({ edit }) => edit.setGuideTags(10, ["new"]), ["guide/10"]],
  ["the visibility of a guide", ({ edit }) => edit.setPublic(10, false), ["guide/10"]],
  [
    "a step",
    ({ edit }) => edit.addStep(10, { orderby: 1, lines: [{ text: "x", bullet: "black", level: 0 }] }),
    ["guide/10"],
  ],
  ["the text of a page", ({ edit }) => edit.wiki("INFO", "Flags", { contents: "New." }), ["wiki/INFO/Flags"]],
] satisfies [string, (sandbox: Awaited<ReturnType<typeof startSite>>["sandbox"]) => void, string[]][])(
  "%s changes the token of that item and of no other",
  async (_what, work, expected) => {
    const later = { now: () => Date.now() + 5000 };
    expect(await changedBy(({ sandbox }) => work(sandbox), later)).toEqual(expected);
  },
);

test("a category that moves to another parent has another token, though its page is as it was", async () => {
  const changed = await changedBy(({ sandbox }) => sandbox.edit.setParent("CATEGORY", "Wren 40", null));
  expect(changed).toContain("category/Wren 40");
  expect(changed.filter((key) => !key.startsWith("category/"))).toEqual([]);
});

test("asking for more makes another token, so that copies without it are read again", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  const plain = await tokens(source);
  const withXml = await tokens(sourceOf(sandbox, { format: "xml" }));
  const differing = [...plain].filter(([key, token]) => withXml.get(key) !== token).map(([key]) => key.split("/")[0]);
  expect(new Set(differing)).toEqual(new Set(["guide", "category"]));
});

test("pages of lists without dates and revisions are asked about by the date of the last extract", async () => {
  const { sandbox } = await startSite({ site: SAMPLE_SITE });
  const source = sourceOf({ url: `${await withoutDates(sandbox)}/api/2.0`, token: sandbox.token });
  const first = await tokens(source);
  expect([...first.values()]).not.toContain("");
  const since = Math.floor(Date.now() / 1000);
  expect(await tokens(source, { since })).toEqual(first);
  sandbox.edit.wiki("INFO", "Flags", { contents: "New." });
  const later = await tokens(source, { since });
  expect([...later].filter(([, token]) => token === "").map(([key]) => key)).toEqual(["wiki/INFO/Flags"]);
  expect((await source.read("wiki/INFO/Flags", never))?.revision).not.toBe("");
});

/** The same site, whose lists of wikis show neither dates nor revisions, as older ones do. */
async function withoutDates(sandbox: Sandbox): Promise<string> {
  const forward = async ({ path, headers }: Arrival, response: ServerResponse): Promise<void> => {
    const answer = await fetch(sandbox.origin + path, { headers: { authorization: headers.authorization ?? "" } });
    const text = await answer.text();
    const isList = /^\/api\/2\.0\/wikis\/[A-Z]+(\?|$)/.test(path);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(isList ? text.replaceAll(/"(modified_date|revisionid)":[^,}]*,/g, "") : text);
  };
  const server = await localServer((arrival, response) => void forward(arrival, response));
  return server.origin;
}
