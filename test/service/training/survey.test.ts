import { describe, expect, it } from "vitest";
import { SignInError, UsageError } from "../../../src/core/errors.js";
import { startSandbox } from "../../../src/sandbox/index.js";
import { deadPort, json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { modulesAt } from "./helpers/module-site.js";
import { sandboxModules } from "./helpers/sandbox-modules.js";

/** A site that knows its caller, and answers so about its training modules. */
async function site(modules: unknown, status: number, account: unknown = { userid: 5, username: "Ann" }) {
  const { origin, arrivals } = await localServer(({ path }, response) => {
    if (path.endsWith("/user")) json(response, account ?? {}, account === null ? 401 : 200);
    else if (path.endsWith("/sites/info")) json(response, { siteid: 3, title: "The site" });
    else if (path.includes("/external_training_modules/")) json(response, modules, status);
    else json(response, []);
  });
  return { modules: modulesAt(origin), arrivals, origin };
}

describe("a survey", () => {
  it("tells what the site is", async () => {
    const { modules, origin, arrivals } = await site([], 200);
    expect(await modules.survey(forever)).toMatchObject({
      root: `${origin}/api/2.0`,
      name: "The site",
      account: { name: "Ann" },
    });
    expect(new Set(arrivals.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(modules.name).toBe("the test site");
  });

  it.each([404, 405, 501])("says that the site has no such modules (%i)", async (status) => {
    const failure = await failureOf((await site({ message: "Endpoint not found" }, status)).modules.survey(forever));
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure.message).toMatch(
      new RegExp(`has no external training modules: GET .*/current was answered ${status}`),
    );
  });

  it.each([401, 403])("says which right is missing (%i)", async (status) => {
    const said = { message: "You may not do this.", requiredPrivileges: ["Course author"] };
    const failure = await failureOf((await site(said, status)).modules.survey(forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure.message).toContain(
      "The account of GUIDEFERRY_TARGET_TOKEN is not allowed to use external training modules",
    );
    expect(failure.message).toContain(`was answered ${status} (You may not do this.; needs Course author).`);
  });

  it("looks whether the account may see imports, where there is a module", async () => {
    const { origin, arrivals } = await localServer(({ path }, response) => {
      if (path.endsWith("/user")) json(response, { userid: 5, username: "Ann" });
      else if (path.endsWith("/7/imports")) json(response, { message: "Admins only" }, 403);
      else json(response, path.endsWith("/current") ? { data: [{ moduleid: 7 }] } : []);
    });
    const failure = await failureOf(modulesAt(origin).survey(forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure.message).toMatch(/external_training_modules\/7\/imports was answered 403 \(Admins only\)/);
    expect(arrivals).toHaveLength(5);
  });

  it("wants somebody signed in", async () => {
    const failure = await failureOf((await site([], 200, null)).modules.survey(forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure.message).toContain("The import needs a sign-in");
  });

  it("ends where nothing listens", async () => {
    const modules = modulesAt(`http://127.0.0.1:${await deadPort()}`, { retry: { tries: 1 } });
    expect(await failureOf(modules.survey(forever))).toMatchObject({ unsent: true, exitCode: 9 });
  });

  it("is content with the sandbox, and not with nobody there", async () => {
    const sandbox = await sandboxModules();
    expect(await sandbox.modules.survey(forever)).toMatchObject({ name: expect.any(String) });
    const { origin } = new URL((await startSandbox()).url);
    expect(await failureOf(modulesAt(origin).survey(forever))).toBeInstanceOf(SignInError);
  });
});
