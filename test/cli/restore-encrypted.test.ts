import { mkdirSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { quickPassphrases } from "../helpers/quick-passphrases.js";
import { type CliResult, runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

quickPassphrases();

interface EncryptedSite {
  readonly sandbox: Sandbox;
  readonly directory: string;
  run(...words: readonly string[]): Promise<CliResult>;
  /** Makes `NAME.txt`, a key, and gives its recipient. */
  newKey(name: string): Promise<string>;
  archives(): readonly string[];
}

async function encryptedSite(passphrase?: string): Promise<EncryptedSite> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  mkdirSync(join(directory, "home"));
  const environment = {
    GUIDEFERRY_SOURCE_TOKEN: sandbox.token,
    GUIDEFERRY_TARGET_TOKEN: sandbox.token,
    XDG_STATE_HOME: join(directory, "home"),
    ...(passphrase === undefined ? {} : { GUIDEFERRY_PASSPHRASE: passphrase }),
  };
  return {
    sandbox,
    directory,
    run: (...words) => runCli(words, { directory, environment }),
    newKey: async (name) => {
      const identity = await generateX25519Identity();
      await writeFile(join(directory, `${name}.txt`), `${identity}\n`);
      return identityToRecipient(identity);
    },
    archives: () =>
      readdirSync(join(directory, "repo")).filter((name) => /(?:full|incremental)\.zip(?:\.age)?$/.test(name)),
  };
}

const titleOf = (sandbox: Sandbox, guide: number): unknown => sandbox.state().guides[guide - 1]?.["title"];

test("an encrypted backup is restored with its key, and what is there goes into it first, for the same recipients", async () => {
  const { sandbox, directory, run, newKey, archives } = await encryptedSite();
  const to = ["--encrypt-to", await newKey("key")];
  await newKey("other");
  expect((await run("backup", sandbox.url, "--to", "repo", "--workspace", "work", ...to)).code).toBe(0);
  const without = await run("restore", "repo", "./out");
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("--identity")]);
  expect((await run("restore", "repo", "./out", "--identity", "key.txt")).code).toBe(0);
  const [archive = ""] = archives();
  expect((await run("restore", join("repo", archive), "./out2", "--identity", "key.txt")).code).toBe(0);
  sandbox.edit.guide(3, { title: "PWNED" });
  // A key of something else beside it does not come in between.
  const keys = ["--identity", "key.txt", "--identity", "other.txt"] as const;
  const words = ["restore", "repo", sandbox.url, "--include", "guide/3", ...keys] as const;
  // Its texts would lie somewhere in the clear.
  const unnamed = await run(...words);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("--workspace DIR")]);
  expect([titleOf(sandbox, 3), readdirSync(directory)]).toEqual([
    "PWNED",
    expect.not.arrayContaining(["repo-restore"]),
  ]);
  const home = await run(...words, "--workspace", "back");
  expect([home.code, home.stderr]).toEqual([0, expect.stringContaining("Taking a snapshot of the current site first")]);
  expect(titleOf(sandbox, 3)).toBe("Guide 3");
  expect(archives()).toHaveLength(2);
  expect(archives().filter((name) => !name.endsWith(".age"))).toEqual([]);
  expect(readdirSync(join(directory, "repo"))).not.toContain("workspace");
  const present = presentOf(archives());
  const kept = await run("cat", "repo", "guide/3", "--at", present, "--identity", "key.txt");
  expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining("PWNED")]);
});

test("whom it would be for has to be known: a key of each recipient, or their names", async () => {
  const { sandbox, run, newKey, archives } = await encryptedSite();
  const to = ["--encrypt-to", await newKey("key"), "--encrypt-to", await newKey("other")];
  expect((await run("backup", sandbox.url, "--to", "repo", "--workspace", "work", ...to)).code).toBe(0);
  sandbox.edit.guide(3, { title: "PWNED" });
  const home = [
    "restore",
    "repo",
    sandbox.url,
    "--include",
    "guide/3",
    "--identity",
    "key.txt",
    "--workspace",
    "back",
  ] as const;
  const asked = sandbox.recorded.filter(({ path }) => /\/guides\/3/.test(path)).length;
  const unkept = await run(...home);
  expect([unkept.code, unkept.stderr]).toEqual([
    2,
    expect.stringMatching(/only 1 of its 2 recipients are among the given keys.*--encrypt-to.*--no-snapshot-first/s),
  ]);
  expect(sandbox.recorded.filter(({ path }) => /\/guides\/3/.test(path))).toHaveLength(asked);
  expect([titleOf(sandbox, 3), archives().length]).toEqual(["PWNED", 1]);
  expect((await run(...home, ...to)).code).toBe(0);
  expect([titleOf(sandbox, 3), archives().length]).toEqual(["Guide 3", 2]);
});

function presentOf(archives: readonly string[]): string {
  return /\d{8}T\d{6}Z/.exec(archives.toSorted().at(-1) ?? "")?.[0] ?? "";
}

test("what a passphrase encrypted is followed by what it encrypts", async () => {
  const { sandbox, run, archives } = await encryptedSite("weft and warp");
  expect((await run("backup", sandbox.url, "--to", "repo", "--workspace", "work")).code).toBe(0);
  sandbox.edit.guide(3, { title: "PWNED" });
  expect((await run("restore", "repo", sandbox.url, "--include", "guide/3", "--workspace", "back")).code).toBe(0);
  expect([titleOf(sandbox, 3), archives().length]).toEqual(["Guide 3", 2]);
  expect(archives().filter((name) => !name.endsWith(".age"))).toEqual([]);
});

test("a passphrase that is set for something else encrypts nothing in a plain repository", async () => {
  const site = await encryptedSite();
  expect((await site.run("backup", site.sandbox.url, "--to", "repo")).code).toBe(0);
  site.sandbox.edit.guide(3, { title: "PWNED" });
  const environment = { GUIDEFERRY_TARGET_TOKEN: site.sandbox.token, GUIDEFERRY_PASSPHRASE: "another" };
  const words = ["restore", "repo", site.sandbox.url, "--include", "guide/3"];
  expect((await runCli(words, { directory: site.directory, environment })).code).toBe(0);
  expect(site.archives().map((name) => name.replace(/^.*\./, ""))).toEqual(["zip", "zip"]);
});
