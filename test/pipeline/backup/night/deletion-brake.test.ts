import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brakeDeletions, DEFAULT_DELETION_LIMIT } from "../../../../src/pipeline/backup/night/deletion-brake.js";
import "../../../helpers/seed.js";

const KIND = fc.constantFrom("guide" as const, "wiki" as const, "category" as const);

describe("the brake for deletions", () => {
  it("lets a share of a kind go and no more, one item always, and never the last ones", () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((present) => fc.tuple(fc.constant(present), fc.integer({ min: 0, max: present })));
    fc.assert(
      fc.property(KIND, counts, fc.double({ min: 0, max: 0.99, noNaN: true }), (kind, [present, unlisted], share) => {
        const isAllowed = unlisted === 0 || (unlisted < present && (unlisted === 1 || unlisted <= share * present));
        const brake = (): void => brakeDeletions([{ kind, present, unlisted }], { share });
        if (isAllowed) expect(brake).not.toThrow();
        else expect(brake).toThrow(/Stopped by --max-deletions/);
      }),
    );
  });

  it.each([
    [{ share: 1 }, 30, 30],
    [{ count: 30 }, 30, 200],
  ])("goes as far as %j is meant", (limit, unlisted, present) => {
    expect(() => brakeDeletions([{ kind: "guide", present, unlisted }], limit)).not.toThrow();
    expect(() => brakeDeletions([{ kind: "guide", present: 1000, unlisted: 31 }], { count: 30 })).toThrow(
      /31 of 1000 guides/,
    );
  });

  it("names every kind that vanishes, and takes no notice of answers that are refused today", () => {
    const unlisted = (["guide", "wiki", "category", "record"] as const).map((kind) => ({
      kind,
      present: 10,
      unlisted: 5,
    }));
    expect(() => brakeDeletions(unlisted, DEFAULT_DELETION_LIMIT)).toThrow(
      /5 of 10 guides are no longer listed; 5 of 10 wikis are no longer listed; 5 of 10 categories are no longer listed\. Nothing/,
    );
    expect(() => brakeDeletions([{ kind: "record", present: 10, unlisted: 10 }], DEFAULT_DELETION_LIMIT)).not.toThrow();
  });
});
