import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { guideXml } from "../../src/sandbox/views/xml.js";
import { startService } from "./service.js";

const SHARED = join(import.meta.dirname, "../../../shared/data");
const REAL = join(SHARED, "ose");
const SAMPLE = join(import.meta.dirname, "../../samples/site");
const SCHEMAS = join(SHARED, "omanual/schema/1.0-pr12-dozuki");

describe("type=XML", () => {
  it("is a guide in the form of oManual 1.0: known keys are attributes, others children, raw texts attributes", async () => {
    const { get } = await startService({ site: SAMPLE });
    const { headers, body } = await get("/guides/10?type=XML&excludePrerequisiteSteps");
    expect(headers.get("content-type")).toContain("application/xml");
    expect(body).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<guide xmlns="http:\/\/omanual\.com\/" locale="en">/,
    );
    expect(body).toMatch(/<step number="0" title="[^"]*"><lines><line bullet="\w+" level="0" text_raw="/);
    expect(body).toMatch(/<video><objectid>7<\/objectid><encoding width="\d+"[^>]*>http[^<]+<column>/);
    expect(body).toMatch(/<source audio_bitrate_in_kbps="[^"]*"/);
    expect(body).toMatch(/<created_date>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00<\/created_date>/);
    const embed = (await get("/guides/11?type=XML")).body;
    expect(embed).toMatch(/<embed version="1\.0" cache_age="\d+" height="315" width="560"><url>/);
  });

  it("has line ends of raw texts as spaces, titles escaped twice, and documents with the keys of their JSON", async () => {
    const { sandbox, get, makeGuide } = await startService();
    const { guideid } = await makeGuide({ title: 'Tongue & "groove"', introduction: 'One.\n\nTwo "2".' });
    const { body } = await get(`/guides/${guideid}?type=xml`);
    expect(body).toContain('introduction_raw="One.  Two &quot;2&quot;."><p>One.</p>\n\n<p>Two "2".</p></introduction>');
    expect(body).toContain(">Tongue &amp;amp; &amp;quot;groove&amp;quot;</title>");
    expect(body).toContain("<image/>");
    await sandbox.close();
    const documents = (await (await startService({ site: SAMPLE })).get("/guides/1?type=XML")).body;
    expect(documents).toMatch(
      /<document url="\/Document\/[^"]+">[^<]+<download_url>http[^<]+<\/download_url><icon>[^<]*<\/icon><extension>pdf</,
    );
  });

  it("is there for categories alone, and its errors are XML", async () => {
    const { get } = await startService({ site: SAMPLE });
    const category = (await get("/wikis/CATEGORY/Wren%2040?type=XML")).body;
    expect(category).toMatch(/<category_info discontinued="[^"]*" introduced="[^"]*" manufacturer="[^"]*">Wren 40</);
    expect(category).toContain("<ancestor>Root</ancestor></ancestors>");
    for (const [path, status] of [
      ["/wikis/INFO/Flags", 400],
      ["/guides/9999", 404],
      ["/wikis/CATEGORY/Nowhere", 404],
    ] as const) {
      const answer = await get(`${path}?type=XML`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toContain("application/xml");
      expect(answer.body).toMatch(/^<\?xml[^>]+>\n<error><message>[^<]+<\/message><\/error>\n$/);
    }
  });
});

describe("type=XML at its limits", () => {
  it("answers too many requests in XML too, and only those that asked for XML", async () => {
    const { get } = await startService({ rateLimit: { requests: 1, perMs: 60_000 } });
    await get("/guides");
    const [xml, json] = [await get("/guides/1?type=XML"), await get("/guides/1")];
    expect(xml).toMatchObject({ status: 429, body: expect.stringContaining("<error><message>Too many requests<") });
    expect(json).toMatchObject({ status: 429, body: { message: "Too many requests" } });
  });

  it("has at most eight lines in a container, as the schema asks: a longer step has several", () => {
    const lines = Array.from({ length: 9 }, (_, index) => ({
      text_rendered: `Line ${index}.`,
      bullet: "black",
      level: 0,
    }));
    const containers = guideXml({
      steps: [
        { title: "", lines },
        { title: "", lines: [] },
      ],
    }).match(/<lines(?:\/>|>.*?<\/lines>)/g);
    expect(containers?.map((each) => each.match(/<line /g)?.length ?? 0)).toEqual([8, 1, 0]);
  });
});

describe.each([
  ["samples/site", SAMPLE],
  ["the real guides of shared/data/ose", REAL],
])("type=XML of %s", (_name, site) => {
  it("is valid by the vendor's schema but for what real answers break too", {
    tags: ["shared", "xmllint"],
  }, async () => {
    const { sandbox } = await startService({ site });
    const guides = readdirSync(join(site, "guides")).filter((file) => /^\d+\.json$/.test(file));
    const answers = guides.map((file) => JSON.parse(readFileSync(join(site, "guides", file), "utf8")));
    const categories = new Set<string>(answers.map(({ category }) => category));
    const documents = {
      guide: await Promise.all(answers.map(({ guideid }) => xmlOf(sandbox, `/guides/${guideid}`))),
      category: await Promise.all(
        [...categories].map((title) => xmlOf(sandbox, `/wikis/CATEGORY/${encodeURIComponent(title)}`)),
      ),
    };
    expect(documents.guide.length + documents.category.length).toBeGreaterThan(20);
    expect(await faultsOf(documents)).toEqual([]);
  });
});

async function xmlOf({ url, token }: Sandbox, path: string): Promise<string> {
  return (await fetch(`${url}${path}?type=XML`, { headers: { authorization: `api ${token}` } })).text();
}

/** What the schema has no place for, and real servers print nevertheless (omanual 8 and 13). */
const BEYOND_THE_SCHEMA = / (?:introduction_raw|conclusion_raw|text_raw)="[^"]*"| (?:introduced|discontinued)="[^"]*"/g;

async function faultsOf(documents: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-xml-"));
  try {
    const faults: string[] = [];
    for (const [kind, texts] of Object.entries(documents)) {
      await mkdir(join(folder, kind));
      const files = texts.map((_text, index) => join(folder, kind, `${index}.xml`));
      for (const [index, file] of files.entries()) {
        await writeFile(file, texts[index]?.replaceAll(BEYOND_THE_SCHEMA, "") ?? "");
      }
      const schema = join(SCHEMAS, `omanual_${kind}.xsd`);
      const { status, stderr } = spawnSync("xmllint", ["--nonet", "--noout", "--schema", schema, ...files], {
        encoding: "utf8",
      });
      if (status !== 0) faults.push(...stderr.split("\n").filter((line) => !/^$| validates$/.test(line)));
    }
    return faults;
  } finally {
    await rm(folder, { recursive: true });
  }
}
