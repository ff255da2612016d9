import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readImport, readModule, readProgress, readUsage } from "../../../src/service/training/read-answers.js";
import { PHASES } from "../../../src/service/training/vocabulary.js";
import "../../helpers/seed.js";

const FIELD = fc.constantFrom(
  ...[
    "data",
    "import",
    "progress",
    "job",
    "result",
    "status",
    "state",
    "importid",
    "id",
    "message",
    "warnings",
    "title",
  ],
);
const WORD = fc.oneof(
  fc.constantFrom("success", "ok", "running", "COMPLETE", "ERROR", "hatching", "9"),
  fc.jsonValue(),
);

/** Answers that have the right names in the wrong places. */
const { muddle } = fc.letrec<{ muddle: unknown }>((tie) => ({
  muddle: fc.oneof(
    { maxDepth: 5 },
    WORD,
    fc.dictionary(FIELD, tie("muddle"), { maxKeys: 5 }),
    fc.array(tie("muddle"), { maxLength: 3 }),
  ),
}));

/** The id of no row of a muddle: a row that names the import is read in place of what stands beside it. */
const UNLISTED = "an import that no row names";

const COMPLETE_WORDS = Object.keys(PHASES).filter((word) => PHASES[word] === "complete");

describe("any answer at all", () => {
  it("is read without an error, and as complete only when a word says so and none that could says otherwise", () => {
    fc.assert(
      fc.property(muddle, (answer) => {
        const text = JSON.stringify(answer)?.toLowerCase() ?? "";
        if (readProgress("9", answer).phase === "complete") {
          expect(COMPLETE_WORDS.some((word) => text.includes(word))).toBe(true);
        }
        readModule(answer);
        readImport(answer);
        for (const line of readUsage(answer)) expect(line).not.toMatch(/^$|\p{Cc}/u);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["data", "usage", "import", "job", "status", "message", "title", "errors"])(
    "is read however deep its %s goes",
    (name) => {
      const answer: unknown = JSON.parse(`${`{"${name}":`.repeat(1e5)}1${"}".repeat(1e5)}`);
      expect([readUsage(answer), readModule(answer), readImport(answer)]).toEqual([
        expect.any(Array),
        undefined,
        undefined,
      ]);
      expect(readProgress("9", answer).phase).toBe("running");
    },
  );

  it("is complete nowhere beside a job that is not", () => {
    const job = fc.record({ status: fc.constantFrom("RUNNING", "ERROR", "hatching", "cancelled") });
    const beside = fc.constantFrom("job", "progress", "importResult");
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("data", "import"), muddle), job, beside, (more, inner, name) => {
        const phase = (answer: unknown): string => readProgress(UNLISTED, answer).phase;
        expect(phase({ status: "complete", [name]: inner })).not.toBe("complete");
        expect(phase({ ...more, import: { status: "complete", [name]: inner } })).not.toBe("complete");
      }),
    );
  });

  it("is what the row of a list says that names the import, whatever stands beside the list", () => {
    const beside = { import: { status: "complete", job: { status: "RUNNING" } } };
    const listed = (importid: string): unknown => ({ data: [{ importid, state: "success" }], ...beside });
    expect([listed("9"), listed("8")].map((answer) => readProgress("9", answer).phase)).toEqual([
      "complete",
      "running",
    ]);
  });
});
