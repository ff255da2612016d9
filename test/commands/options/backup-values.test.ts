import { describe, expect, it } from "vitest";
import { loadCommands } from "../../../src/commands/commands.js";
import { readSettings } from "../../../src/commands/options/settings.js";
import { bytesSchema, durationSchema, shareOrCountSchema } from "../../../src/commands/options/values.js";
import { parseCommandLine } from "../../../src/commands/program.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const COMMANDS = await loadCommands();

describe("values of the options of backups", () => {
  it.each([
    [bytesSchema, "4GB", 4_000_000_000],
    [bytesSchema, "2 GiB", 2 ** 31],
    [bytesSchema, "0.5MB", 500_000],
    [bytesSchema, 1000, 1000],
    [durationSchema, "90min", 5400],
    [durationSchema, "6h", 21_600],
    [shareOrCountSchema, "12.5%", { share: 0.125 }],
    [shareOrCountSchema, "50", { count: 50 }],
    [shareOrCountSchema, "100%", { share: 1 }],
  ])("%# are read from %j", (schema, text, value) => {
    expect(schema.parse(text)).toEqual(value);
  });

  it.each([
    [bytesSchema, ["0", "-1", "4XB", "", "GB", "1e9", "99999999TB"]],
    [durationSchema, ["0s", "5", "1 h", "h", "-1h"]],
    [shareOrCountSchema, ["101%", "-1", "10 %", "", "%"]],
  ])("%# are refused with what is expected", (schema, texts) => {
    for (const text of texts) expect(schema.safeParse(text).error?.issues[0]?.message).toMatch(/^expected a /);
  });
});

describe("one flag with two meanings", () => {
  async function settingsOf(...words: readonly string[]) {
    const { flags } = parseCommandLine(words, COMMANDS, { stdout: process.stdout, environment: {}, version: "1" }) ?? {
      flags: {},
    };
    return (await readSettings(flags, { GUIDEFERRY_REPOSITORY: "elsewhere" }, await temporaryFolder())).settings;
  }

  it("is that of its command: --to and -o", async () => {
    expect(await settingsOf("backup", "https://a.example", "--to", "repo")).toMatchObject({
      repository: "repo",
      to: null,
    });
    expect(await settingsOf("convert", "a.md", "--to", "html", "-o", "x")).toMatchObject({
      repository: "elsewhere",
      to: "html",
      output: "x",
      archiveFile: null,
    });
    expect(await settingsOf("export", "repo", "-o", "x.zip")).toMatchObject({ archiveFile: "x.zip", output: null });
  });
});
