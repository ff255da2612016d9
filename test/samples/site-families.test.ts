import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROW_KINDS, type RowKind, type RowKindName } from "../../src/sandbox/site/rows.js";
import { GUIDES, json, SITE, STEPS, WIKIS } from "./site-folder.js";

const KINDS: Readonly<Record<RowKindName, RowKind>> = ROW_KINDS;
const rowsOf = (name: RowKindName) => json(KINDS[name].file ?? "", z.array(z.record(z.string(), z.unknown())));
const row = (name: RowKindName, id: number) => rowsOf(name).find((one) => one[ROW_KINDS[name].id] === id) ?? {};
const guides = new Set<unknown>(GUIDES.map(({ guideid }) => guideid));
const people = new Set<unknown>(SITE.users.map(({ userid }) => userid));
const wikis = new Set<unknown>(WIKIS.map(({ wikiid }) => wikiid));
const NAMES = (Object.keys(ROW_KINDS) as readonly RowKindName[]).filter((name) => KINDS[name].file !== undefined);

describe("the families of samples/site", () => {
  it("have rows of every kind, each with a number of its own or none, by people and on pages of the site", () => {
    for (const name of NAMES) {
      const rows = rowsOf(name);
      expect([name, rows.length > 0]).toEqual([name, true]);
      const ids = rows.flatMap((one) => one[ROW_KINDS[name].id] ?? []);
      expect([name, new Set(ids).size]).toEqual([name, ids.length]);
      for (const one of rows) {
        if (typeof one["userid"] === "number") expect(people).toContain(one["userid"]);
        if (typeof one["guideid"] === "number") expect(guides).toContain(one["guideid"]);
        if (typeof one["wikiid"] === "number") expect(wikis).toContain(one["wikiid"]);
        if (one["doctype"] === "guide") expect(guides).toContain(one["docid"]);
        if (one["doctype"] === "wiki") expect(wikis).toContain(one["docid"]);
      }
    }
    const completions = json("users/completions.json", z.array(z.object({ userid: z.int(), guideid: z.int() })));
    expect(completions.every(({ userid, guideid }) => people.has(userid) && guides.has(guideid))).toBe(true);
  });

  it("hold each state of a request, of work and of an import that the table of the site names", () => {
    expect(row("processes", 1)["stages"]).toHaveLength(2);
    expect([21, 22, 23].map((id) => row("requests", id)["status"])).toEqual(["approved", "rejected", "pending"]);
    expect(row("requests", 21)["signatures"]).toHaveLength(3);
    expect([1, 2, 3, 4].map((id) => row("workLog", id)["status"])).toEqual([
      "complete",
      "suspended",
      "started",
      "cancelled",
    ]);
    expect(row("quizzes", 3)).toMatchObject({ deleted: true, category: "Safety" });
    expect(rowsOf("quizzes").filter((one) => one["category"] === "Safety")).toHaveLength(1);
    expect(row("quizSessions", 3)).toMatchObject({ status: "started", end_date: null });
    expect(row("modules", 2)).toMatchObject({ current: {}, draft: {} });
    expect(row("modules", 3)["current"]).toBeNull();
    expect(row("moduleImports", 3)["status"]).toBe("error");
    expect(rowsOf("stepForms").map((one) => one["stepid"])).toEqual([213, 213]);
    expect(STEPS.some(({ stepid, guideid }) => stepid === 213 && guideid === 1)).toBe(true);
  });
});
