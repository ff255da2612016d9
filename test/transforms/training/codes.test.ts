import { describe, expect, it } from "vitest";
import { TRAINING_CODES } from "../../../transforms/training/training-codes.js";
import { validateLoneFile } from "../../../transforms/training/validate-package.js";
import type { ValidationResult } from "../../../transforms/training/validation.js";
import { codesOf, judge } from "../../helpers/training-packages.js";
import { ALL_CASES as CASES } from "./cases/all-cases.js";
import { type Case, isLone } from "./cases/case.js";

function judgeCase({ made, options }: Case): ValidationResult {
  if (!isLone(made)) return judge(made, options);
  return validateLoneFile(made.lone, Buffer.from(made.content), options);
}

describe("the codes", () => {
  it.each(CASES.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const judgement = judgeCase(one);
    const told = judgement.findings.map(({ code, place, detail }) => `${code} ${place}: ${detail}`);
    expect([codesOf(judgement), told]).toEqual([one.codes.toSorted(), told]);
  });

  it("all have a package that they are told of", () => {
    const covered = new Set(CASES.flatMap(({ codes }) => codes));
    expect(Object.keys(TRAINING_CODES).filter((code) => !covered.has(code))).toEqual([]);
  });

  it("come with a sentence for the author, their level and a place", () => {
    for (const one of CASES) {
      for (const { code, level, remedy, detail, place } of judgeCase(one).findings) {
        expect(remedy).toBe(TRAINING_CODES[code].remedy);
        if (one.options === undefined) expect(level).toBe(code.startsWith("E_") ? "error" : "warning");
        expect(`${place}${detail}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(detail).not.toContain("secret");
      }
    }
  });
});
