import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordDiff, unifiedDiff } from "../../src/backup/history/diff.js";
import { carriedOver, type Origin } from "../../src/backup/history/history.js";
import "../helpers/seed.js";

const NAMES = { name: "guide/1", from: "before", to: "after" };

function linesOf(count: number, lineOf: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${lineOf(at)}\n`).join("");
}

const texts = fc
  .array(fc.constantFrom("a", "b", "c", "", "-- x", "@@"), { maxLength: 40 })
  .chain((lines) => fc.constantFrom("", "\n").map((end) => (lines.length === 0 ? "" : `${lines.join("\n")}${end}`)));

describe("a unified diff", () => {
  it("makes the one text of the other", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const diff = unifiedDiff(NAMES, before, after);
        expect(diff === null).toBe(before === after);
        if (diff !== null) expect(applyPatch(before, diff)).toBe(after);
      }),
    );
  });

  it("counts lines from the beginning of the text, however much of it is the same", () => {
    const before = linesOf(50_000, (at) => `line ${at}`);
    const diff = unifiedDiff(NAMES, before, before.replace("line 40000\n", "other\n")) ?? "";
    expect(diff).toMatch(/^--- guide\/1\tbefore\n\+\+\+ guide\/1\tafter\n@@ -39998,7 \+39998,7 @@\n line 39997\n/);
    expect(diff).toMatch(/\n-line 40000\n\+other\n line 40001\n/);
  });

  it("shows what came or went as a whole, and any number of lines put in at one place", () => {
    const [long, short] = [linesOf(30_000, (at) => `line ${at}`), "first\nlast\n"];
    for (const [before, after] of [
      ["", long],
      [long, ""],
      [short, `first\n${long}last\n`],
    ] as const)
      expect(applyPatch(before, unifiedDiff(NAMES, before, after) ?? "")).toBe(after);
  });

  it("gives up on texts that have too little in common, and says so", () => {
    const [before, after] = [linesOf(20_000, (at) => `one ${at}`), linesOf(20_001, (at) => `two ${at}`)];
    expect(unifiedDiff(NAMES, `same\n${before}`, `same\n${after}`)).toBe(
      "--- guide/1\tbefore\n+++ guide/1\tafter\nToo different for a line by line comparison from line 2: 20,000 lines before, 20,001 lines after.\n",
    );
  });
});

describe("a diff of two lists of rows", () => {
  const row = (userid: number, more = {}) => ({ userid, username: `user ${userid}`, ...more });
  const rows = (count: number, more: (id: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, id) => row(id, more(id)));
  const diff = (before: unknown, after: unknown) =>
    recordDiff({ name: "record/users", from: "before", to: "after" }, before, after);

  it("goes row by row, by the id that each has", () => {
    const text = diff([row(1), row(2), row(3)], [row(3), row(2, { team: 9 }), row(4)]) ?? "";
    expect(text.match(/^(?:---|\+\+\+) \S+/gm)).toEqual([
      "--- record/users[1]",
      "+++ record/users[1]",
      "--- record/users[2]",
      "+++ record/users[2]",
      "--- record/users[4]",
      "+++ record/users[4]",
    ]);
    expect(text).toMatch(/^\+ {2}"team": 9$/m);
    expect(text).toMatch(/^- {2}"userid": 1,$/m);
  });

  it("shows 4,000 changed rows of 20,000 one by one", () => {
    const text =
      diff(
        rows(20_000),
        rows(20_000, (id) => (id % 5 === 0 ? { seen: id } : {})),
      ) ?? "";
    expect(text.match(/^\+ {2}"seen"/gm)).toHaveLength(4000);
  });

  it("says that the order alone is another one, and nothing where nothing is", () => {
    expect(diff([row(1), row(2)], [row(2), row(1)])).toMatch(/^The rows are the same, in another order\.$/m);
    expect(diff(rows(3), rows(3))).toBeNull();
  });

  it.each([
    [[row(1), row(1)], [row(1)]],
    [
      [1, 2],
      [2, 3],
    ],
    [{ a: 1 }, { a: 2 }],
    [null, [row(1)]],
    [[], [row(1)]],
    [[{ userid: 1 }], [{ userid: { id: 1 } }]],
  ])("takes %j and %j for texts, where rows have no id of their own", (before, after) => {
    const [one, other] = [before, after].map((answer) => `${JSON.stringify(answer, null, 2)}\n`);
    expect(applyPatch(one ?? "", diff(before, after) ?? "")).toBe(other);
  });
});

describe("lines that are carried over", () => {
  const origin = (snapshot: string): Origin => ({ snapshot, revision: "", modified: null, author: null });
  const lined = (snapshot: string, lines: readonly string[]) => lines.map((line) => ({ ...origin(snapshot), line }));

  it("keep their origin, and all that is new has the new one", () => {
    const words = fc.array(fc.constantFrom<string>("a", "b", "c", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const lines = carriedOver(lined("old", before), after, origin("new"));
        expect(lines.map(({ line }) => line)).toEqual(after);
        const kept = lines.filter(({ snapshot }) => snapshot === "old").map(({ line }) => line);
        let at = -1;
        for (const line of kept) {
          at = before.indexOf(line, at + 1);
          expect(at).not.toBe(-1);
        }
        if (before.join() === after.join()) expect(kept).toEqual(after);
      }),
    );
  });

  it("stay theirs around what changed beyond counting", () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`);
    const before = lined("old", ["first", ...many("one"), "amid", ...many("three"), "last"]);
    const lines = carriedOver(before, ["first", ...many("two"), "amid", ...many("four"), "last"], origin("new"));
    const kept = lines.filter(({ snapshot }) => snapshot === "old").map(({ line }) => line);
    expect([lines.length, kept]).toEqual([40_003, ["first", "last"]]);
  });
});
