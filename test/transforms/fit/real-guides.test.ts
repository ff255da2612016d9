import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GuideItem } from "../../../src/core/model/item.js";
import { readGuide } from "../../../src/service/wire/guide.js";
import { fitGuide } from "../../../transforms/fit/fit.js";
import { contextOf, guideItem } from "./make.js";

const FOLDER = new URL("../../../../shared/data/ose/guides/", import.meta.url);
const POLICIES = ["refuse", "split", "trim"] as const;

const items: readonly GuideItem[] = existsSync(FOLDER)
  ? readdirSync(FOLDER).map((name) => {
      const raw: unknown = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
      const key = `guide/${name.replace(".json", "")}` as const;
      const { guide } = readGuide(raw, { key, endpoint: key, origin: "https://old.example", report: () => undefined });
      return { ...guideItem(guide), key };
    })
  : [];

describe("fitGuide with 64 real guides", { tags: ["shared"] }, () => {
  it("finds the five breaches in three of them that the service would refuse", () => {
    for (const policy of POLICIES) {
      const outcomes = items.map((item) => fitGuide(item, contextOf({ policy })));
      const told = outcomes
        .flatMap(({ issues, refused }) => [...issues, ...refused])
        .map(({ key, code }) => `${key} ${code}`);
      expect(told.sort()).toEqual([
        "guide/11 line-level",
        "guide/11 summary-too-long",
        "guide/13 line-level",
        "guide/13 summary-too-long",
        "guide/96 summary-too-long",
      ]);
      expect(outcomes.filter(({ item }) => item === undefined)).toHaveLength(policy === "refuse" ? 3 : 0);
      expect(outcomes.filter(({ item }, index) => item === items[index])).toHaveLength(items.length - 3);
    }
  });

  it("divides lines that references would lengthen, and loses no word", () => {
    const measure = (text: string) =>
      text.replaceAll("[guide|", "[https://old.example/Guide/A+long+title/").padEnd(text.length + 20);
    const words = (item: GuideItem | undefined) =>
      item?.body.steps
        .flatMap((step) => step.lines.flatMap((line) => line.text.split(/\s+/)))
        .filter((word) => word !== "");
    const outcomes = items.map((item) => fitGuide(item, contextOf({ measure })));
    expect(
      outcomes.flatMap(({ issues }) => issues).filter((issue) => issue.code === "line-too-long").length,
    ).toBeGreaterThan(0);
    for (const [index, { item }] of outcomes.entries()) expect(words(item)).toEqual(words(items[index]));
  });
});
