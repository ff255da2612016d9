import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../src/commands/commands.js";
import { configSchema } from "../src/commands/options/config-file.js";
import { configJsonSchema } from "./helpers/config-schema.js";
import { referenceTables, withTables } from "./helpers/reference-tables.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const TABLES = Object.entries(referenceTables(await loadCommands()));

const SCHEMA = join(ROOT, "config.schema.json");
const SCHEMA_TEXT = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;

if (process.env["WRITE_TABLES"] !== undefined) {
  writeFileSync(SCHEMA, SCHEMA_TEXT);
  for (const [page, tables] of TABLES) writeFileSync(join(ROOT, page), withTables(read(page), tables));
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

describe("the README", () => {
  it("holds the commands that CI runs in a fresh clone", () => {
    expect(README.match(/npm ci && npm [a-z ]*[a-z]/g)).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  });
});

it.each(TABLES)("the tables of %s are as the code has them", (page, tables) => {
  expect(read(page), "WRITE_TABLES=1 npx vitest run test/readme.test.ts writes them").toBe(
    withTables(read(page), tables),
  );
});

it("the schema of the configuration is as the code has it", () => {
  expect(readFileSync(SCHEMA, "utf8"), "WRITE_TABLES=1 npx vitest run test/readme.test.ts writes it").toBe(SCHEMA_TEXT);
});

describe("the sample configuration", () => {
  it("holds, as JSON and as a module, and both say the same", async () => {
    const json: unknown = JSON.parse(readFileSync(join(ROOT, "samples/guideferry.config.json"), "utf8"));
    const module: { readonly default: unknown } = await import(join(ROOT, "samples/guideferry.config.mjs"));
    expect(configSchema.parse(json)).toMatchObject({ rate: 5, fit: "split", sourceTokenVariable: "OLD_SITE_TOKEN" });
    expect({ $schema: "../config.schema.json", ...configSchema.parse(module.default) }).toEqual(
      configSchema.parse(json),
    );
  });
});
