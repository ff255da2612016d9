import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loadCommands } from "../src/commands/commands.js";
import { configSchema } from "../src/commands/options/config-file.js";
import { flagOf } from "../src/commands/options/option.js";
import { OPTION_ROWS } from "../src/commands/options/table.js";
import { EXIT } from "../src/core/errors.js";
import { configJsonSchema } from "./helpers/config-schema.js";
import { manPage } from "./helpers/man-page.js";
import { referenceTables, withTables } from "./helpers/reference-tables.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const COMMANDS = await loadCommands();
const TABLES = Object.entries(referenceTables(COMMANDS));
const { version, man, files } = z
  .object({ version: z.string(), man: z.string(), files: z.array(z.string()) })
  .parse(JSON.parse(read("package.json")));

const SCHEMA = join(ROOT, "config.schema.json");
const SCHEMA_TEXT = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;

if (process.env["WRITE_TABLES"] !== undefined) {
  writeFileSync(SCHEMA, SCHEMA_TEXT);
  writeFileSync(join(ROOT, man), manPage(COMMANDS, version));
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

describe("the manual page", () => {
  const page = read(man);

  it("is as the code has it, and is part of the package", () => {
    expect(page, "WRITE_TABLES=1 npx vitest run test/readme.test.ts writes it").toBe(manPage(COMMANDS, version));
    expect(files.some((folder) => man.startsWith(`${folder}/`))).toBe(true);
  });

  it("names every command, option and exit code", () => {
    const plain = page.replace(/\\f[BIR]/g, "").replaceAll("\\-", "-");
    for (const { name } of COMMANDS) expect(plain).toMatch(new RegExp(`^\\.TP\nguideferry ${name}(?: |$)`, "m"));
    for (const [key, row] of OPTION_ROWS)
      expect(plain).toMatch(new RegExp(`^(?:-\\w, )?${flagOf(key, row)}(?: |$)`, "m"));
    for (const code of Object.values(EXIT)) expect(plain).toContain(`\n.TP\n${code}\n`);
  });

  it("has no other macro and escape than those of man(7): no text is taken for one", () => {
    const macros = page.split("\n").filter((line) => /^[.']/.test(line));
    expect([...new Set(macros.map((line) => line.split(" ")[0]))].sort()).toEqual(MACROS);
    expect([...new Set(page.match(/\\(?:f.|\(..|.)/g))].sort()).toEqual(["\\-", "\\fB", "\\fI", "\\fR"]);
  });

  it("takes no text for a macro or an escape", () => {
    const hostile = COMMANDS.slice(0, 1).map((one) => ({ ...one, about: ".so /etc/passwd \\n", examples: ["'ig -x"] }));
    expect(manPage(hostile, version)).toContain("\n\\&.so /etc/passwd \\en.\n");
    expect(manPage(hostile, version)).toContain("\n\\&'ig \\-x\n");
  });

  it("is printed by groff without a warning, with every hyphen as one that a shell takes", { tags: ["groff"] }, () => {
    const { stdout, stderr, status } = spawnSync("groff", ["-man", "-ww", "-Kutf8", "-Tutf8", "-P-c", join(ROOT, man)]);
    expect([status, stderr.toString()]).toEqual([0, ""]);
    expect(stdout.toString()).not.toMatch(/[\u00ad\u2010]/);
    expect(stdout.toString()).toMatch(
      /^ +guideferry migrate https:\/\/old\.example https:\/\/new\.example --dry-run$/m,
    );
  });
});

const MACROS = [".B", ".I", ".PP", ".RE", ".RS", ".SH", ".SS", ".TH", ".TP", ".ad", ".br", ".fi", ".nf", ".nh"];

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
