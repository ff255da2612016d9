import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Command } from "../../src/commands/command.js";
import { loadCommands } from "../../src/commands/commands.js";
import { isNegative, type Option } from "../../src/commands/options/option.js";
import { OPTION_ROWS, type OptionName } from "../../src/commands/options/table.js";
import { choicesOf } from "../../src/commands/options/values.js";

const FILE = "src/library/option-values.ts";

/** The commands that are functions of the library, and options that these have in another form. */
const FUNCTIONS: Readonly<Record<string, readonly OptionName[]>> = {
  migrate: ["dryRun"],
  extract: [],
  load: ["dryRun"],
  plan: ["at", "identity"],
  verify: ["identity", "sample", "structure", "reportItem"],
  backup: [],
  restore: ["dryRun"],
  undo: [],
  "import-training": [],
};

it("types and describes the options of the library as the table of options does", async () => {
  const commands = (await loadCommands()).filter(({ name }) => name in FUNCTIONS);
  expect(commands.length).toBe(Object.keys(FUNCTIONS).length);
  const text = optionValues(commands);
  if (process.env["WRITE_TABLES"]) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8"), `Run: WRITE_TABLES=1 npx vitest run test/library`).toBe(text);
});

/** For people at a terminal, and for runs that nobody watches. */
const NOT_HERE: ReadonlySet<OptionName> = new Set(["ui", "port", "notify", "metrics"]);

function optionValues(commands: readonly Pick<Command, "name" | "options">[]): string {
  const names = commands.map(({ name, options }) => {
    const without = new Set([...NOT_HERE, ...(FUNCTIONS[name] ?? [])]);
    return [name, options.filter((option) => !without.has(option))] as const;
  });
  const taken = new Set(names.flatMap(([, options]) => options));
  const fields = OPTION_ROWS.filter(([name]) => taken.has(name)).map(([name, row]) => fieldOf(name, row));
  return `// Generated from the table of options: WRITE_TABLES=1 npx vitest run test/library

/** A transform by its name or its file, with its options. */
export interface ChosenTransform {
  /** One of guideferry's own, or the path of a module: \`./mine.mjs\`. */
  readonly name: string;
  /** Each transform checks its own. Default: none. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * The options of all functions. Each has the name and the values that it has in a configuration
 * file: a rate is 5 or "5/s". A wrong value rejects with a UsageError.
 */
export interface OptionValues {
${fields.join("\n")}
}

/** The names of the options that each command has as a function. */
// biome-ignore format: one name a line is too long
export const OPTION_NAMES = {
${names.map(([name, options]) => `  ${/-/.test(name) ? JSON.stringify(name) : name}: ${listOf(options)},`).join("\n")}
} as const satisfies Readonly<Record<string, readonly (keyof OptionValues)[]>>;
`;
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name, at) => `${JSON.stringify(name)}${at === names.length - 1 ? "" : ","}`);
  return `[\n${filled(quoted)
    .map((line) => `    ${line}\n`)
    .join("")}  ]`;
}

function fieldOf(name: OptionName, row: Option<unknown>): string {
  const fallback = row.fallbackText ?? JSON.stringify(row.fallback);
  const about = isNegative(row) ? `False: ${row.about}` : `${row.about.charAt(0).toUpperCase()}${row.about.slice(1)}`;
  const words = `${about}. Default: ${fallback}.`;
  return `${comment(words)}\n  readonly ${name}: ${typeOf(name, row)};`;
}

const TYPES: Readonly<Partial<Record<OptionName, string>>> = {
  since: "string | Date",
  snapshots: '"latest" | "all" | number',
  transforms: "string | readonly (string | ChosenTransform)[]",
};

/** By the placeholder of the value in the help. */
const NUMBERS: ReadonlySet<string> = new Set(["N", "PORT"]);
const TEXTS_OR_NUMBERS: ReadonlySet<string> = new Set(["RATE", "SIZE", "P%", "N|P%", "P%|N"]);

function typeOf(name: OptionName, { schema, value, fallback }: Option<unknown>): string {
  const known = TYPES[name];
  if (known !== undefined) return known;
  if (value === undefined) return "boolean";
  const choices = choicesOf(schema)
    ?.map((word) => JSON.stringify(word))
    .join(" | ");
  if (Array.isArray(fallback)) return `string | readonly ${choices === undefined ? "string" : `(${choices})`}[]`;
  if (choices !== undefined) return choices;
  if (typeof fallback === "object" && fallback !== null && value === "OLD=NEW,…")
    return "string | Readonly<Record<string, string>>";
  if (NUMBERS.has(value)) return "number";
  return TEXTS_OR_NUMBERS.has(value) ? "number | string" : "string";
}

/** A doc comment of at most 100 columns. */
function comment(words: string): string {
  const lines = filled(words.replaceAll("*/", "*\\/").split(" "));
  if (lines.length === 1 && (lines[0] ?? "").length <= 91) return `  /** ${lines[0]} */`;
  return ["  /**", ...lines.map((line) => `   * ${line}`), "   */"].join("\n");
}

function filled(words: readonly string[]): readonly string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length > 93) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines;
}
