import { expect, it } from "vitest";
import { describeFailures } from "../../../src/commands/output/describe.js";

it("names a retry that a shell takes, also for a folder with a blank in its name", () => {
  const failure = { key: "guide/1", stage: "load", reason: "No.", remedy: "", target: null, at: 0 } as const;
  const [first] = describeFailures([failure], "/home/ann/my backup");
  expect(first).toMatch(/guideferry retry '\/home\/ann\/my backup'$/);
});

it("tells failures of one cause together, with what to do, and names the first of them", () => {
  const failed = (key: string, reason: string, remedy: string) =>
    ({ key: key as "guide/1", stage: "load", reason, remedy, target: null, at: 0 }) as const;
  const refused = Array.from({ length: 12 }, (_, at) =>
    failed(`guide/${at}`, `POST https://a.example/guides was answered 403: guide/${at} is not yours.`, "Ask for it."),
  );
  const lines = describeFailures([failed("image/5", "The disk is full.", "Make room."), ...refused], "/looms", "again");
  expect(lines).toEqual([
    "FAILED: 13 items. To try again: again",
    "  12 items (load), the first: POST https://a.example/guides was answered 403: guide/0 is not yours.",
    "    What to do: Ask for it.",
    "    guide/0, guide/1, guide/2, guide/3, guide/4, guide/5, guide/6, guide/7, guide/8, guide/9 and 2 more",
    "  image/5 (load): The disk is full.",
    "    What to do: Make room.",
  ]);
});
