import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../../../src/commands/commands.js";
import { configSchema } from "../../../src/commands/options/config-file.js";
import { readSettings } from "../../../src/commands/options/settings.js";
import { defaultSettings } from "../../../src/commands/options/table.js";
import { parseCommandLine } from "../../../src/commands/program.js";
import { asPlanned, choicesOfPlan } from "../../../src/commands/session/choices.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const COMMANDS = await loadCommands();

interface Given {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: object;
}

/** What a command line printed, the settings and the warnings. */
async function read({ words, environment = {}, file }: Given) {
  const warnings: string[] = [];
  const printed: string[] = [];
  const directory = await temporaryFolder();
  if (file !== undefined) await writeFile(join(directory, "guideferry.config.json"), JSON.stringify(file));
  const stream = { write: (text: string) => printed.push(text) > 0 };
  const invocation = parseCommandLine(words, COMMANDS, { version: "1.2.3", stdout: stream, environment });
  const warn = (text: string) => void warnings.push(text.replace(directory, "."));
  const read = await readSettings(invocation?.flags ?? {}, environment, directory, { warn });
  return { settings: read.settings, warnings, printed: printed.join("") };
}

const MIGRATE = ["migrate", "https://a.example", "https://b.example"];
const EXPORT = ["export-html", "repo", "-o", "site"];

describe("the old name of an option", () => {
  it.each<[string, Given, object, string]>([
    [
      "flag",
      { words: [...MIGRATE, "--delete-gone"] },
      { deleteRemoved: true },
      "--delete-gone is an old name. Use --delete-removed instead.",
    ],
    [
      "negative flag",
      { words: [...MIGRATE, "--no-delete-gone"], environment: { GUIDEFERRY_DELETE_REMOVED: "1" } },
      { deleteRemoved: false },
      "--delete-gone is an old name. Use --delete-removed instead.",
    ],
    [
      "variable",
      { words: MIGRATE, environment: { GUIDEFERRY_DELETE_GONE: "yes" } },
      { deleteRemoved: true },
      "GUIDEFERRY_DELETE_GONE is an old name. Use GUIDEFERRY_DELETE_REMOVED instead.",
    ],
    [
      "key",
      { words: MIGRATE, file: { deleteGone: true } },
      { deleteRemoved: true },
      './guideferry.config.json: "deleteGone" is an old name. Use "deleteRemoved" instead.',
    ],
    [
      "flag --version",
      { words: [...MIGRATE, "--version", "released"] },
      { contentVersion: "released" },
      "--version is an old name. Use --content-version instead.",
    ],
    [
      "flag --times",
      { words: [...EXPORT, "--times", "3"] },
      { snapshots: 3 },
      "--times is an old name. Use --snapshots instead.",
    ],
    [
      "variable GUIDEFERRY_TIMES",
      { words: EXPORT, environment: { GUIDEFERRY_TIMES: "all" } },
      { snapshots: "all" },
      "GUIDEFERRY_TIMES is an old name. Use GUIDEFERRY_SNAPSHOTS instead.",
    ],
    [
      "key times",
      { words: EXPORT, file: { times: 2 } },
      { snapshots: 2 },
      './guideferry.config.json: "times" is an old name. Use "snapshots" instead.',
    ],
    [
      "flag --profile of a check",
      { words: ["training", "check", "a.zip", "--profile", "strict"] },
      { strictness: "strict", profile: null },
      "--profile is an old name. Use --strictness instead.",
    ],
    [
      "variable GUIDEFERRY_PROFILE of a check",
      { words: ["training", "check", "a.zip"], environment: { GUIDEFERRY_PROFILE: "lenient" } },
      { strictness: "lenient", profile: null },
      "GUIDEFERRY_PROFILE is an old name. Use GUIDEFERRY_STRICTNESS instead.",
    ],
    [
      "key profile of a check",
      { words: ["training", "check", "a.zip"], file: { profile: "lenient" } },
      { strictness: "lenient", profile: null },
      './guideferry.config.json: "profile" is an old name. Use "strictness" instead.',
    ],
  ])("works as a %s, with a warning", async (_what, given, settings, warning) => {
    const found = await read(given);
    expect(found.settings).toMatchObject(settings);
    expect(found.warnings).toEqual([warning]);
  });

  it("loses against the new name", async () => {
    const environment = { GUIDEFERRY_TIMES: "all", GUIDEFERRY_SNAPSHOTS: "5" };
    expect((await read({ words: EXPORT, environment })).settings.snapshots).toBe(5);
  });

  it("is not shown in the help, and is checked as the new one", async () => {
    const help = (await read({ words: ["migrate", "--help"] })).printed;
    expect(help).toContain("--delete-removed");
    expect(help).not.toMatch(/--delete-gone|--version/);
    await expect(read({ words: [...EXPORT, "--times", "0"] })).rejects.toThrow(/^--snapshots is "0", expected latest/);
    expect(configSchema.parse({ deleteGone: true })).toEqual({ deleteRemoved: true });
  });

  it("is the name that a plan keeps", () => {
    const choices = choicesOfPlan({ ...defaultSettings(), deleteRemoved: true });
    expect(choices).toMatchObject({ deleteGone: true, contentVersion: "latest" });
    expect(asPlanned(defaultSettings(), choices, "plan.json").deleteRemoved).toBe(true);
  });
});

it.each([["migrate"], ["status"], ["training", "check"], ["export-html"]])(
  "%s --version is the program's version",
  async (...words) => {
    expect(await read({ words: [...words, "--version"] })).toMatchObject({ printed: "1.2.3\n", warnings: [] });
  },
);
