import { expect, it } from "vitest";
import { TRAINING_CODES } from "../../../transforms/training/training-codes.js";

it("each code says by its first letter whether it refuses, and its remedy is one sentence", () => {
  for (const [code, { level, remedy, meaning }] of Object.entries(TRAINING_CODES)) {
    expect(code).toMatch(/^[EW]_(?:PKG|XML|MAN|CMI5|TINCAN|AICC)_[A-Z0-9_]+$/);
    expect(level).toBe(code.startsWith("E_") ? "error" : "warning");
    expect(remedy).toMatch(/^[A-Z][^\n]*\.$/);
    expect(meaning).not.toMatch(/\.$/);
  }
});
