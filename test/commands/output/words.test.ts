import { expect, it } from "vitest";
import { count } from "../../../src/commands/output/words.js";

it("counts things with the plural of their noun and a comma between thousands", () => {
  const counted = [count(0, "guide"), count(1, "category"), count(999, "category"), count(1_000, "match")];
  expect(counted).toEqual(["0 guides", "1 category", "999 categories", "1,000 matches"]);
  expect(count(1_234_567, "row")).toBe("1,234,567 rows");
});
