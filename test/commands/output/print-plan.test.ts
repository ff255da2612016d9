import { expect, test } from "vitest";
import { printPlan } from "../../../src/commands/migration/plan-output.js";
import type { Output } from "../../../src/commands/output/output.js";
import type { TextChange } from "../../../src/sync/plan/draft.js";
import type { LargePlan, PlannedItem } from "../../../src/sync/plan/plan.js";

const ITEM: PlannedItem = {
  key: "guide/12",
  title: "Warp",
  action: "change",
  because: null,
  steps: ['guide 12 "Warp"'],
  operations: [],
  places: [],
  edited: [],
  requests: 2,
  kinds: {},
  issues: [],
};

/** What a person reads of a plan of one item. */
function printed(item: Partial<PlannedItem>, changes: readonly TextChange[] = []): readonly string[] {
  const lines: string[] = [];
  const output: Pick<Output, "say" | "event" | "table"> = {
    say: (line) => void lines.push(line),
    event: () => undefined,
    table: (head, rows) => void lines.push(head.join(" "), ...rows.map((row) => row.join(" "))),
  };
  const counts = { create: 0, change: 1, leave: 3, refuse: 0, adopt: 0, delete: 0, gone: 0 };
  const plan: Pick<LargePlan, "shown" | "counts" | "requests" | "seconds" | "target"> & {
    readonly job: { readonly options: { readonly onConflict: "merge" } };
  } = {
    shown: () => [{ item: { ...ITEM, ...item }, changes }],
    counts,
    requests: 2,
    seconds: null,
    target: "https://new.example/api/2.0",
    job: { options: { onConflict: "merge" } },
  };
  printPlan(plan as LargePlan, output as Output, { verbose: false, planText: true });
  return lines;
}

test("--text prints each text before and after, line by line, with what stays around it", () => {
  const before = ["One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight.", "Nine."].join("\n");
  const changes = [
    { part: "", field: "summary", before: "", after: "New." },
    { part: "step 3", field: "lines", before, after: before.replace("Seven.", "Seven, and more.") },
  ];
  expect(printed({}, changes)).toEqual([
    'change  guide/12 "Warp", 2 writes',
    "    summary",
    "      @@ -0,0 +1,1 @@",
    "      +New.",
    "    step 3: lines",
    "      @@ -4,6 +4,6 @@",
    "       Four.",
    "       Five.",
    "       Six.",
    "      -Seven.",
    "      +Seven, and more.",
    "       Eight.",
    "       Nine.",
    "",
    "kind create change",
    "guide 0 1",
    "\nPlan for https://new.example/api/2.0: 0 to create, 1 to change, 0 to link, 0 refused, 3 to leave unchanged.",
    "2 writes. Nothing was written.",
  ]);
});

test("the writes are at most as many where the target may refuse the first upload of a video or a document", () => {
  const upload = (item: PlannedItem["key"], requests = 1) => ({
    ...{ id: `${item}:upload`, item, hash: "0", label: "upload", creates: true, requests },
  });
  const files = [upload("image/1"), upload("video/2"), upload("document/3"), upload("document/4", 0)];
  expect(printed({ operations: files }).at(-1)).toBe(
    "2 writes at most (2 are uploads of videos and documents; if the target refuses the first, no other is sent). Nothing was written.",
  );
  // A single one is sent, whatever comes of it.
  expect(printed({ operations: files.slice(0, 2) }).at(-1)).toBe("2 writes. Nothing was written.");
});

test("what somebody edited there is marked, with what --on-conflict does", () => {
  expect(printed({ edited: ["guide/12", "step/5"] })[1]).toBe(
    "           edited on the target since guideferry last wrote it: guide/12, step/5. With --on-conflict merge the changes of both sites are kept. Where both changed one field, the remote edit is kept and listed.",
  );
});

test("what is gone at the source, and what somebody deleted at the target, says so", () => {
  const issue = { code: "gone-at-source", level: "note", key: "guide/12", path: "", message: "It is gone." } as const;
  expect(printed({ action: "gone", issues: [issue] })).toContain("           note: It is gone.");
  const anew = { ...issue, code: "deleted-at-target" as const, message: "Somebody deleted it." };
  const dates = { ...issue, code: "dates" as const, message: "The dates are lost." };
  const lines = printed({ action: "create", issues: [anew, dates] });
  expect(lines).toContain("           note: Somebody deleted it.");
  expect(lines.join("\n")).not.toContain("The dates are lost.");
});

test("an item that will fail says why at its place, and is counted for itself, not among what the service cannot take", () => {
  const issue = {
    code: "will-fail",
    level: "error",
    key: "guide/12",
    path: "",
    message: "Two of this title.",
  } as const;
  const lines = printed({ action: "create", issues: [issue] });
  expect(lines[1]).toBe("           error: Two of this title.");
  expect(lines).toContain("WILL FAIL: 1 item; each shows its reason.");
  expect(lines.join("\n")).not.toMatch(/cannot take/);
});

test("what stays as somebody edited it is told as that, with what the source would make of it", () => {
  const change = { part: "", field: "summary", before: "Theirs.", after: "Ours." } as const;
  expect(printed({}, [{ ...change, stays: "clash" }]).slice(1, 5)).toEqual([
    "    summary is not changed, since both sites changed it; the source has:",
    "      @@ -1,1 +1,1 @@",
    "      -Theirs.",
    "      +Ours.",
  ]);
});
