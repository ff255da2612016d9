import { expect, it } from "vitest";
import { trainingSite } from "../helpers/training-site.js";

const SECRETS = ["planted-token-9e2b", "anna@site.example", "sig=planted", "Anna"];

it("records what a site answers, without its secrets and anything personal, and writes nothing there", async () => {
  const [token = ""] = SECRETS;
  const site = await trainingSite({ token, packages: { ladders: "Ladders of Anna" } });
  site.sandbox.training.next({
    end: "error",
    message: `anna@site.example has no right to https://store.example/a.zip?sig=planted; ${token}`,
    parserWarnings: ["Ask Anna"],
  });
  expect((await site.importHere()).code).toBe(3);
  const written = site.writes();
  const { code, stdout, stderr } = await site.run("training", "probe", site.sandbox.url, "--verbose");
  expect([code, site.writes()]).toEqual([0, written]);
  const { answers } = JSON.parse(stdout) as { readonly answers: readonly Readonly<Record<string, unknown>>[] };
  expect(answers.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "external_training_modules/current 200",
    "external_training_modules/current?limit=1&offset=1 200",
    "external_training_modules/1/usage 200",
    "external_training_modules/1/imports 200",
    "external_training_modules/imports/1/progress 200",
  ]);
  expect(answers.at(-1)?.["answer"]).toMatchObject({ status: "error" });
  for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret);
});

it("says what is missing where the site returns no modules", async () => {
  const site = await trainingSite();
  site.sandbox.faults.decide(() => ({ kind: "status", status: 401 }));
  const nobody = await site.runHere("training", "probe", site.sandbox.url);
  expect([nobody.code, nobody.stderr]).toEqual([
    5,
    expect.stringContaining("needs a sign-in (401), so the record contains nothing else. Set GUIDEFERRY_TARGET_TOKEN"),
  ]);
  expect(JSON.parse(nobody.stdout)).toMatchObject({ answers: [{ status: 401 }, { status: 401 }] });
  site.sandbox.faults.decide(() => ({ kind: "status", status: 404 }));
  const older = await site.runHere("training", "probe", site.sandbox.url);
  expect([older.code, older.stderr]).toEqual([3, expect.stringContaining("returned no training modules")]);
});
