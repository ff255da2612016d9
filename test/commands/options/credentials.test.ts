import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { ConfigFile } from "../../../src/commands/options/config-file.js";
import type { Environment, Side } from "../../../src/commands/options/credential-names.js";
import { readCredentials, readSecrets } from "../../../src/commands/options/settings.js";
import { UsageError } from "../../../src/core/errors.js";
import { createRedactor, Secret } from "../../../src/service/http/secret.js";

const NO_FILE: ConfigFile = { path: null, config: {} };

function revealed(side: Side, environment: Environment, file: ConfigFile = NO_FILE): unknown {
  const entries = Object.entries(readCredentials(side, environment, file));
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
      .filter(([, value]) => value),
  );
}

describe("the sign-in of a site", () => {
  it("is anonymous when nothing is set", () => {
    expect(readCredentials("source", {}, NO_FILE)).toEqual({ kind: "none" });
  });

  it("comes from the variables of its own side only", () => {
    const environment = {
      GUIDEFERRY_SOURCE_TOKEN: "source-token\n",
      GUIDEFERRY_TARGET_TOKEN: "target-token",
      GUIDEFERRY_TARGET_AUTH: "bearer",
      GUIDEFERRY_TARGET_APP_ID: "app",
    };
    expect(revealed("source", environment)).toEqual({ kind: "token", token: "source-token", scheme: "api" });
    expect(revealed("target", environment)).toEqual({
      kind: "token",
      token: "target-token",
      scheme: "bearer",
      appId: "app",
    });
  });

  it("may be e-mail and password, but a token goes before them", () => {
    const login = { GUIDEFERRY_SOURCE_EMAIL: "me@site.example", GUIDEFERRY_SOURCE_PASSWORD: "secret word" };
    expect(revealed("source", login)).toEqual({ kind: "password", email: "me@site.example", password: "secret word" });
    expect(revealed("source", { ...login, GUIDEFERRY_SOURCE_TOKEN: "token" })).toMatchObject({ kind: "token" });
  });

  it("comes from variables that the file names, unless the usual one is set", () => {
    const file = { path: "guideferry.config.json", config: { targetTokenVariable: "MY_TOKEN" } };
    expect(revealed("target", { MY_TOKEN: "mine" }, file)).toMatchObject({ token: "mine" });
    const both = { MY_TOKEN: "mine", GUIDEFERRY_TARGET_TOKEN: "usual" };
    expect(revealed("target", both, file)).toMatchObject({ token: "usual" });
  });

  it("comes from the variables that a profile names, and never from the usual ones, which may be another customer's", () => {
    const config = { sourceEmailVariable: "MAIL", sourcePasswordVariable: "WORD" };
    const file = { path: "guideferry.config.json", profile: "looms", config };
    const environment = { GUIDEFERRY_SOURCE_TOKEN: "of-another", MAIL: "me@site.example", WORD: "word" };
    expect(revealed("source", environment, file)).toEqual({
      kind: "password",
      email: "me@site.example",
      password: "word",
    });
    expect(revealed("target", { GUIDEFERRY_TARGET_TOKEN: "mine" }, file)).toMatchObject({ token: "mine" });
  });

  it("is not shown when it is printed", () => {
    const credentials = readCredentials("source", { GUIDEFERRY_SOURCE_TOKEN: "f00dfeed" }, NO_FILE);
    expect(inspect(credentials) + JSON.stringify(credentials)).not.toContain("f00dfeed");
  });

  it.each([
    [{ GUIDEFERRY_SOURCE_EMAIL: "f00d@feed.example" }, /_EMAIL is set but GUIDEFERRY_SOURCE_PASSWORD is not/],
    [{ GUIDEFERRY_SOURCE_PASSWORD: "f00dfeed" }, /_PASSWORD is set but GUIDEFERRY_SOURCE_EMAIL is not/],
    [{ GUIDEFERRY_SOURCE_AUTH: "f00d" }, /must be "api" or "bearer"/],
  ])("is refused as %o, without repeating a value", (environment, message) => {
    const read = (): unknown => readCredentials("source", environment, NO_FILE);
    expect(read).toThrow(message);
    expect(read).toThrow(UsageError);
    expect(read).not.toThrow(/f00d/);
  });

  it("is refused when the file names a variable that is not set, without repeating the name: it may be the token", () => {
    const file = { path: "guideferry.config.json", config: { sourceTokenVariable: "f00dfeed" } };
    const read = (): unknown => readCredentials("source", {}, file);
    expect(read).toThrow(/"sourceTokenVariable" names an environment variable that is not set/);
    expect(read).not.toThrow(/f00d/);
  });
});

describe("the secrets to hide", () => {
  it("are those of both sides, under the usual and the named variables", () => {
    const environment = {
      GUIDEFERRY_SOURCE_TOKEN: "first-token",
      GUIDEFERRY_TARGET_PASSWORD: "second-word",
      MY_TOKEN: "third-token",
      GUIDEFERRY_SOURCE_AUTH: "bearer",
    };
    const file = { path: "x", config: { targetTokenVariable: "MY_TOKEN" } };
    const text = "first-token second-word third-token bearer";
    expect(createRedactor(readSecrets(environment, file)).redact(text)).toBe("[secret] [secret] [secret] bearer");
  });
});
