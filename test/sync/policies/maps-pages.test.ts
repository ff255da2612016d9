import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/index.js";
import { issuesOf, planAt } from "../../helpers/migration.js";
import { makeUser, rows } from "../../helpers/people.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const DIALECTS = ["dozuki", "ifixit"] as const;
const warp = 1;

function page(pair: Pair, namespace: string, title: string): unknown {
  return pair.target.state().wikis.find((wiki) => wiki["namespace"] === namespace && wiki["title"] === title)?.[
    "contents"
  ];
}

/** Somebody at the source with a page, and a guide that leads to it. */
function withPage(pair: Pair, name: string): number {
  const id = makeUser(pair.source, name);
  pair.source.edit.createWiki({ namespace: "USER", title: String(id), contents: `I am ${name}.` });
  pair.source.edit.guide(warp, {
    author: id,
    introduction: `By [${pair.source.url.replace(/\/api.*/, "")}/User/${id}/Them|them].`,
  });
  return id;
}

function introduction(pair: Pair): string {
  return String(pair.guide("Warp")["introduction"]);
}

describe("a page about a user", () => {
  async function sites(dialect: (typeof DIALECTS)[number] = "dozuki") {
    const pair = await twoGuides({ target: { dialect } });
    const ann = withPage(pair, "ann");
    // Ids there begin elsewhere.
    const [eve, anna, ann2] = [
      makeUser(pair.target, "eve"),
      makeUser(pair.target, "anna"),
      makeUser(pair.target, "ann"),
    ];
    return { pair, ann, eve, anna, ann2, origin: pair.target.url.replace(/\/api.*/, "") };
  }

  it.each(DIALECTS)(
    "goes to the person of the same unique name at a %s site, and texts lead there; a second run is silent",
    async (dialect) => {
      const { pair, ann, ann2, origin } = await sites(dialect);
      await pair.run();
      expect(page(pair, "USER", String(ann2))).toBe("I am ann.");
      expect(page(pair, "USER", String(ann))).toBeUndefined();
      expect(introduction(pair)).toBe(`By [${origin}/User/${ann2}/Them|them].`);
      expect((await pair.run()).writes).toBe(0);
      expect((await pair.verify()).differences).toEqual([]);
    },
  );

  it("goes to whom a map names, and with a changed map to the other one, with the texts", async () => {
    const { pair, ann, anna, eve, origin } = await sites();
    await pair.run({ people: { users: rows({ [String(ann)]: "anna" }), teams: [] } });
    expect(page(pair, "USER", String(anna))).toBe("I am ann.");
    const people = { users: rows({ ann: "eve" }), teams: [] };
    const before = pair.writes().length;
    await pair.run({ people });
    expect(page(pair, "USER", String(eve))).toBe("I am ann.");
    expect(introduction(pair)).toBe(`By [${origin}/User/${eve}/Them|them].`);
    const { guideid } = pair.guide("Warp");
    expect(new Set(pair.writes().slice(before))).toEqual(new Set(["POST /wikis", `PATCH /guides/${guideid}`]));
    expect(await issuesOf(pair, `wiki/USER/${ann}`)).toContainEqual(
      expect.objectContaining({ code: "old-title-left" }),
    );
    expect((await pair.run({ people })).writes).toBe(0);
    expect((await pair.verify({ people })).differences).toEqual([]);
  });

  it("that is there already is left as it is, or overwritten under --on-existing update", async () => {
    const { pair, ann2 } = await sites();
    pair.target.edit.createWiki({ namespace: "USER", title: String(ann2), contents: "I was here." });
    await pair.run();
    expect(page(pair, "USER", String(ann2))).toBe("I was here.");
    await pair.run({ onExisting: "update" });
    expect(page(pair, "USER", String(ann2))).toBe("I am ann.");
  });

  it("about somebody whom nobody there stands for is refused and listed, and texts lead to the old site", async () => {
    const { pair, ann } = await sites();
    const bob = withPage(pair, "bob");
    const people = { users: rows({ ann: "" }), teams: [] };
    expect(await pair.run({ people })).toMatchObject({ refused: 2, failed: 0 });
    for (const id of [ann, bob]) {
      expect(await issuesOf(pair, `wiki/USER/${id}`)).toEqual([expect.objectContaining({ code: "personal-page" })]);
    }
    expect(introduction(pair)).toContain(`${pair.source.url.replace(/\/api.*/, "")}/User/${bob}/`);
    expect(pair.target.state().wikis.filter((wiki) => wiki["namespace"] === "USER")).toEqual([]);
  });
});

test("texts lead to a person at the target whose page the workspace doesn't hold", async () => {
  const pair = await twoGuides();
  const ann = makeUser(pair.source, "ann");
  makeUser(pair.target, "eve");
  const there = makeUser(pair.target, "ann");
  pair.source.edit.guide(warp, { author: ann, introduction: `See [link|/User/${ann}/Ann|her].` });
  await pair.run();
  expect(introduction(pair)).toContain(`/User/${there}/Ann`);
  expect((await pair.verify()).differences).toEqual([]);
});

/** A site with one team of that id and name. */
async function siteWithTeam(teamid: number, name: string): Promise<SandboxOptions> {
  const site = await temporaryFolder();
  await mkdir(site, { recursive: true });
  await writeFile(join(site, "site.json"), JSON.stringify({ name, teams: [{ teamid, name }], users: [] }));
  return { site };
}

test("teams and the pages about them go by equal names, or as a map says", async () => {
  const pair = await twoGuides({ source: await siteWithTeam(3, "Weavers"), target: await siteWithTeam(7, "Weavers") });
  pair.source.edit.setPublic(warp, false);
  pair.source.edit.setViewers(warp, { teams: [3] });
  pair.source.edit.createWiki({ namespace: "TEAM", title: "3", contents: "We weave." });
  await pair.run();
  expect(page(pair, "TEAM", "7")).toBe("We weave.");
  expect(pair.guide("Warp")["viewers"]).toMatchObject({ teams: [7] });
  expect((await pair.verify()).differences).toEqual([]);
  const other = await twoGuides({
    source: await siteWithTeam(3, "Weavers"),
    target: await siteWithTeam(9, "Spinners"),
  });
  other.source.edit.setPublic(warp, false);
  other.source.edit.setViewers(warp, { teams: [3] });
  other.source.edit.createWiki({ namespace: "TEAM", title: "3", contents: "We weave." });
  const people = { users: [], teams: rows({ Weavers: "Spinners" }) };
  await other.run({ people });
  expect(page(other, "TEAM", "9")).toBe("We weave.");
  expect(other.guide("Warp")["viewers"]).toMatchObject({ teams: [9] });
  expect((await planAt(other.target, other.workspace, { people })).requests).toBe(0);
});

test("a person who goes by another unique name is found by the e-mail address where the workspace holds it", async () => {
  const pair = await twoGuides();
  const ann = makeUser(pair.source, "ann", "ann@looms.example");
  makeUser(pair.target, "eve");
  const there = makeUser(pair.target, "anna", "ANN@looms.example");
  pair.source.edit.guide(warp, { author: ann });
  await pair.run();
  expect(pair.guide("Warp")["author"]).not.toBe(there);
  await pair.run({ personalData: true });
  expect(pair.guide("Warp")["author"]).toBe(there);
  expect((await pair.run({ personalData: true })).writes).toBe(0);
});
