import { expect, test } from "vitest";
import { OPTIONS } from "../../../src/commands/options/table.js";

test("no option names a command twice", () => {
  const twice = Object.entries(OPTIONS).filter(([, { commands }]) => new Set(commands).size < commands.length);
  expect(twice.map(([name]) => name)).toEqual([]);
});
