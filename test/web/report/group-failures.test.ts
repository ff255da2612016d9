import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/storage/workspace/failure-list.js";
import { groupFailures } from "../../../src/web/report/failures.js";

const failure = (key: string, reason: string, stage: Failure["stage"] = "load"): Failure => ({
  stage,
  key: key as Failure["key"],
  target: null,
  reason,
  remedy: "Do this.",
  at: 1,
});

describe("failures by cause", () => {
  it("puts together what differs in ids, names and addresses only, the most frequent first", () => {
    const causes = groupFailures([
      failure("guide/1", 'GET https://a.example/guides/1 was answered 403: "Looms" is not yours.'),
      failure("image/7", "The disk is full."),
      failure("guide/22", 'GET https://a.example/guides/22 was answered 403: "Sheds" is not yours.', "extract"),
    ]);
    expect(causes).toEqual([
      {
        reason: 'GET https://a.example/guides/1 was answered 403: "Looms" is not yours.',
        remedy: "Do this.",
        stages: ["load", "extract"],
        count: 2,
        keys: ["guide/1", "guide/22"],
      },
      { reason: "The disk is full.", remedy: "Do this.", stages: ["load"], count: 1, keys: ["image/7"] },
    ]);
  });

  it("keeps statuses apart", () => {
    const causes = groupFailures([
      failure("guide/1", "It was answered 403."),
      failure("guide/2", "It was answered 404."),
    ]);
    expect(causes).toHaveLength(2);
  });

  it.each([
    [
      "This can't be saved: the title is too long. Your site's editor knows.",
      "This can't be saved: the disk is full. Your site's editor knows.",
    ],
    [
      "It can't go: the title is long, say the editors' rules.",
      "It can't go: the disk is full, say the editors' rules.",
    ],
    ['Refused: "wrong type" at "steps".', 'Refused: "too long" at "title".'],
  ])("keeps apart what the site says of the cause: %s", (one, other) => {
    expect(groupFailures([failure("guide/1", one), failure("guide/2", other)])).toHaveLength(2);
  });

  it("counts all and names the first twenty", () => {
    const all = Array.from({ length: 1000 }, (_, at) => failure(`guide/${at}`, `guide/${at} is too large.`));
    const [cause] = groupFailures(all);
    expect([cause?.count, cause?.keys.length]).toEqual([1000, 20]);
  });
});
