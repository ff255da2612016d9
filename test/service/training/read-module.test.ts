import { describe, expect, it } from "vitest";
import { readModule, readModuleId, readUsage } from "../../../src/service/training/read-answers.js";

describe("the id of a new module", () => {
  it.each([
    [{ id: 7 }],
    [{ ID: "7" }],
    [{ moduleid: 7, id: 3 }],
    [{ id: 3, external_training_moduleid: 7 }],
    [{ module_id: "7", draft: { id: 3 } }],
    [{ data: { id: 7 } }],
    [{ id: "req-1", data: { id: 7 } }],
    [{ status: "success", data: { module: { id: 7, title: "Golf" } } }],
    [{ module: { moduleId: 7 }, draft: { draftid: 1 } }],
    [{ draft: { moduleid: 7, title: "Golf" } }],
    [{ modules: [{ id: 7 }] }],
    [[{ id: 7 }]],
    [7],
    ["7"],
  ])("is 7 in %j", (answer) => {
    expect(readModuleId(answer)).toBe("7");
  });

  it.each([
    [{}],
    [[]],
    [null],
    [undefined],
    [""],
    [-7],
    [0],
    ["0"],
    ["OK"],
    [{ id: 0 }],
    [{ id: null }],
    [{ id: { id: 7 } }],
    [{ ids: [7] }],
    [{ id: "a b" }],
    [{ id: ".." }],
    [[{ id: 7 }, { id: 8 }]],
  ])("is not there in %j", (answer) => {
    expect(readModuleId(answer)).toBeUndefined();
  });
});

describe("a module of the list", () => {
  it.each([
    [{ id: 7, title: "Golf", current: { importid: 9 } }, "9"],
    [{ moduleid: 7, name: "Golf", current_importid: 9 }, "9"],
    [{ id: 7, draft: { title: "Golf" }, current: null }, null],
    [{ id: 7, current: { title: "Golf", import: { id: "9" } } }, "9"],
    [{ module: { id: 7, title: "Golf", published: { importId: 9 } } }, "9"],
    [{ id: 7, title: "Golf", currentImport: { id: 9 } }, "9"],
    [{ id: 7, title: "Golf", current: 9 }, "9"],
    // A version's own id, and a mere yes, are not the import's.
    [{ id: 7, title: "Golf", current: { id: 12 } }, null],
    [{ id: 7, title: "Golf", published: true }, null],
    [{ id: 7, title: "Golf" }, null],
  ])("is %j", (row, currentImport) => {
    expect(readModule(row)).toEqual({ id: "7", title: "Golf", currentImport });
  });

  it("may have no title", () => {
    expect(readModule({ id: 7, title: 12 })).toEqual({ id: "7", title: "", currentImport: null });
  });

  it("keeps the beginning of a title without an end", () => {
    expect(readModule({ id: 7, title: "ä".repeat(1e6) })?.title).toBe("ä".repeat(500));
  });

  it("without an id is none", () => {
    expect(readModule({ title: "Golf" })).toBeUndefined();
  });
});

describe("where a module is used", () => {
  it.each([
    [[{ type: "course", id: 4, title: "Safety" }], ["course “Safety” 4"]],
    [{ usage: [{ kind: "course", courseid: 4, name: "Safety" }] }, ["course “Safety” courseid 4"]],
    [{ data: { usages: ["Course 4", "Course 5"] } }, ["Course 4", "Course 5"]],
    [
      { courses: [{ id: 4, title: "Safety" }], assignments: [{ id: 1 }, { id: 2 }] },
      ["courses “Safety” 4", "assignments 1", "assignments 2"],
    ],
    [{ moduleid: 7, title: "Golf", status: "ok", count: 3 }, ["count: 3"]],
    [[{ since: "May", learners: 12 }], ["since: May, learners: 12"]],
    [{ course: { title: "Safety" } }, ["course “Safety”"]],
    [[{ title: "See https://x.example/?token=1\u202E" }], ["“See https://x.example/"]],
    [5, ["5"]],
    [[], []],
    [{}, []],
    [null, []],
    [{ usage: [] }, []],
    [{ count: 0, courses: [], used: false }, []],
    [{ usage: null }, []],
    [[{}], []],
  ])("is told in lines from %j", (answer, lines) => {
    expect(readUsage(answer)).toEqual(lines);
  });
});
