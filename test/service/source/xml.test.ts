import { expect, test } from "vitest";
import { StatusError } from "../../../src/core/errors.js";
import type { Item } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { SandboxOptions } from "../../../src/sandbox/index.js";
import { ArchivedGuideError } from "../../../src/service/source/version.js";
import { REAL_SITE, SAMPLE_SITE, sourceOf, startSite } from "../../sync/extract-site.js";
import { guide, never, tokens } from "./look.js";
import { lossesOf } from "./xml-losses.js";

const SITES: readonly (readonly [name: string, options: SandboxOptions, tags: string[]])[] = [
  ["samples/site", { site: SAMPLE_SITE }, []],
  ["samples/site on iFixit", { site: SAMPLE_SITE, dialect: "ifixit" }, []],
  ["the real guides of shared/data/ose", { site: REAL_SITE, dialect: "dozuki" }, ["shared"]],
];

/**
 * What XML alone does not contain, by its place in the model: docs/design/reading-a-site.md has the same table. All of it is
 * in the sample.
 */
const LOSSES: Readonly<Record<string, string>> = {
  "guide author.uniqueName": "XML has the number and the name",
  "guide comments": "",
  "guide conclusion": "made from HTML unless that is one block; line ends are spaces",
  "guide difficulty": "only of translations, whose word is not the English one",
  "guide featuredDocument": "",
  "guide introduction": "as the conclusion",
  "guide introductionVideo": "",
  "guide modifiedDate": "whole seconds",
  "guide parts[].featured": "iFixit",
  "guide parts[].optional": "iFixit",
  "guide publishedDate": "",
  "guide steps[].comments": "",
  "guide steps[].key": "no ids of steps",
  "guide steps[].lines[].bullet": "the nearest for custom bullets",
  "guide steps[].lines[].bulletStyle": "",
  "guide steps[].lines[].text": "character references are decoded",
  "guide tags": "only where lists have none (iFixit)",
  "guide timeRequired": "a rounded text",
  "guide tools[].featured": "iFixit",
  "guide tools[].optional": "iFixit",
  "guide translations": "only where the guide alone names them (iFixit)",
  "guide url": "",
  "guide viewers": "",
  "guide workLogEnabled": "",
  "category author": "",
  "category contents": "made from HTML",
  "category createdDate": "",
  "category html": "as XML prints it",
  "category id": "",
  "category info": "manufacturer and dates alone",
  "category modifiedDate": "",
  "category pageTitle": "",
  "category tags": "",
  "category tree": "",
  "category url": "",
};

const found = new Set<string>();

for (const [name, options, tags] of SITES) {
  test(`with XML beside JSON, every item of ${name} is the same as from JSON alone`, { tags }, async () => {
    const { source, sandbox } = await startSite(options);
    const [xml, keys] = [sourceOf(sandbox, { format: "xml" }), [...(await tokens(source)).keys()]];
    await tokens(xml);
    for (const key of [...keys, "guide/12@de" as Key]) {
      const [one, other] = [await source.read(key, never), await xml.read(key, never)];
      const plain = (item: Item | undefined) => item && { ...item, raw: null, revision: "" };
      expect(plain(other)).toEqual(plain(one));
      if (one === undefined) continue;
      const hasForm = /^(?:guide|category)\//.test(key);
      const withXml = { ...Object(one.raw), xml: expect.stringMatching(/^<\?xml/) };
      expect(other?.raw).toEqual(hasForm ? withXml : one.raw);
    }
  });
}

for (const [name, options, tags] of SITES) {
  test(`as XML alone, the items of ${name} differ by the listed losses only`, { tags }, async () => {
    const { source, sandbox } = await startSite(options);
    if (options.dialect === "ifixit") {
      const part = { name: "Spare Peg", type: "", quantity: 1, notes: "", url: "", isoptional: true, featured: true };
      sandbox.edit.guide(2, { parts: [part], tools: [part] });
    }
    const only = sourceOf(sandbox, { format: "xml-only" });
    const keys = [...(await tokens(source)).keys()];
    await tokens(only);
    for (const key of [...keys, "guide/12@de" as Key]) {
      const [json, xml] = [await source.read(key, never), await only.read(key, never)];
      if (json === undefined || xml === undefined) {
        expect(xml).toBe(json);
        continue;
      }
      const losses = lossesOf(json, xml);
      for (const loss of losses) found.add(loss);
      expect(losses.filter((loss) => !(loss in LOSSES))).toEqual([]);
      expect(xml.issues.filter(({ code }) => code === "xml-only")).toHaveLength(losses.length === 0 ? 0 : 1);
    }
    const asked = sandbox.recorded.filter(({ path }) => /^\/(?:guides\/\d+|wikis\/CATEGORY\/)/.test(path));
    expect(asked.filter(({ query }) => query.includes("type=XML")).length).toBeGreaterThan(30);
  });
}

test("each listed loss occurs", () => {
  expect([...found].toSorted()).toEqual(Object.keys(LOSSES).toSorted());
});

test("where XML differs, the item takes JSON's value, with a note of the place", async () => {
  const { source, sandbox } = await startSite({ site: SAMPLE_SITE });
  const json = await guide(source, "guide/5");
  const xml = sourceOf(sandbox, { format: "xml" });
  // Somebody edits between the two reads.
  sandbox.faults.decide(({ query }) => {
    if (query.includes("type=XML")) sandbox.edit.guide(5, { summary: "Another one." });
    return undefined;
  });
  const { body, issues } = await guide(xml, "guide/5");
  expect(body).toEqual(json.body);
  const notes = issues.filter(({ code }) => code === "xml-disagrees");
  expect(notes).toMatchObject([
    { level: "note", key: "guide/5", path: "summary", message: expect.stringContaining('"Another one."') },
    { level: "note", path: "modifiedDate" },
  ]);
});

test("a site without XML is read as JSON with a note, and fails as XML alone", async () => {
  const { sandbox } = await startSite({ site: SAMPLE_SITE });
  sandbox.faults.decide(({ query }) => (query.includes("type=XML") ? { kind: "status", status: 400 } : undefined));
  const both = await sourceOf(sandbox, { format: "xml" }).read("category/Wren 40", never);
  expect(both?.issues).toContainEqual(expect.objectContaining({ code: "no-xml", level: "note" }));
  const only = sourceOf(sandbox, { format: "xml-only" });
  await expect(only.read("guide/1", never)).rejects.toThrow(
    /^guide\/1 has no XML form: GET guides\/1\?type=XML was answered 400, .* Run extract with --format xml/,
  );
});

test("as XML alone, an archived guide that the account may not open is distinguished from a refusal", async () => {
  const { sandbox } = await startSite({ site: SAMPLE_SITE });
  const only = sourceOf(sandbox, { format: "xml-only" });
  await tokens(only);
  sandbox.edit.guide(6, { flags: ["GUIDE_ARCHIVED"] });
  sandbox.faults.inject({ kind: "status", status: 403 }, { path: /^\/guides\/[56]$/, times: 2 });
  await expect(only.read("guide/5", never)).rejects.toThrow(StatusError);
  const again = sourceOf(sandbox, { format: "xml-only" });
  await tokens(again);
  await expect(again.read("guide/6", never)).rejects.toThrow(ArchivedGuideError);
});

test("an XML answer that ends early is an error with its place, and a missing item is undefined", async () => {
  const { sandbox } = await startSite({ site: SAMPLE_SITE });
  const only = sourceOf(sandbox, { format: "xml-only" });
  sandbox.faults.inject({ kind: "garbage" }, { path: "/guides/1" });
  await expect(only.read("guide/1", never)).rejects.toThrow(
    /^The XML of guide\/1 cannot be read\. GET http\S+type=XML:\d+:\d+ in <\w+>: .* Expected: /,
  );
  expect(await only.read("guide/9999", never)).toBeUndefined();
  expect(await only.read("guide/1@de", never)).toBeUndefined();
  expect(await only.read("category/Nowhere", never)).toBeUndefined();
});
