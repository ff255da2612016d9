import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ["not a database", (file) => writeFileSync(file, "not a database at all ".repeat(500))],
  ["cut to half its length", (file) => truncateSync(file, Math.floor(readFileSync(file).length / 8192) * 4096)],
  [
    "overwritten behind its first page",
    (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xa5)]));
    },
  ],
];

it.each(DAMAGES)("a state.sqlite that is %s is renamed, and the backup goes on", async (_, damage) => {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  const run = (...words: readonly string[]) => runCli(words, { directory, environment });
  expect((await run("backup", sandbox.url, "--to", "repo")).code).toBe(0);
  const workspace = join(directory, "repo", "workspace");
  damage(join(workspace, "state.sqlite"));
  const status = await run("status", "repo/workspace");
  expect([status.code, status.stderr]).toEqual([
    6,
    expect.stringMatching(/`guideferry backup` renames the damaged file and restores its content from the archives/),
  ]);
  sandbox.edit.guide(1, { introduction: "Later." });
  const second = await run("backup", sandbox.url, "--to", "repo", "--json");
  const aside = readdirSync(workspace).find((name) => /^state\.sqlite\.damaged-\d{8}T\d{6}Z$/.test(name)) ?? "none";
  expect([second.code, second.stderr + second.stdout]).toEqual([0, expect.stringContaining(aside)]);
  const summary = JSON.parse(second.stdout.trim().split("\n").at(-1) ?? "");
  expect(summary).toMatchObject({ type: "summary", kind: "incremental", complete: true });
  expect(summary.counts).toMatchObject({ new: 0, deleted: 0, newMedia: 0 });
  expect((await run("verify", "repo")).code).toBe(0);
  expect((await run("backup", sandbox.url, "--to", "repo", "--json")).stdout).not.toContain("damaged");
});
