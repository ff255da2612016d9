import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/commands/options/settings.js";
import { UsageError } from "../../../src/core/errors.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

async function withConfig(config: unknown, name = "guideferry.config.json"): Promise<string> {
  const directory = await temporaryFolder();
  await writeFile(join(directory, name), typeof config === "string" ? config : JSON.stringify(config));
  return directory;
}

describe("the settings of a run", () => {
  it("are the defaults when nothing is said", async () => {
    const { settings } = await readSettings({}, {}, await temporaryFolder());
    expect(settings).toMatchObject({
      workspace: "./guideferry-workspace",
      rate: null,
      concurrency: 8,
      fit: "refuse",
      onConflict: "skip",
      onExisting: "adopt",
      dangling: "absolute",
      includePrivate: true,
      dependencies: true,
      progress: true,
      json: false,
      maxFailures: { inARow: 50, share: 0.2 },
    });
  });

  it("take a flag before a variable, a variable before the file, the file before the default", async () => {
    const directory = await withConfig({ rate: "1/s", concurrency: 2, fit: "trim", strict: true });
    const environment = { GUIDEFERRY_RATE: "2/s", GUIDEFERRY_CONCURRENCY: "3" };
    const { settings } = await readSettings({ rate: "3/s" }, environment, directory);
    expect(settings).toMatchObject({ rate: 3, concurrency: 3, fit: "trim", strict: true, dangling: "absolute" });
  });

  it("let a flag undo what a variable or the file says", async () => {
    const directory = await withConfig({ includePrivate: false, quiet: true });
    const { settings } = await readSettings(
      { includePrivate: true, quiet: false, progress: true },
      { GUIDEFERRY_NO_PROGRESS: "1" },
      directory,
    );
    expect(settings).toMatchObject({ includePrivate: true, quiet: false, progress: true });
  });

  it("read a variable of a negative flag as the flag", async () => {
    const directory = await temporaryFolder();
    const { settings } = await readSettings({}, { GUIDEFERRY_NO_INCLUDE_PRIVATE: "true" }, directory);
    expect(settings.includePrivate).toBe(false);
  });

  it("take an empty variable as not set", async () => {
    const { settings } = await readSettings({}, { GUIDEFERRY_RATE: "" }, await temporaryFolder());
    expect(settings.rate).toBeNull();
  });

  it.each([
    [{ GUIDEFERRY_RAET: "1" }, /GUIDEFERRY_RAET is unknown\. Did you mean "GUIDEFERRY_RATE"\?/],
    [{ GUIDEFERRY_TARGTE_TOKEN: "x" }, /Did you mean "GUIDEFERRY_TARGET_TOKEN"\?/],
    [{ GUIDEFERRY_PROGRESS: "0" }, /Did you mean "GUIDEFERRY_NO_PROGRESS"\?/],
    [{ GUIDEFERRY_RATE: "fast" }, /GUIDEFERRY_RATE is "fast", expected a rate/],
  ])("refuse %o", async (environment, message) => {
    const reading = readSettings({}, environment, await temporaryFolder());
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toBeInstanceOf(UsageError);
  });

  it("name a wrong flag with its value and what was expected", async () => {
    const reading = readSettings({ fit: "shrink" }, {}, await temporaryFolder());
    await expect(reading).rejects.toThrow('--fit is "shrink", expected one of refuse, split, trim.');
  });
});

describe("the configuration file", () => {
  it("may be a module, and may be named by a flag or a variable", async () => {
    const directory = await withConfig("export default { rate: 5, only: ['guide', 'image'] };\n", "other.mjs");
    const flagged = await readSettings({ config: "other.mjs" }, {}, directory);
    expect(flagged.settings).toMatchObject({ rate: 5, only: ["guide", "image"] });
    expect(flagged.file.path).toBe(join(directory, "other.mjs"));
    const fromVariable = await readSettings({}, { GUIDEFERRY_CONFIG: join(directory, "other.mjs") }, "/");
    expect(fromVariable.settings.rate).toBe(5);
  });

  it.each([
    [{ rte: 5 }, /unknown key "rte"\. Did you mean "rate"\?/],
    [{ sourceTokenVarable: "A" }, /Did you mean "sourceTokenVariable"\?/],
    [{ rate: "fast" }, /guideferry\.config\.json: "rate": expected a rate/],
    [{ progress: "maybe" }, /"progress": expected true or false/],
    [{ config: "x" }, /unknown key "config"/],
    [{ sourceTokenVariable: "not a name" }, /expected the name of an environment variable/],
    [[], /guideferry\.config\.json/],
    ["{ rate: 5 }", /it is not valid JSON: an error at position 2/],
    ['{ "rate": "secret"', /it is not valid JSON: (?!.*secret)/],
  ])("is refused when it holds %j", async (config, message) => {
    await expect(readSettings({}, {}, await withConfig(config))).rejects.toThrow(message);
  });

  it("is refused when the named one is not there, or two are", async () => {
    await expect(readSettings({ config: "none.json" }, {}, "/")).rejects.toThrow(/none\.json does not exist/);
    const directory = await withConfig({});
    await writeFile(join(directory, "guideferry.config.mjs"), "export default {};\n");
    await expect(readSettings({}, {}, directory)).rejects.toThrow(/both exist/);
  });

  it.each(["sourceToken", "targetToken", "token", "sourcePassword", "target_email", "apiKey"])(
    "is refused when it holds a sign-in itself under %s, without repeating it",
    async (key) => {
      const directory = await withConfig({ [key]: "f00dfeedf00dfeed" });
      const error = await readSettings({}, {}, directory).catch((reason: unknown) => String(reason));
      expect(error).toMatch(/is a sign-in, which must not be in a file/);
      expect(error).not.toMatch(/f00dfeed/);
    },
  );

  it("is not quoted when it cannot be parsed, since a secret may stand in it", async () => {
    for (const name of ["guideferry.config.json", "guideferry.config.mjs"]) {
      const directory = await withConfig('{ "sourceToken": "f00dfeed', name);
      const error = await readSettings({}, {}, directory).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error) + String(error instanceof Error && error.cause)).not.toMatch(/f00dfeed/);
    }
  });
});
