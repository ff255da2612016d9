import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const SECRETS = [
  "planted-source-token-1f9a",
  "planted-target-token-7c3e",
  "planted app id/5+b",
  "planted&pass word=9d",
];
const [SOURCE_TOKEN = "", TARGET_TOKEN = "", APP_ID = "", PASSWORD = ""] = SECRETS;

/** Every form in which a secret could lie about. */
const FORMS: readonly string[] = SECRETS.flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
]);

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The tokens that a sandbox makes at a login; nothing else here looks like one. */
const LOGIN_TOKEN = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/;

async function leaks(sites: TwoSites, results: readonly CliResult[]): Promise<readonly string[]> {
  const texts: [string, string][] = results.map((result, at) => [`output ${at}`, result.stdout + result.stderr]);
  for (const file of await filesBelow(sites.directory)) texts.push([file, await readFile(file, "latin1")]);
  expect(texts.length).toBeGreaterThan(results.length + 10);
  return texts
    .filter(([, text]) => LOGIN_TOKEN.test(text) || FORMS.some((form) => text.includes(form)))
    .map(([where]) => where);
}

describe("a secret", () => {
  it("is in no output, log or file of any command, also with --debug and --verbose, also when things go wrong", async () => {
    const sites = await twoSites({
      source: { token: SOURCE_TOKEN },
      target: { token: TARGET_TOKEN },
      environment: { GUIDEFERRY_SOURCE_APP_ID: APP_ID.replaceAll(" ", "-") },
    });
    const loud = ["--debug", "--verbose"];
    const results = [
      await sites.run("extract", sites.source.url, ...loud),
      await sites.run("plan", "work", sites.target.url, ...loud, "--json"),
      await sites.run("load", "work", sites.target.url, ...loud),
      await sites.run("verify", "work", sites.target.url, ...loud, "--json"),
      await sites.run("status", "work", ...loud),
      await sites.run("migrate", sites.source.url, sites.target.url, ...loud),
    ];
    sites.target.expireTokens();
    sites.source.faults.inject(
      { kind: "status", status: 403, body: { message: `no ${SOURCE_TOKEN}` } },
      { path: "/user" },
    );
    results.push(await sites.run("load", "work", sites.target.url, ...loud));
    results.push(await sites.run("extract", sites.source.url, ...loud));
    results.push(await sites.run("retry", "work", ...loud));
    expect(results.map(({ code }) => code).slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 5]);
    expect(await leaks(sites, results)).toEqual([]);
  });

  it("of a login with e-mail and password stays hidden too, and so does the token that it brings", async () => {
    const account = { email: "planted@site.example", password: PASSWORD };
    const sites = await twoSites({
      target: { account, token: TARGET_TOKEN },
      environment: {
        GUIDEFERRY_TARGET_TOKEN: "",
        GUIDEFERRY_TARGET_EMAIL: account.email,
        GUIDEFERRY_TARGET_PASSWORD: account.password,
      },
    });
    const good = await sites.migrate("--debug", "--verbose");
    const second = await sites.migrate("--debug", "--verbose", "--workspace", "other");
    expect(good.code).toBe(0);
    expect(await leaks(sites, [good, second])).toEqual([]);
  });

  it("that a file names by its variable stays hidden as well", async () => {
    const environment = { GUIDEFERRY_SOURCE_TOKEN: "", OLD_SITE: SOURCE_TOKEN };
    const sites = await twoSites({ source: { token: SOURCE_TOKEN }, environment });
    await writeFile(join(sites.directory, "guideferry.config.json"), '{ "sourceTokenVariable": "OLD_SITE" }');
    const result = await sites.migrate("--debug", "--verbose");
    expect([result.code, result.stdout]).toEqual([0, expect.not.stringMatching(/NOT included/)]);
    expect(await leaks(sites, [result])).toEqual([]);
  });
});
