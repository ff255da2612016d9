import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONFIG_SHAPE, configSchema } from "../../../src/commands/options/config-file.js";

const require = createRequire(import.meta.url);
// By the name under which the package ships it.
const SCHEMA: { readonly properties: Readonly<Record<string, { default?: unknown; description?: string }>> } =
  JSON.parse(await readFile(require.resolve("guideferry/config.schema.json"), "utf8"));
const isValid = new Ajv({ allErrors: true, strictTypes: false }).compile(SCHEMA);
const KEYS = Object.keys(CONFIG_SHAPE);

const takes = (config: unknown): boolean => configSchema.safeParse(config).success;

/** Texts and numbers that are near to what some option takes. */
const NEAR = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    false,
    null,
    0,
    1,
    5,
    2.5,
    -1,
    64,
    65,
    1e21,
    1e-7,
    "",
    " ",
    ",",
    "none",
    "all",
    "latest",
  ),
  fc.constantFrom<unknown>("true", "YES", "Off", "5/s", "0/s", "0.0", "1/14", "1/0", "50,20%", "0,20%", ",5%", "101%"),
  fc.constantFrom<unknown>(
    "4GB",
    "0 MB",
    "2 gib",
    "6h",
    "0min",
    "7d",
    "2026-11-01",
    "2026-11-01T08:00Z",
    "6:00",
    "24:00",
  ),
  fc.constantFrom<unknown>("guide", "guide,wiki", "guide;wiki", "split", "Split", "A=B", "=B", '{"A": "B"}', "a.csv"),
  fc.constantFrom<unknown>(
    [],
    ["guide"],
    ["guide", "x"],
    [5],
    [["a"]],
    ["a", "b"],
    {},
    { A: "B" },
    { A: "" },
    { A: 5 },
  ),
  fc.constantFrom<unknown>(
    "steps",
    "./a.mjs",
    { name: "steps" },
    { name: "" },
    [{ name: "a", options: { b: 1 } }],
    "A_B",
  ),
  fc.stringMatching(/^\d{1,3}(?:\.\d)?(?:%|\/s|\/min|h|d|min|KB|GiB)?$/),
  fc.string(),
  fc.jsonValue(),
);

/**
 * What JSON Schema cannot say: whether a date exists, a host can be one, a number in a text is in
 * its range, or a text of pairs and transforms is complete.
 */
const LOOSER = new Set([
  ..."allowPrivateMedia concurrency port fullEvery maxPackageFiles importConcurrency since partSize maxPackageSize".split(
    " ",
  ),
  ..."maxUnpackedSize keepLast keepDaily keepWeekly keepMonthly keepYearly typeMap categoryMap transforms origin".split(
    " ",
  ),
  ..."rate sourceRate targetRate mediaRate maxBandwidth sample".split(" "),
]);

describe("the schema of the configuration", () => {
  it("has each key with a text, and each default is one that the key takes", () => {
    expect(Object.keys(SCHEMA.properties)).toEqual(["$schema", "profile", "profiles", ...KEYS]);
    for (const [key, { description, default: usual }] of Object.entries(SCHEMA.properties)) {
      expect([key, description]).toEqual([key, expect.stringMatching(/\w/)]);
      if (usual !== undefined)
        expect([key, isValid({ [key]: usual }), takes({ [key]: usual })]).toEqual([key, true, true]);
    }
  });

  it.each(KEYS)("takes of %s what the program takes, and nothing that it refuses", (key) => {
    fc.assert(
      fc.property(NEAR, (value) => {
        const [bySchema, byProgram] = [isValid({ [key]: value }), takes({ [key]: value })];
        const inProfile = { profiles: { looms: { [key]: value } } };
        expect([value, isValid(inProfile), takes(inProfile)]).toEqual([value, bySchema, byProgram]);
        if (byProgram || !LOOSER.has(key)) expect([value, bySchema]).toEqual([value, byProgram]);
      }),
      // Where the text of a number gets an exponent, and what has no text.
      { numRuns: 100, examples: [[1e21], [1e21 - 2 ** 17], [{ toString: 0 }]] },
    );
  });

  it("takes the samples", async () => {
    for (const name of ["guideferry.config.json", "guideferry.profiles.json"]) {
      const sample: unknown = JSON.parse(await readFile(new URL(`../../../samples/${name}`, import.meta.url), "utf8"));
      expect([name, isValid(sample), isValid.errors, takes(sample)]).toEqual([name, true, null, true]);
    }
  });

  it.each([
    [{ rte: 5 }],
    [{ rate: "fast" }],
    [{ fit: "shrink" }],
    [{ only: ["guides"] }],
    [{ config: "x" }],
    [{ token: "x" }],
    [{ sourceToken: "x" }],
    [{ notify: "https://hook.example" }],
    [{ sourceTokenVariable: "not a name" }],
    [{ profile: "Looms" }],
    [{ profiles: { Looms: {} } }],
    [{ profiles: { strict: {} } }],
    [{ profiles: { looms: { rte: 5 } } }],
    [{ profiles: { looms: { profiles: {} } } }],
    [{ profiles: { looms: { profile: "x" } } }],
    [{ profiles: [] }],
    [{ source: "" }],
    [{ $schema: 5 }],
    [[]],
    [null],
    ["text"],
  ])("and the program refuse %j", (config) => {
    expect([isValid(config), takes(config)]).toEqual([false, false]);
  });

  it("takes profiles of several keys as the program does", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom(...KEYS), NEAR, fc.constantFrom(...KEYS), NEAR),
        ([one, first, other, second]) => {
          const config = { profile: "a", profiles: { a: { [one]: first }, "b-1": { [other]: second } } };
          if (takes(config)) expect([config, isValid(config)]).toEqual([config, true]);
        },
      ),
    );
  });
});
