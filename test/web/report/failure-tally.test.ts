import fc from "fast-check";
import { expect, it } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { FailureStage } from "../../../src/storage/workspace/failure-list.js";
import { createFailureTally } from "../../../src/web/report/failures.js";

const STAGES = ["extract", "load"] as const satisfies readonly FailureStage[];
const REASONS = ["The disk is full.", "GET guides/1 was answered 403", "GET guides/2 was answered 500"];

const act = fc.record({
  stage: fc.constantFrom(...STAGES),
  key: fc.integer({ min: 1, max: 5 }).map((id): Key => `guide/${id}`),
  /** undefined: it went through. */
  reason: fc.option(fc.constantFrom(...REASONS), { nil: undefined }),
});

it("has at any time what a list of the same failures has, by cause", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const tally = createFailureTally();
      const list = new Map<string, string>();
      for (const { stage, key, reason } of acts) {
        if (reason === undefined) {
          tally.clear({ stage, key, target: null });
          list.delete(`${stage} ${key}`);
        } else {
          tally.add({ stage, key, target: null, reason, remedy: "" });
          list.set(`${stage} ${key}`, reason);
        }
      }
      const counts = REASONS.map((reason) => [...list.values()].filter((each) => each === reason).length);
      // An item counts once, however many stages it failed in.
      expect(tally.count).toBe(new Set([...list.keys()].map((name) => name.split(" ")[1])).size);
      const causes = tally.causes();
      expect(REASONS.map((reason) => causes.find((cause) => cause.reason === reason)?.count ?? 0)).toEqual(counts);
      expect(causes.map(({ count }) => count)).toEqual(causes.map(({ count }) => count).toSorted((a, b) => b - a));
    }),
  );
});

it("names items of a cause as long as there are any, whichever of them went through", () => {
  const tally = createFailureTally();
  const keys = Array.from({ length: 30 }, (_, at): Key => `guide/${at + 1}`);
  for (const key of keys) tally.add({ stage: "load", key, target: null, reason: "The disk is full.", remedy: "" });
  for (const key of keys.slice(0, 20)) tally.clear({ stage: "load", key, target: null });
  expect(tally.causes()).toMatchObject([{ count: 10, keys: keys.slice(20) }]);
});
