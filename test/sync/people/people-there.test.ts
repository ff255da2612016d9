import { describe, expect, it } from "vitest";
import type { Person, Team } from "../../../src/core/model/identity.js";
import type { Directory } from "../../../src/core/writing.js";
import { SourcePeople } from "../../../src/sync/people/source-people.js";
import { peopleThere } from "../../../src/sync/people/target-people.js";
import { guideItem, wikiItem } from "../../helpers/items.js";

const person = (id: number, uniqueName: string | null): Person => ({ id, name: `Name ${id}`, uniqueName });
const given = <T extends Person | Team>(who: T): T => ({ ...who, given: "target" });

interface There {
  readonly users?: Readonly<Record<string, Person | null>>;
  readonly teams?: Readonly<Record<string, Team | null>>;
  readonly named?: readonly Person[];
  readonly emails?: Readonly<Record<string, Person>>;
}

function directory({ users = {}, teams = {}, named = [], emails = {} }: There): Directory {
  return {
    users: new Map(Object.entries(users)),
    teams: new Map(Object.entries(teams)),
    userNamed: (name) => named.find(({ uniqueName }) => uniqueName === name),
    userWithEmail: async (email) => emails[email],
    teamNamed: () => undefined,
  };
}

function found(source: SourcePeople, there: There, emails: ReadonlyMap<number, string> = new Map()) {
  const named = { users: source.users, teams: source.teams, emails };
  return peopleThere(named, directory(there), new AbortController().signal);
}

function sourceWith(...authors: readonly Person[]): SourcePeople {
  const source = new SourcePeople();
  for (const [index, author] of authors.entries()) source.see(guideItem(index + 1, { author }));
  return source;
}

describe("people of the source", () => {
  it("are counted by what names them, and what one answer leaves out another one tells", () => {
    const source = sourceWith({ id: 5, name: "", uniqueName: null }, person(5, "ann"));
    source.see(guideItem(9, { viewers: { users: [person(5, null)], teams: [{ id: 3, name: "" }] } }));
    source.see(wikiItem("USER", "5", { displayTitle: "Somebody" }));
    source.see(wikiItem("TEAM", "3", { displayTitle: "Weavers" }));
    expect([...source.users.values()]).toEqual([{ who: person(5, "ann"), authored: 2, views: 1, page: true }]);
    expect([...source.teams.values()]).toEqual([
      { who: { id: 3, name: "Weavers" }, authored: 0, views: 1, page: true },
    ]);
  });

  it("without an id are nobody whom a map could name by it", async () => {
    const source = sourceWith(person(0, "ann"), person(0, "bob"));
    const people = await found(source, { users: { ann: given(person(41, "anna")), "0": given(person(42, "x")) } });
    expect([source.users.size, people.users.size]).toEqual([0, 0]);
  });
});

describe("rows that mean nobody", () => {
  it("are told, ids apart, which texts may name", async () => {
    const users = { ann: null, an: null, "77": null, "a@x": null, "b@x": null };
    const people = await found(
      sourceWith(person(1, "Ann")),
      { users, teams: { Weavers: null } },
      new Map([[1, "a@x"]]),
    );
    expect(people.unused).toEqual({ users: ["an", "b@x"], teams: ["Weavers"] });
  });
});

describe("who they are at the target", () => {
  const [anna, robert] = [person(41, "anna"), person(42, "robert")];

  it("a map's word counts first, then the unique name, then the address", async () => {
    const source = sourceWith(person(1, "ann"), person(2, "bob"), person(3, "cy"));
    const emails = new Map([
      [1, "a@x"],
      [2, "b@x"],
      [3, "c@x"],
    ]);
    const there = {
      users: { "1": given(anna) },
      named: [person(51, "ann"), person(52, "bob")],
      emails: { "a@x": robert, "b@x": robert, "c@x": robert },
    };
    const people = await found(source, there, emails);
    expect([...people.users]).toEqual([
      [1, given(anna)],
      [3, given(robert)],
    ]);
    expect([...people.pages]).toEqual([
      ["wiki/USER/1", "41"],
      ["wiki/USER/2", "52"],
      ["wiki/USER/3", "42"],
    ]);
    expect(people.unknown.users).toEqual([]);
  });

  it("a row by id gives texts a goal although nothing else names the user; nobody has no page", async () => {
    const people = await found(sourceWith(person(1, "ann"), person(2, "bob")), {
      users: { "7": given(anna), ann: null },
    });
    expect([...people.pages]).toEqual([["wiki/USER/7", "41"]]);
    expect([...people.users]).toEqual([[1, { ...person(1, "ann"), given: "nobody" }]]);
    expect(people.unknown.users.map(({ who }) => who.uniqueName)).toEqual(["bob"]);
  });

  it("rows that contradict each other are refused, one that is dropped and kept too", async () => {
    const source = sourceWith(person(1, "ann"));
    await expect(found(source, { users: { ann: given(anna), "1": given(robert) } })).rejects.toThrow(/several rows/);
    await expect(found(source, { users: { ann: given(anna), "1": null } })).rejects.toThrow(/several rows/);
    expect((await found(source, { users: { ann: given(anna), "1": given(anna) } })).users.size).toBe(1);
  });
});
