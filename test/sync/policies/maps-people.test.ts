import { describe, expect, it, test } from "vitest";
import { issuesOf, loadInto, planAt } from "../../helpers/migration.js";
import { makeUser, rows } from "../../helpers/people.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

const DIALECTS = ["dozuki", "ifixit"] as const;
const warp = 1;

/** The users and teams who may see the guide of that title at the target. */
function viewers(pair: Pair, title: string): { readonly users: readonly number[]; readonly teams: readonly number[] } {
  const found = pair.guide(title)["viewers"] as { users: readonly number[]; teams: readonly number[] };
  return { users: found.users.toSorted(), teams: found.teams.toSorted() };
}

function author(pair: Pair, title: string): unknown {
  return pair.guide(title)["author"];
}

/** With an edit, since viewers alone change no token that a list shows. */
function setViewers(pair: Pair, users: readonly number[]): void {
  pair.source.edit.setViewers(warp, { users });
  pair.source.edit.guide(warp, { summary: `Seen by ${users.join(" and ")}.` });
}

describe("authors and viewers", () => {
  async function sites(dialect: (typeof DIALECTS)[number] = "dozuki") {
    const pair = await twoGuides({ source: { dialect }, target: { dialect } });
    const [ann, bob] = [makeUser(pair.source, "ann"), makeUser(pair.source, "bob")];
    const [first, second] = [makeUser(pair.target, "anna"), makeUser(pair.target, "robert")];
    // Only dozuki lets a guide have another author.
    if (dialect === "dozuki") pair.source.edit.guide(warp, { author: ann });
    pair.source.edit.setPublic(warp, false);
    pair.source.edit.setViewers(warp, { users: [bob] });
    return { pair, ann, bob, first, second };
  }

  it("are whom a map names, by id, unique name or e-mail address, and a second run is silent", async () => {
    const { pair, ann, second, first } = await sites();
    const map = { users: rows({ [String(ann)]: "anna@people.example", bob: String(second) }), teams: [] };
    await pair.run({ people: map });
    expect(viewers(pair, "Warp").users).toEqual([second]);
    expect(author(pair, "Warp")).toBe(first);
    expect(await pair.run({ people: map })).toMatchObject({ writes: 0, failed: 0 });
    expect((await pair.verify({ people: map })).differences).toEqual([]);
  });

  it.each(DIALECTS)(
    "of a %s site are written again where a changed map names others, and nothing else is",
    async (dialect) => {
      const { pair, second, first } = await sites(dialect);
      await pair.run({ people: { users: rows({ ann: "anna", bob: "anna" }), teams: [] } });
      const before = pair.writes().length;
      const changed = { users: rows({ ann: "robert", bob: "robert" }), teams: [] };
      await pair.run({ people: changed });
      const { guideid } = pair.guide("Warp");
      expect(pair.writes().slice(before).toSorted()).toEqual([
        `DELETE /guides/${guideid}/users/${first}`,
        ...(dialect === "dozuki" ? [`PATCH /guides/${guideid}`] : []),
        `PUT /guides/${guideid}/users/${second}`,
      ]);
      expect(viewers(pair, "Warp").users).toEqual([second]);
      if (dialect === "dozuki") expect(author(pair, "Warp")).toBe(second);
      expect((await pair.run({ people: changed })).writes).toBe(0);
    },
  );

  it("are taken out again where the map drops them, which the ledger names as a note", async () => {
    const { pair } = await sites();
    await pair.run({ people: { users: rows({ bob: "robert" }), teams: [] } });
    const dropped = { users: rows({ ann: "", bob: "" }), teams: [] };
    await pair.run({ people: dropped });
    expect(viewers(pair, "Warp").users).toEqual([]);
    const issues = await issuesOf(pair, "guide/1");
    expect(issues.filter(({ code }) => /dropped/.test(code)).map(({ code, level }) => [code, level])).toEqual([
      ["author-dropped", "note"],
      ["viewer-dropped", "note"],
    ]);
    expect((await pair.verify({ people: dropped })).differences).toEqual([]);
  });
});

test("two of the source who are one at the target: the one stays a viewer as long as either of them may see it", async () => {
  const pair = await twoGuides();
  const [ann, bob] = [makeUser(pair.source, "ann"), makeUser(pair.source, "bob")];
  const one = makeUser(pair.target, "one");
  pair.source.edit.setPublic(warp, false);
  pair.source.edit.setViewers(warp, { users: [ann, bob] });
  const people = { users: rows({ ann: "one", bob: "one" }), teams: [] };
  await pair.run({ people });
  expect((await pair.verify({ people })).differences).toEqual([]);
  setViewers(pair, [bob]);
  await pair.run({ people });
  expect(viewers(pair, "Warp").users).toEqual([one]);
  setViewers(pair, []);
  await pair.run({ people });
  expect(viewers(pair, "Warp").users).toEqual([]);
});

test("a map whose person has the same unique name there takes nothing away from them", async () => {
  const pair = await twoGuides();
  const [ann, there] = [makeUser(pair.source, "ann"), makeUser(pair.target, "ann")];
  pair.source.edit.setPublic(warp, false);
  pair.source.edit.setViewers(warp, { users: [ann] });
  await pair.run();
  expect(viewers(pair, "Warp").users).toEqual([there]);
  await pair.run({ people: { users: rows({ ann: "ann" }), teams: [] } });
  expect(viewers(pair, "Warp").users).toEqual([there]);
  await pair.run();
  expect(viewers(pair, "Warp").users).toEqual([there]);
  // Whom they were let in as by their own name is taken out too.
  await pair.run({ people: { users: rows({ ann: "" }), teams: [] } });
  expect(viewers(pair, "Warp").users).toEqual([]);
});

test("an author whom somebody at the target chose stays, be it before or after the map changed, and is listed where the map wants another", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(warp, { author: makeUser(pair.source, "ann") });
  const [anna, robert, eve] = [
    makeUser(pair.target, "anna"),
    makeUser(pair.target, "robert"),
    makeUser(pair.target, "eve"),
  ];
  const map = (name: string) => ({ people: { users: rows({ ann: name }), teams: [] } });
  await pair.run(map("anna"));
  const { guideid } = pair.guide("Warp");
  pair.target.edit.guide(guideid, { author: eve });
  expect(await pair.run(map("anna"))).toMatchObject({ failed: 0, writes: 0 });
  expect(author(pair, "Warp")).toBe(eve);
  await pair.run(map("robert"));
  expect(author(pair, "Warp")).toBe(eve);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(expect.objectContaining({ code: "conflict-skipped" }));
  await pair.run({ ...map("robert"), onConflict: "update" });
  expect(author(pair, "Warp")).toBe(robert);
  expect(anna).not.toBe(robert);
});

test("nobody is ever made at the target, and who is not there is told with what to do", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(warp, { author: makeUser(pair.source, "ann") });
  await pair.run();
  expect(pair.writes().filter((write) => /users/.test(write))).toEqual([]);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({ code: "author", remedy: expect.stringContaining("--user-map") }),
  );
});

test("rows that name nobody at the target are all listed before anything is written, without addresses", async () => {
  const pair = await twoGuides();
  makeUser(pair.source, "ann");
  const users = rows({ "1": "nobody_there", ann: "who@people.example", bob: "99999", eve: "" });
  const run = pair.run({ people: { users, teams: rows({ Weavers: "Spinners" }) } });
  const error = await run.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: "UsageError" });
  const { message } = error as Error;
  for (const part of ["users.csv:2", "nobody_there", "users.csv:3", "users.csv:4", "99999", "Spinners"])
    expect(message).toContain(part);
  expect(message).not.toContain("who@people.example");
  expect(message).not.toContain("users.csv:5");
  expect(pair.writes()).toEqual([]);
});

test("rows that name one person of the source by two of their names, and mean different ones, are refused", async () => {
  const pair = await twoGuides();
  const ann = makeUser(pair.source, "ann");
  pair.source.edit.guide(warp, { author: ann });
  makeUser(pair.target, "anna");
  makeUser(pair.target, "robert");
  const before = pair.writes();
  const contradiction = pair.run({ people: { users: rows({ ann: "anna", [String(ann)]: "robert" }), teams: [] } });
  await expect(contradiction).rejects.toThrow(/several rows/);
  expect(pair.writes()).toEqual(before);
  await pair.run({ people: { users: rows({ ann: "anna", [String(ann)]: "anna" }), teams: [] } });
});

test("a plan with a map sends what the load sends", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(warp, { author: makeUser(pair.source, "ann") });
  makeUser(pair.target, "anna");
  const people = { users: rows({ ann: "anna" }), teams: [] };
  await pair.run();
  const planned = await planAt(pair.target, pair.workspace, { people });
  const { writes } = await loadInto(pair.target, pair.workspace, { people });
  expect([planned.requests, writes]).toEqual([1, 1]);
});
