import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMAND_NAMES as commands } from "../../../src/commands/commands.js";
import { STAGE_NAMES, stageName } from "../../../src/web/report/stages.js";

it("are unique, and none is the name of a command that does something else", () => {
  const names = Object.values(STAGE_NAMES);
  expect(new Set(names).size).toBe(names.length);
  // These stages are what the command of the same name does, alone or among others.
  const same = new Set(["extract", "load", "plan", "undo", "verify"]);
  expect(names.filter((name) => commands.includes(name) && !same.has(name))).toEqual([]);
  expect(commands).toEqual(expect.arrayContaining(["check", "repair"]));
});

it("stand in docs/reference/output.md, each with its stage", () => {
  const text = readFileSync(new URL("../../../docs/reference/output.md", import.meta.url), "utf8");
  const [, table = ""] = /^## Stages$([\s\S]*?)^## /m.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, stage, name]) => [stage, name]);
  expect(rows.slice(1)).toEqual(Object.entries(STAGE_NAMES));
});

it("keep a stage of another version as it is", () => {
  expect([stageName("check"), stageName("weave"), stageName("constructor")]).toEqual([
    "prepare",
    "weave",
    "constructor",
  ]);
});
