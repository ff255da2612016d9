import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

/** Guide 1 is mentioned by 2 and 3, and needed by 3. */
it("two people who share a site, a workspace each, end as one run does with --map, and double nothing", async () => {
  const sites = await twoSites();
  const one = await twoSites();
  await one.migrate();
  const map = async (workspace: string): Promise<string> => {
    const { stdout } = await sites.run("map", workspace, "--json", "--steps");
    await writeFile(join(sites.directory, `${workspace}.map`), stdout);
    return `${workspace}.map`;
  };
  const first = await sites.migrate("--workspace", "ann", "--include", "guide/2");
  expect(first.code).toBe(0);
  // Guide 3 brings guide 1, which it needs.
  const second = await sites.migrate("--workspace", "bob", "--include", "guide/3", "--map", await map("ann"));
  expect(second.code).toBe(0);
  expect(sites.target.state().guides).toHaveLength(3);
  // What bob moved is known to ann now, also without another extract.
  const third = await sites.run("load", "ann", sites.target.url, "--include", "guide/2", "--map", await map("bob"));
  expect(third.code).toBe(0);
  expect(sites.target.namedState()).toEqual(one.target.namedState());
  // All of it in one workspace: nothing that the other one moved is made once more.
  const all = await sites.migrate("--workspace", "bob", "--map", "ann.map");
  expect(all.code).toBe(0);
  expect(sites.target.namedState()).toEqual(one.target.namedState());
});

it("a map of another site, and a file that is no map, end with 2 before anything is written", async () => {
  const [sites, others] = [await twoSites(), await twoSites()];
  await others.migrate();
  const { stdout } = await others.run("map", "work", "--json");
  await writeFile(join(sites.directory, "strange.map"), stdout);
  await writeFile(join(sites.directory, "broken.map"), "no JSON\n");
  for (const [file, message] of [
    ["strange.map", /strange\.map:1 belongs to another migration/],
    ["broken.map", /broken\.map:1 is not a line of/],
    ["missing.map", /cannot be read \(ENOENT\)/],
  ] as const) {
    const refused = await sites.migrate("--map", file);
    expect([refused.code, refused.stderr, sites.writes()]).toEqual([2, expect.stringMatching(message), 0]);
  }
});

it("status counts the links that still lead to the old site, and links lists them until a later batch brings their goals", async () => {
  const sites = await twoSites();
  sites.source.edit.guide(2, { conclusion: `More at ${sites.source.origin}/Help/Contact.` });
  await sites.migrate("--include", "guide/2");
  const old = `${sites.source.origin}/Guide/-/1`;
  const status = await sites.run("status", "work");
  const { directory, target } = sites;
  expect(status.stdout).toContain(
    `2 links in 1 item still lead to the old site. To list: guideferry links ${join(directory, "work")} ${target.url}\n`,
  );
  const rows = (stdout: string) =>
    stdout
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]))
      .filter(({ type }) => type === "link");
  const listed = await sites.run("links", "work", "--json");
  const contact = { item: "guide/2", path: "conclusion", address: `${sites.source.origin}/Help/Contact.`, goal: null };
  expect([listed.code, rows(listed.stdout)]).toMatchObject([
    0,
    [{ item: "guide/2", path: "introduction", address: old, goal: "guide/1" }, contact],
  ]);
  expect((await sites.run("links", "work")).stdout).toMatch(/guide\/2 +introduction +http.*\/Guide\/-\/1 +guide\/1/);
  expect((await sites.migrate("--include", "guide/1")).code).toBe(0);
  expect(rows((await sites.run("links", "work", "--json")).stdout)).toMatchObject([contact]);
  expect((await sites.run("links", "nowhere")).code).toBe(10);
});
