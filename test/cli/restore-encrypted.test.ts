import { mkdirSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { fillLooms } from "../pipeline/backup/helpers/looms.js";

test("an encrypted backup is restored with its key, and says so without it", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  mkdirSync(join(directory, "home"));
  const identity = await generateX25519Identity();
  await writeFile(join(directory, "key.txt"), `${identity}\n`);
  const environment = {
    GUIDEFERRY_SOURCE_TOKEN: sandbox.token,
    GUIDEFERRY_TARGET_TOKEN: sandbox.token,
    XDG_STATE_HOME: join(directory, "home"),
  };
  const run = (...words: readonly string[]) => runCli(words, { directory, environment });
  const to = ["--encrypt-to", await identityToRecipient(identity)];
  expect((await run("backup", sandbox.url, "--to", "repo", "--workspace", "work", ...to)).code).toBe(0);
  const without = await run("restore", "repo", "./out");
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("--identity")]);
  expect((await run("restore", "repo", "./out", "--identity", "key.txt")).code).toBe(0);
  const [archive = ""] = readdirSync(join(directory, "repo")).filter((name) => name.endsWith(".full.zip.age"));
  expect((await run("restore", join("repo", archive), "./out2", "--identity", "key.txt")).code).toBe(0);
  sandbox.edit.guide(3, { title: "PWNED" });
  const home = ["restore", "repo", sandbox.url, "--include", "guide/3", "--identity", "key.txt"];
  const unkept = await run(...home);
  expect([unkept.code, unkept.stderr]).toEqual([2, expect.stringContaining("--no-snapshot-first")]);
  expect(sandbox.state().guides[2]).toMatchObject({ title: "PWNED" });
  expect((await run(...home, "--no-snapshot-first")).code).toBe(0);
  expect(sandbox.state().guides[2]).toMatchObject({ title: "Guide 3" });
});
