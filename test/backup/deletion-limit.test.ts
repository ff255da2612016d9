import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDeletions, describeDeletions } from "../../src/backup/backup.js";
import { DEFAULT_DELETION_LIMIT } from "../../src/sync/control.js";
import "../helpers/seed.js";

describe("the brake for deletions", () => {
  it("lets a share of a kind go and no more, one item always, and never the last ones", () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((present) => fc.tuple(fc.constant(present), fc.integer({ min: 0, max: present })));
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 0.99, noNaN: true }), ([present, unlisted], share) => {
        const isAllowed = unlisted === 0 || (unlisted < present && (unlisted === 1 || unlisted <= share * present));
        const { manyDeleted } = checkDeletions([{ list: "them", of: "items", present, unlisted }], { share });
        expect(manyDeleted).toEqual(isAllowed ? undefined : [{ list: "them", present, gone: unlisted }]);
      }),
    );
  });

  it.each([
    [{ share: 1 }, 30, 30],
    [{ count: 30 }, 30, 200],
  ])("goes as far as %j is meant", (limit, unlisted, present) => {
    const judged = checkDeletions([{ list: "guides", of: "items", present, unlisted }], limit);
    expect(judged).toEqual("share" in limit ? { deletionsAccepted: true } : {});
    const more = checkDeletions([{ list: "guides", of: "items", present: 1000, unlisted: 31 }], { count: 30 });
    expect(describeDeletions(more)).toMatch(/31 of 1000 guides/);
  });

  it("names every list that lacks too much", () => {
    const unlisted = (["guides", "INFO pages", "ITEM pages"] as const).map((list, at) => ({
      list,
      of: "items" as const,
      present: 10,
      unlisted: at === 2 ? 10 : 5,
    }));
    expect(describeDeletions(checkDeletions(unlisted, DEFAULT_DELETION_LIMIT))).toMatch(
      /5 of 10 guides are no longer listed; 5 of 10 INFO pages are no longer listed; the list of ITEM pages is empty, and had 10 before\. The snapshot/,
    );
    expect(describeDeletions(checkDeletions([], DEFAULT_DELETION_LIMIT))).toBeUndefined();
  });

  it.each([
    ["records", 1, 1, false],
    ["records", 2, 2, true],
    ["records", 12, 10, false],
    ["records", 12, 11, true],
    ["records", 200, 20, false],
    ["records", 200, 21, true],
    ["rows", 4, 4, false],
    ["rows", 5, 5, true],
    ["passing", 10, 10, false],
    ["passing", 11, 11, true],
  ] as const)("of a list of %s with %i lets %i go: marks is %s", (of, present, unlisted, marks) => {
    const { manyDeleted } = checkDeletions([{ list: "quizzes", of, present, unlisted }], DEFAULT_DELETION_LIMIT);
    expect(manyDeleted !== undefined).toBe(marks);
  });
});
