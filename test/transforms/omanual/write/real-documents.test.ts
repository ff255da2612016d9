import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GuideItem, ItemOf } from "../../../../src/core/model/item.js";
import { readGuide } from "../../../../src/service/wire/guide.js";
import { readManual } from "../../../../transforms/omanual/read-manual.js";
import { writeItem } from "../../../../transforms/omanual/write/write-item.js";
import { writeManual } from "../../../../transforms/omanual/write/write-manual.js";
import { guideItem } from "../../../helpers/items.js";
import { SAMPLE_SITE, startSite } from "../../../sync/extract-site.js";
import { bundle, byKey, unbundle } from "./bundled.js";
import { differences, readBack, untold } from "./read-back.js";
import { faultsOf } from "./schemas.js";

const DATA = new URL("../../../../../shared/data/", import.meta.url);
const GUIDES = new URL("ose/guides/", DATA);
const EXAMPLES = new URL("omanual/examples/", DATA);

const real: readonly GuideItem[] = existsSync(GUIDES)
  ? readdirSync(GUIDES).map((name) => {
      const raw: unknown = JSON.parse(readFileSync(new URL(name, GUIDES), "utf8"));
      const key = `guide/${name.replace(".json", "")}` as const;
      const reading = { key, endpoint: key, origin: "https://old.example", report: () => undefined };
      const { guide, media } = readGuide(raw, reading);
      return { ...guideItem(guide.id, guide), key, media };
    })
  : [];

async function sampleItems(): Promise<readonly (GuideItem | ItemOf<"category">)[]> {
  const { run, workspace } = await startSite({ site: SAMPLE_SITE });
  await run();
  const keys = [...workspace.items.entries()].map(({ key }) => key);
  const items = await Promise.all(keys.map((key) => workspace.items.get(key)));
  return items.filter((item) => item?.kind === "guide" || item?.kind === "category");
}

describe("the sample site's guides and categories", () => {
  it("come back as they were, but for what is told of", async () => {
    const items = await sampleItems();
    expect(items.length).toBeGreaterThan(10);
    for (const item of items) expect([item.key, missed(item)]).toEqual([item.key, []]);
  });

  it("are valid by both schemas", { tags: ["shared", "xmllint"] }, async () => {
    expect(await faultsOf((await sampleItems()).map((item) => writeItem(item).xml))).toEqual([]);
  });
});

describe("64 real guides", { tags: ["shared"] }, () => {
  it("are valid by both schemas", { tags: ["shared", "xmllint"] }, async () => {
    expect(real).toHaveLength(64);
    expect(await faultsOf(real.map((item) => writeItem(item).xml))).toEqual([]);
  });

  it("come back as they were through a bundle with its sidecars", async () => {
    const { items } = await unbundle((await bundle(real)).files);
    const keys = new Set(real.map(({ key }) => key));
    expect(byKey(items.filter(({ key }) => keys.has(key)))).toEqual(byKey(real));
  });

  it("come back as they were, but for what is told of", () => {
    for (const item of real) expect([item.key, missed(item)]).toEqual([item.key, []]);
  });
});

describe("the vendor's examples", { tags: ["shared"] }, () => {
  const written = (existsSync(EXAMPLES) ? readdirSync(EXAMPLES) : []).flatMap((name) => {
    const result = readManual(readFileSync(new URL(name, EXAMPLES)), { file: name });
    return result.ok && result.manual.kind !== "manifest" ? [{ name, xml: writeManual(result.manual) }] : [];
  });

  it("of all versions are valid 1.0 when they are written", { tags: ["shared", "xmllint"] }, async () => {
    expect(written).toHaveLength(4);
    expect(await faultsOf(written.map(({ xml }) => xml))).toEqual([]);
  });

  it("are written the same from the second time on", () => {
    for (const { name, xml } of written) {
      const again = readManual(xml, { file: name });
      if (!again.ok || again.manual.kind === "manifest") throw new Error(`${name} is no manual any more.`);
      expect(writeManual(again.manual)).toBe(xml);
    }
  });
});

function missed(item: GuideItem | ItemOf<"category">): readonly string[] {
  const { xml, issues } = writeItem(item);
  return untold(differences(item.body, readBack(item, xml).body), issues);
}
