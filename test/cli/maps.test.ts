import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeUser } from "../helpers/people.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

function types({ target }: TwoSites): readonly unknown[] {
  return target.state().guides.map((guide) => guide["type"]);
}

describe("--user-map", () => {
  it.each([
    ["without its head", "ann,anna\n", /users\.csv:1: .*one column old/],
    [
      "that is not UTF-8",
      Buffer.from("old,new\nj\u00fcrg,anna\n", "latin1"),
      /users\.csv is not UTF-8: byte 9 .* in line 2/,
    ],
    [
      "with somebody who is not at the target",
      "old,new\nann,anna\nbob,nobody_there\n",
      /users\.csv:3: no user has the unique name "nobody_there"/,
    ],
  ])("%s is a wrong call (2) before anything is read or written", async (_what, content, message) => {
    const sites = await twoSites();
    makeUser(sites.target, "anna");
    const before = sites.writes();
    await writeFile(join(sites.directory, "users.csv"), content);
    const { code, stderr } = await sites.migrate("--user-map", "users.csv");
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(sites.writes()).toBe(before);
    expect(sites.source.recorded.filter(({ path }) => path.startsWith("/guides/"))).toEqual([]);
  });

  it("holds for verify and retry after the load, and a file that is missing by then is named with a remedy", async () => {
    const sites = await twoSites();
    const ann = makeUser(sites.source, "ann");
    const anna = makeUser(sites.target, "anna", "anna.private@people.example");
    sites.source.edit.guide(1, { author: ann });
    const file = join(sites.directory, "users.csv");
    await writeFile(file, "old,new\nann,anna.private@people.example\n");
    sites.target.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/guides", times: 1 });
    const first = await sites.migrate("--user-map", "users.csv", "--concurrency", "1", "--verbose");
    expect(first.code).toBe(3);
    expect((await sites.run("retry", "work")).code).toBe(0);
    expect(sites.target.state().guides.map((guide) => guide["author"])).toContain(anna);
    const verified = await sites.run("verify", "work", sites.target.url);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/no difference/)]);
    await rm(file);
    const missing = await sites.run("verify", "work", sites.target.url);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringMatching(/users\.csv of --user-map.* cannot be read .*--user-map none/s),
    ]);
    expect((await sites.run("verify", "work", sites.target.url, "--user-map", "none")).code).not.toBe(2);
    // An address is in no line of the log, and in no file that a run leaves.
    expect(first.stderr + first.stdout).toMatch(/users\/email\/\[e-mail\]/);
    expect(first.stderr + first.stdout).not.toMatch(/anna\.private/);
  });

  it("is offered by a plan, filled in with those who have no counterpart", async () => {
    const sites = await twoSites();
    sites.source.edit.guide(1, { author: makeUser(sites.source, "ann") });
    await writeFile(join(sites.directory, "users.csv"), "old,new\nan,\nann@people.example,\n");
    const maps = [
      "--user-map",
      "users.csv",
      "--type-map",
      "How-To=x,how-to=how-to",
      "--category-map",
      "Old Looms=Looms",
    ];
    const { code, stdout } = await sites.run("plan", sites.source.url, sites.target.url, ...maps);
    expect(stdout).toMatch(/--type-map has no effect for "How-To": .* The types are: "how-to"\./);
    expect(stdout).toMatch(/--category-map has no effect for "Old Looms":/);
    expect(stdout).toMatch(/2 rows of the user map match nobody .*"an", 1 e-mail address /);
    expect(stdout).not.toMatch(/ann@people/);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/no match on the target: .*ann \(author of 1 guide\)/)]);
    const [, file = ""] = /Fill in this file: (\S+user-map\.csv)\./.exec(stdout) ?? [];
    expect(await readFile(join(sites.directory, file), "utf8").catch(() => readFile(file, "utf8"))).toMatch(
      /^old,new,name\r\n(?:.*\r\n)*ann,,Name of ann\r\n/,
    );
  });
});

describe("--type-map and --category-map", () => {
  it("hold for verify after the load, and are given several times", async () => {
    const sites = await twoSites({ target: { guideTypes: ["technique"] } });
    const flags = [
      "--type-map",
      "repair=technique",
      "--type-map",
      "how-to=technique",
      "--category-map",
      '{"Looms": "Looms, hand"}',
    ];
    expect((await sites.migrate(...flags)).code).toBe(0);
    expect(types(sites)).toEqual(["technique", "technique", "technique"]);
    expect(sites.target.state().guides.map((guide) => guide["category"])).toContain("Looms, hand");
    expect((await sites.run("verify", "work", sites.target.url)).code).toBe(0);
    const before = sites.writes();
    expect((await sites.migrate(...flags)).code).toBe(0);
    expect(sites.writes()).toBe(before);
  });

  it.each([
    [["--type-map", "repair"], /--type-map is "repair", expected OLD=NEW/],
    [["--type-map", "a=b,a=c"], /each OLD once/],
    [["--category-map", "Looms=a/b"], /--category-map: "Looms": expected the title of a category/],
  ])("%j is a wrong call (2)", async (flags, message) => {
    const sites = await twoSites();
    const { code, stderr } = await sites.migrate(...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(sites.writes()).toBe(0);
  });
});
