import { describe, expect, it } from "vitest";
import { importInto } from "./helpers/imports.js";
import { scorm } from "./helpers/packages.js";
import { planAndRun } from "./helpers/plan-and-run.js";
import { modulesOf, type World, world } from "./helpers/world.js";

const ONE = { "one.zip": scorm("Ladders") };

/** A module that somebody made at the site. */
function setModule({ sandbox }: World, title: string): void {
  sandbox.edit.setRow("modules", { title, userid: 1, current: null, draft: { title, importid: null } });
}

describe("a list that names the module", () => {
  it("makes the package a new version of it", async () => {
    const site = await world(ONE);
    setModule(site, "Somebody's own");
    const found = [site.shelf.found("one.zip", { module: "1" })];
    const { results } = await importInto(site.sandbox, site.workspace(), found);
    expect(results[0]).toMatchObject({ action: "new-version", moduleId: "1", state: "complete" });
    expect(modulesOf(site.sandbox)).toEqual(["Somebody's own: complete"]);
  });

  it("which the site doesn't have refuses the package", async () => {
    const site = await world(ONE);
    const found = [site.shelf.found("one.zip", { module: "77" })];
    const { results } = await importInto(site.sandbox, site.workspace(), found);
    expect(results[0]).toMatchObject({ action: "refused", reason: expect.stringMatching(/module 77.*column module/) });
    expect(site.writes()).toEqual([]);
  });

  it("keeps two versions of one module apart, one after the other", async () => {
    const site = await world({ ...ONE, "two.zip": scorm("Ladders", "<p>2"), "three.zip": scorm("Ladders", "<p>3") });
    setModule(site, "Ladders");
    const found = ["one.zip", "two.zip", "three.zip"].map((name) => site.shelf.found(name, { module: "1" }));
    const { results } = await importInto(site.sandbox, site.workspace(), found, { concurrency: 3 });
    expect(results.map(({ action, state }) => [action, state])).toEqual(
      [1, 2, 3].map(() => ["new-version", "complete"]),
    );
    expect(site.sandbox.training.mostAtOnce).toBe(1);
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete, complete, complete"]);
  });
});

describe("--match title", () => {
  const MATCH = { match: "title" } as const;

  it("makes a package a new version of the one module of its title", async () => {
    const site = await world(ONE);
    setModule(site, "  LADDERS ");
    expect((await planAndRun(site, ["one.zip"], MATCH))[0]).toMatchObject({ action: "new-version", moduleId: "1" });
  });

  it("refuses where several modules have it", async () => {
    const site = await world(ONE);
    setModule(site, "Ladders");
    setModule(site, "Ladders");
    const [result] = await planAndRun(site, ["one.zip"], MATCH);
    expect(result).toMatchObject({
      action: "refused",
      reason: expect.stringMatching(/2 modules with this title \(1, 2\)/),
    });
  });

  it("takes no module that another package went into", async () => {
    const site = await world({
      ...ONE,
      "other.zip": scorm("Ladders", "<p>other"),
      "third.zip": scorm("Ladders", "<p>3"),
    });
    setModule(site, "Ladders");
    const results = await planAndRun(site, ["one.zip", "other.zip", "third.zip"], { ...MATCH, concurrency: 2 });
    const actions = Object.fromEntries(results.map(({ checked, action }) => [checked.file, action]));
    expect(actions).toEqual({ "one.zip": "new-version", "other.zip": "new-module", "third.zip": "new-module" });
  });
});

it("a title that the site has already is told", async () => {
  const site = await world(ONE);
  setModule(site, "Ladders");
  const [result] = await planAndRun(site, ["one.zip"]);
  expect(result).toMatchObject({ action: "new-module", notes: ["The site has another module with this title: 1."] });
});

it("packages that share a manifest or an identifier with others are told", async () => {
  const renamed = scorm("Ladders");
  const manifest = String(renamed["imsmanifest.xml"]).replace("<title>Ladders<", "<title>Stairs<");
  const site = await world({
    ...ONE,
    "same-manifest.zip": scorm("Ladders", "<p>other"),
    "same-identifier.zip": { ...renamed, "imsmanifest.xml": manifest },
  });
  await site.run(["one.zip"]);
  const results = await planAndRun(site, ["same-manifest.zip", "same-identifier.zip"]);
  expect(results[0]?.notes.join()).toMatch(/manifest equals that of one\.zip, but the content differs/);
  expect(results[1]?.notes.join()).toMatch(/same identifier as one\.zip, but another title/);
});
