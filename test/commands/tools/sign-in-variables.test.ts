import { expect, it } from "vitest";
import { otherVariables, signInVariables } from "../../../src/commands/tools/init.js";

it.each([
  [{ by: "token" }, ["TOKEN"], []],
  [{ by: "password" }, ["EMAIL", "PASSWORD"], ["TOKEN"]],
  [{ by: "nobody" }, [], ["TOKEN", "EMAIL", "PASSWORD"]],
] as const)(
  "of a sign-in by %o names its variables, and those that a run would take before them",
  (signIn, own, others) => {
    const named = (names: readonly string[]): readonly string[] => names.map((name) => `GUIDEFERRY_SOURCE_${name}`);
    expect(signInVariables("source", signIn)).toEqual(named(own));
    expect(otherVariables("source", signIn)).toEqual(named(others));
  },
);

it("of a variable of one's own names that one, unless it is the usual one", () => {
  const other = { by: "variable", variable: "OLD_TOKEN" } as const;
  expect([signInVariables("target", other), otherVariables("target", other)]).toEqual([
    ["OLD_TOKEN"],
    ["GUIDEFERRY_TARGET_TOKEN"],
  ]);
  expect(otherVariables("target", { by: "variable", variable: "GUIDEFERRY_TARGET_TOKEN" })).toEqual([]);
});
