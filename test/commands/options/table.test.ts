import { expect, test } from "vitest";
import { COMMAND_NAMES, loadCommands } from "../../../src/commands/commands.js";
import { OPTION_ROWS, OUTPUT_OPTIONS } from "../../../src/commands/options/table.js";

const COMMANDS = await loadCommands();

test("each command has the name under which the table has it", () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(COMMAND_NAMES);
});

test("no command names an option twice, or one that every command has", () => {
  for (const { name, options } of COMMANDS) {
    expect([name, options]).toEqual([name, [...new Set(options)]]);
    expect([name, options.filter((option) => option in OUTPUT_OPTIONS)]).toEqual([name, []]);
  }
});

test("every option is taken by a command", () => {
  const taken = new Set<string>(COMMANDS.flatMap(({ options }) => options));
  const unused = OPTION_ROWS.filter(([name]) => !taken.has(name) && !(name in OUTPUT_OPTIONS));
  expect(unused.map(([name]) => name)).toEqual([]);
});

test("every command that reads or writes files of a site or an address limits their bandwidth", () => {
  const transfers = COMMANDS.filter(
    ({ options }) => options.includes("concurrency") || options.includes("maxPackageSize"),
  );
  expect(transfers.length).toBeGreaterThan(12);
  expect(transfers.filter(({ options }) => !options.includes("maxBandwidth")).map(({ name }) => name)).toEqual([]);
});
