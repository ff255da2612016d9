import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";
import { quickPassphrases } from "../helpers/quick-passphrases.js";
import { runCli } from "../helpers/run-cli.js";
import { twoSites } from "../helpers/two-sites.js";

const PRIVATE_GUIDE = /Fold the Heron/;

quickPassphrases();

it("a token comes from a file or from a command, for each site", async () => {
  const sites = await twoSites({ environment: { GUIDEFERRY_SOURCE_TOKEN: "", GUIDEFERRY_TARGET_TOKEN: "" } });
  const { directory, source, target } = sites;
  await writeFile(join(directory, "token"), `${source.token}\n`);
  const environment = {
    ...sites.environment,
    GUIDEFERRY_SOURCE_TOKEN_FILE: join(directory, "token"),
    GUIDEFERRY_TARGET_TOKEN_COMMAND: `printf '%s\\n' ${target.token}`,
  };
  const done = await runCli(["migrate", source.url, target.url, "--debug", "--verbose"], { directory, environment });
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining(target.token)]);
  expect(done.stdout + done.stderr).not.toContain(source.token);
  expect(JSON.stringify(target.state().guides)).toMatch(PRIVATE_GUIDE);
});

it("e-mail and password come from them too", async () => {
  const account = { email: "writer@site.example", password: "pass word 9" };
  const sites = await twoSites({ source: { account }, environment: { GUIDEFERRY_SOURCE_TOKEN: "" } });
  const { directory } = sites;
  await writeFile(join(directory, "password"), `${account.password}\r\n`);
  const environment = {
    ...sites.environment,
    GUIDEFERRY_SOURCE_EMAIL_COMMAND: `echo ${account.email}`,
    GUIDEFERRY_SOURCE_PASSWORD_FILE: join(directory, "password"),
  };
  const done = await runCli(["extract", sites.source.url], { directory, environment });
  expect(done.code).toBe(0);
  const asked = sites.source.recorded.find(({ path }) => path === "/guides/3");
  expect(asked).toMatchObject({ status: 200 });
});

it("the command of a site that is not asked does not run", async () => {
  const { directory, ...sites } = await twoSites();
  const environment = {
    ...sites.environment,
    GUIDEFERRY_TARGET_TOKEN: "",
    GUIDEFERRY_TARGET_TOKEN_COMMAND: "touch ran",
  };
  expect((await runCli(["extract", sites.source.url], { directory, environment })).code).toBe(0);
  expect(existsSync(join(directory, "ran"))).toBe(false);
});

it.each([
  ["two forms", { GUIDEFERRY_SOURCE_TOKEN: "a", GUIDEFERRY_SOURCE_TOKEN_FILE: "b" }, /TOKEN and .*TOKEN_FILE are set/],
  ["no file", { GUIDEFERRY_SOURCE_TOKEN_FILE: "/nowhere/token" }, /TOKEN_FILE names the file \/nowhere\/token/],
  ["an empty file", { GUIDEFERRY_SOURCE_TOKEN_FILE: "empty" }, /the file empty has no value/],
  ["a file of several lines", { GUIDEFERRY_SOURCE_TOKEN_FILE: "lines" }, /the file lines has several lines/],
  ["a command that fails", { GUIDEFERRY_SOURCE_TOKEN_COMMAND: "echo kept-out; exit 3" }, /TOKEN_COMMAND ended with 3/],
  ["a command that prints nothing", { GUIDEFERRY_SOURCE_TOKEN_COMMAND: "true" }, /TOKEN_COMMAND has no value/],
  ["a command without end", { GUIDEFERRY_SOURCE_TOKEN_COMMAND: "yes kept-out" }, /printed more than 64 kB/],
  ["a misspelt form", { GUIDEFERRY_SOURCE_TOKEN_FILES: "x" }, /Did you mean "GUIDEFERRY_SOURCE_TOKEN_FILE"/],
])("%s ends with 2 before anything is asked, and shows no value", async (_what, given, reason) => {
  const { directory, ...sites } = await twoSites();
  await writeFile(join(directory, "empty"), "\n");
  await writeFile(join(directory, "lines"), "kept-out\nkept-out\n");
  const environment = { ...sites.environment, GUIDEFERRY_SOURCE_TOKEN: "", ...given };
  const done = await runCli(["extract", sites.source.url], { directory, environment });
  expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(reason)]);
  expect(done.stderr).not.toContain("kept-out");
  expect(sites.source.recorded).toEqual([]);
});

it("a passphrase and an identity come from them too", async () => {
  const sites = await twoSites();
  const { directory } = sites;
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeFile(join(directory, "passphrase"), "correct horse\n");
  await writeFile(join(directory, "keys.txt"), `# created: today\n# public key: ${recipient}\n${identity}\n`);
  const run = (extra: Readonly<Record<string, string>>, ...words: readonly string[]) =>
    runCli(words, { directory, environment: { ...sites.environment, ...extra } });
  const passphrase = { GUIDEFERRY_PASSPHRASE_FILE: "passphrase" };
  const key = { GUIDEFERRY_IDENTITY_KEY_COMMAND: "cat keys.txt" };
  expect((await run(passphrase, "backup", sites.source.url, "--to", "one", "--workspace", "w1")).code).toBe(0);
  expect((await run(passphrase, "verify", "one")).code).toBe(0);
  expect((await run({}, "restore", "one", "./none")).code).toBe(2);
  const backup = ["backup", sites.source.url, "--to", "two", "--workspace", "w2", "--encrypt-to", recipient];
  expect((await run({}, ...backup)).code).toBe(0);
  expect((await run(key, "restore", "two", "./out")).code).toBe(0);
  const wrong = await run({ GUIDEFERRY_IDENTITY_KEY: "AGE-SECRET-KEY-1" }, "restore", "two", "./other");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("GUIDEFERRY_IDENTITY_KEY, line 1")]);
});

it("the variables that the configuration names have the same forms, also for the keys of a backup", async () => {
  const account = { email: "writer@site.example", password: "pass word 9" };
  const sites = await twoSites({ source: { account }, environment: { GUIDEFERRY_SOURCE_TOKEN: "" } });
  const { directory, source } = sites;
  const identity = await generateX25519Identity();
  await writeFile(join(directory, "password"), `${account.password}\n`);
  await writeFile(join(directory, "key"), `${identity}\n`);
  const profile = {
    source: source.url,
    sourceEmailVariable: "LOOMS_MAIL",
    sourcePasswordVariable: "LOOMS_WORD",
    targetTokenVariable: "LOOMS_TARGET",
    workspace: "w",
  };
  const profiles = {
    looms: { ...profile, repository: "one", passphraseVariable: "LOOMS_PASS" },
    keys: { ...profile, repository: "two", workspace: "v", identityKeyVariable: "LOOMS_KEY" },
  };
  await writeFile(join(directory, "guideferry.config.json"), JSON.stringify({ profiles }));
  const {
    GUIDEFERRY_WORKSPACE: _workspace,
    GUIDEFERRY_TARGET_TOKEN: _token,
    ...others
  } = {
    GUIDEFERRY_WORKSPACE: "",
    GUIDEFERRY_TARGET_TOKEN: "",
    ...sites.environment,
  };
  const environment = {
    ...others,
    LOOMS_MAIL_COMMAND: `echo ${account.email}`,
    LOOMS_WORD_FILE: "password",
    LOOMS_TARGET_COMMAND: `echo ${sites.target.token}`,
    LOOMS_PASS_COMMAND: "echo correct horse",
    LOOMS_KEY_FILE: "key",
    GUIDEFERRY_PASSPHRASE: "of another customer",
  };
  const run = (...words: readonly string[]) => runCli(words, { directory, environment });
  expect((await run("backup", "--profile", "looms")).code).toBe(0);
  expect(source.recorded.find(({ path }) => path === "/guides/3")).toMatchObject({ status: 200 });
  expect((await runCli(["cat", "one", "guide/1"], { directory, environment: others })).code).not.toBe(0);
  expect((await run("cat", "guide/1", "--profile", "looms")).stdout).toContain("title");
  const recipient = await identityToRecipient(identity);
  const encrypted = await runCli(["backup", "--profile", "keys", "--encrypt-to", recipient], {
    directory,
    environment: { ...environment, GUIDEFERRY_PASSPHRASE: "" },
  });
  expect(encrypted.code).toBe(0);
  expect((await run("cat", "guide/1", "--profile", "keys")).stdout).toContain("title");
  expect((await run("migrate", source.url, sites.target.url, "--profile", "looms")).code).toBe(0);
  expect(JSON.stringify(sites.target.state().guides)).toMatch(PRIVATE_GUIDE);
});

it("a restore to the origin site signs in as the backup did, and nowhere else", async () => {
  const { directory, source, target, environment } = await twoSites({ environment: { GUIDEFERRY_TARGET_TOKEN: "" } });
  const run = (...words: readonly string[]) => runCli(words, { directory, environment });
  expect((await run("backup", source.url, "--to", "repository")).code).toBe(0);
  source.edit.guide(1, { introduction: "vandalised" });
  const done = await run("restore", "repository", source.url, "--on-conflict", "update", "--workspace", "there");
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("GUIDEFERRY_SOURCE_…")]);
  expect(JSON.stringify(source.state().guides)).not.toContain("vandalised");
  const elsewhere = await run("restore", "repository", target.url, "--workspace", "else");
  expect(elsewhere.code).not.toBe(0);
  expect(JSON.stringify(target.recorded)).not.toContain(source.token);
});
