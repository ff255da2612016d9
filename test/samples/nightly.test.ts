import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SAMPLES = fileURLToPath(new URL("../../samples/", import.meta.url));
const CRON = readFileSync(`${SAMPLES}cron/guideferry-backup`, "utf8");
const UNIT = readFileSync(`${SAMPLES}systemd/guideferry-backup.service`, "utf8");

/** What follows the minute, hour, day, month, day of the week and user of each line. */
function cronCommands(): readonly string[] {
  return CRON.split("\n").flatMap((line) => /^[\d*]+(?: +[\d*]+){4} +\w+ +(.*)$/.exec(line)?.[1] ?? []);
}

/** The words behind `guideferry`, without folders that only the monitor's machine has. */
function wordsOf(command: string): readonly string[] {
  return (/\bguideferry (.*)$/.exec(command)?.[1] ?? "").split(" ");
}

it("has no percent sign in a line of cron: cron would end the command there", () => {
  expect(cronCommands()).toHaveLength(2);
  for (const command of cronCommands()) expect(command).not.toMatch(/(?<!\\)%/);
});

it("gives every command options that it has", async () => {
  const [start = ""] = /(?<=^ExecStart=).*$/m.exec(UNIT) ?? [];
  for (const command of [...cronCommands(), start]) {
    const words = wordsOf(command);
    // A folder that isn't there, so that nothing is done: an option that the command doesn't have
    // would end it with 2 before.
    const { code, stderr } = await runCli([...words, "--config", "missing.json"], {
      directory: await temporaryFolder(),
    });
    expect([words[0], code, stderr]).toEqual([words[0], expect.any(Number), expect.stringContaining("missing.json")]);
    expect(stderr).not.toMatch(/unknown option|does not take/i);
  }
});

it("does not let systemd call a night without a snapshot a success", () => {
  expect(/(?<=^SuccessExitStatus=).*$/m.exec(UNIT)?.[0]).toBe("3");
});
