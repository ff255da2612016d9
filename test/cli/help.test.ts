import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/commands/commands.js";
import { runCli } from "../helpers/run-cli.js";

describe("guideferry --help", () => {
  it("names every command and shows examples", async () => {
    const { code, stdout, stderr } = await runCli(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of COMMAND_NAMES) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(stdout).toMatch(/Examples:\n {2}guideferry demo /);
  });

  it("tells its version", async () => {
    expect((await runCli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([[[]], [["training"]], [["migrate", "--help"]], [["help", "training", "check", "--all"]]])(
    "is no error: %j prints on stdout and ends with 0",
    async (words) => {
      const { code, stdout, stderr } = await runCli(words);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^(?:Usage: guideferry|guideferry migrates)/);
    },
  );
});

describe("wrong usage", () => {
  it.each([
    [["migrte", "--help"], /There is no command migrte\. Did you mean "migrate"\?/],
    [["help", "migrte"], /There is no command migrte\. Did you mean "migrate"\?/],
    [["migrte"], /^error: Unknown command 'migrte'\. Did you mean migrate\?/],
    [["status"], /Missing required argument 'WORKSPACE'/],
    [["status", "https://site.example"], /This command needs a workspace folder/],
    [["status", "x", "--fit", "trim"], /Unknown option '--fit'/],
    [["sandbox", "--port", "99999"], /--port is "99999", expected a whole number from 0 to 65535/],
  ])("ends %j with 2, a message, and no stack trace", async (words, message) => {
    const { code, stdout, stderr } = await runCli(words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("is told as JSON too with --json", async () => {
    const { stdout } = await runCli(["status", "--json", "--rate", "5"]);
    expect(JSON.parse(stdout)).toMatchObject({ type: "error", exitCode: 2 });
  });

  it("shows where it happened with --debug", async () => {
    const { code, stderr } = await runCli(["sandbox", "--port", "99999", "--debug"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\n\s+at /);
  });

  it("is a folder that is not there, with 10", async () => {
    const status = await runCli(["status", "nowhere-at-all"]);
    expect([status.code, status.stderr]).toEqual([10, expect.stringMatching(/no workspace at .*nowhere-at-all/)]);
    const sandbox = await runCli(["sandbox", "--site", "nowhere-at-all"]);
    expect([sandbox.code, sandbox.stderr]).toEqual([10, expect.stringMatching(/nowhere-at-all/)]);
  });

  it("is an unknown variable, and a secret among the flags or in the file", async () => {
    const unknown = await runCli(["status", "x"], { environment: { GUIDEFERRY_RAET: "5" } });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/Did you mean "GUIDEFERRY_RATE"/)]);
    const flag = await runCli(["status", "x", "--source-token", "f00dfeed"]);
    expect([flag.code, flag.stderr]).toEqual([2, expect.not.stringMatching(/f00dfeed/)]);
  });
});
