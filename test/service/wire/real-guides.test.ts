import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guideSchema } from "../../../src/core/model/item.js";
import { readGuide } from "../../../src/service/wire/guide.js";
import { readGuideSummary } from "../../../src/service/wire/guide-lists.js";
import { JsonCursor } from "../../../src/service/wire/json-cursor.js";
import { readHierarchy } from "../../../src/service/wire/wiki.js";
import { collecting } from "./read-with-issues.js";

const FOLDER = new URL("../../../../shared/data/ose/", import.meta.url);
const absent = !existsSync(FOLDER);
if (absent) console.warn(`Skipped: the real guides are not at ${FOLDER.pathname}`);

function load(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, FOLDER), "utf8"));
}

test("every real guide reads whole, without one issue", { tags: ["shared"] }, () => {
  for (const file of readdirSync(new URL("guides/", FOLDER))) {
    const { reading, issues } = collecting(`guide/${Number.parseInt(file, 10)}`);
    const json = load(`guides/${file}`);
    const { guide, media } = readGuide(json, reading);
    expect(issues).toEqual([]);
    expect(guideSchema.parse(guide)).toEqual(guide);
    const answer = new JsonCursor(json, reading);
    expect(guide.steps).toHaveLength(answer.at("steps").items().length);
    expect(media.every(({ key, url }) => url !== null || key.startsWith("video/"))).toBe(true);
  }
});

test("every row of the real list reads, with the same token as the full guide", { tags: ["shared"] }, () => {
  const { reading, issues } = collecting();
  for (const row of new JsonCursor(load("guides_index.json"), reading).items()) {
    const summary = readGuideSummary(row);
    const full = new JsonCursor(load(`guides/${summary?.id}.json`), reading);
    expect(summary?.revision).toBe(String(full.at("guide_revisionid").number()));
  }
  expect(issues).toEqual([]);
});

test("the real category tree reads without an issue", { tags: ["shared"] }, () => {
  const { reading, issues } = collecting("record/hierarchy");
  const tree = readHierarchy(new JsonCursor(load("categories.json"), reading));
  expect(tree.get("Hopper")?.parent).toBe("CEB Press - Modules");
  expect(issues).toEqual([]);
});
