import { expect, it } from "vitest";
import { describeFailures } from "../../../src/commands/output/describe.js";

it("names a retry that a shell takes, also for a folder with a blank in its name", () => {
  const failure = { key: "guide/1", stage: "load", reason: "No.", remedy: "", target: null, at: 0 } as const;
  const [first] = describeFailures([failure], "/home/ann/my backup");
  expect(first).toMatch(/guideferry retry '\/home\/ann\/my backup'$/);
});
