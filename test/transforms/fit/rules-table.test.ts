import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FIT_RULES } from "../../../transforms/fit/fit.js";
import { SERVICE_LIMITS } from "../../../transforms/fit/limits.js";

const FOLDER = new URL("../../../transforms/fit/", import.meta.url);

describe("the table of rules and policies", () => {
  it("has each code once", () => {
    const codes = FIT_RULES.map((row) => row.code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("holds every code that a rule reports", () => {
    const rules = new URL("rules/", FOLDER);
    const told = readdirSync(rules).flatMap((name) =>
      [...readFileSync(new URL(name, rules), "utf8").matchAll(/ {2}code: "([a-z-]+)"/g)].map(([, code]) => code),
    );
    expect(told.sort()).toEqual(FIT_RULES.map((row) => row.code).sort());
  });

  it("names the limits that the code checks", () => {
    const limitOf = (code: string) => FIT_RULES.find((row) => row.code === code)?.limit;
    const limits = SERVICE_LIMITS;
    expect(limitOf("summary-too-long")).toBe(`${limits.summary} characters`);
    expect(limitOf("introduction-too-long")).toBe(`${limits.introductionLines}`);
    expect(limitOf("line-too-long")).toBe(`${limits.lineLength} characters`);
    expect(limitOf("line-level")).toContain(`0 to ${limits.maximumLevel}`);
    expect(limitOf("step-too-many-lines")).toBe(`${limits.linesPerStep}`);
    expect(limitOf("step-too-many-images")).toBe(`${limits.imagesPerStep}`);
    expect(limitOf("tag-too-long")).toBe(`${limits.tagLength} characters`);
    expect(limitOf("page-title-too-long")).toBe(`${limits.pageTitle} characters`);
    expect(limitOf("upload-too-large")).toBe(`${limits.uploadBytes / 1_000_000} MB`);
    expect(limitOf("upload-image-type")).toBe(limits.imageExtensions.join(", "));
    expect(limitOf("difficulty")).toBe(limits.difficulties.join(", ").replace(/, ([^,]*)$/, " or $1"));
    for (const [code, size] of [
      ["image-too-small", limits.minimumImage],
      ["video-too-small", limits.minimumVideo],
      ["upload-too-small", limits.minimumUpload],
    ] as const) {
      expect(limitOf(code)).toBe(`${size.width} x ${size.height} at least`);
    }
  });
});
