import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { connectProxy } from "../helpers/connect-proxy.js";
import { deadPort } from "../helpers/local-server.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { twoSites } from "../helpers/two-sites.js";

describe("signing in", () => {
  it("takes one login a run with e-mail and password, however much is asked", async () => {
    const account = { email: "ann@site.example", password: "a pass phrase" };
    const sites = await twoSites({
      target: { account },
      environment: {
        GUIDEFERRY_TARGET_TOKEN: "",
        GUIDEFERRY_TARGET_EMAIL: account.email,
        GUIDEFERRY_TARGET_PASSWORD: account.password,
      },
    });
    expect((await sites.migrate()).code).toBe(0);
    const logins = sites.target.recorded.filter(({ method, path }) => method === "POST" && path === "/user/token");
    expect(logins.length).toBe(1);
  });

  it("ends with 5 when the password is wrong, after one try, and names the variables", async () => {
    const sites = await twoSites({
      environment: {
        GUIDEFERRY_TARGET_TOKEN: "",
        GUIDEFERRY_TARGET_EMAIL: "admin@sandbox.example",
        GUIDEFERRY_TARGET_PASSWORD: "not-the-password",
      },
    });
    const { code, stderr } = await sites.migrate();
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/GUIDEFERRY_TARGET_EMAIL and GUIDEFERRY_TARGET_PASSWORD/),
    ]);
    expect(stderr).not.toContain("not-the-password");
    expect(sites.target.recorded.filter(({ path }) => path === "/user/token").length).toBe(1);
  });

  it("sends an API key as a bearer with GUIDEFERRY_TARGET_AUTH=bearer, at that site only", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_TARGET_AUTH: "bearer" } });
    expect((await sites.migrate()).code).toBe(0);
    const kinds = (site: Sandbox) =>
      new Set(site.recorded.filter(({ isApi }) => isApi).map((one) => one.authorization));
    expect([kinds(sites.source), kinds(sites.target)]).toEqual([new Set(["api"]), new Set(["bearer"])]);
  });

  it("refuses a way to send tokens that there is not", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_TARGET_AUTH: "barer" } });
    expect(await sites.migrate()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/GUIDEFERRY_TARGET_AUTH must be "api" or "bearer"/),
    });
  });
});

describe("HTTPS_PROXY", () => {
  it("is asked for the way to a site, and its answer is shown", async () => {
    const proxy = await connectProxy(await deadPort(), 403);
    const environment = { HTTPS_PROXY: proxy.origin, https_proxy: proxy.origin, NO_PROXY: "", no_proxy: "" };
    const directory = await temporaryFolder();
    const { code, stderr } = await runCli(["extract", "https://site.example"], { directory, environment });
    expect([code, proxy.asked[0]]).toEqual([9, "site.example:443"]);
    expect(stderr).toMatch(/^\S+ error: GET https:\/\/site\.example\/api\/2\.0\/\S+ failed: /m);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
