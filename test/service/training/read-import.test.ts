import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readImport, readImportId, readProgress } from "../../../src/service/training/read-answers.js";
import { PHASES } from "../../../src/service/training/vocabulary.js";

describe("the id of a new import", () => {
  it.each([
    [{ importid: 9 }],
    [{ importId: "9" }],
    [{ import_id: 9, id: 3 }],
    [{ "Import-ID": 9 }],
    [{ id: 9, moduleid: 7 }],
    [{ id: 9, job: { id: "f00", status: "RUNNING" } }],
    [{ jobId: "f00", importid: 9 }],
    [{ jobId: "9", status: "RUNNING" }],
    [{ import: { id: 9, status: "created" }, module: { id: 7 } }],
    [{ result: { importid: 9 } }],
    [{ data: [{ import: { id: 9 } }] }],
    [9],
  ])("is 9 in %j", (answer) => {
    expect(readImportId(answer)).toBe("9");
  });
});

const phaseOf = (answer: unknown): unknown => readProgress("9", answer).phase;

describe("the phase of an import", () => {
  it.each(Object.entries(PHASES))("of %s is %s, in any spelling", (word, phase) => {
    const spellings = [
      word,
      word.toUpperCase(),
      `${word[0]?.toUpperCase()}${word.slice(1)}`,
      ` ${word} `,
      `import_${word}`,
      `JOB-${word.toUpperCase()}`,
    ];
    for (const spelling of spellings) expect(phaseOf({ status: spelling })).toBe(phase);
  });

  it.each(["", "READY", "hatching", "COMPLETED_WITH_ERRORS", "not complete", "constructor", "__proto__", "成功"])(
    "of %j is running: nobody knows it",
    (word) => {
      expect(phaseOf({ status: word })).toBe("running");
    },
  );

  it.each([
    [{ state: "Complete" }, "complete"],
    [{ Status: { id: 3, name: "complete" } }, "complete"],
    [{ data: { status: "complete" } }, "complete"],
    [{ import: { status: "complete" } }, "complete"],
    [{ progress: { state: "COMPLETE", percent: 100 } }, "complete"],
    [{ progress: 100, job: { status: "COMPLETE" } }, "complete"],
    [{ job: [{ status: "COMPLETE" }] }, "complete"],
    [
      [
        { importid: 8, status: "error" },
        { importid: 9, status: "complete" },
      ],
      "complete",
    ],
    [
      {
        imports: [
          { importid: 8, status: "error" },
          { importid: "9", status: "complete" },
        ],
      },
      "complete",
    ],
    // An answer's own status is not the import's.
    [{ status: "success", data: { importid: 9, state: "running" } }, "running"],
    [{ status: "success", data: { importid: 9 } }, "running"],
    [{ status: "ok", job: { status: "COMPLETE" } }, "complete"],
    [{ status: 200, import: { status: "failed" } }, "failed"],
    // Complete only when nothing says otherwise.
    [{ status: "complete", job: { status: "RUNNING" } }, "running"],
    [{ status: "success", job: { status: "ERROR" } }, "failed"],
    [{ status: "success", progress: { status: "hatching" } }, "running"],
    [{ status: "running", job: { status: "COMPLETE" } }, "running"],
    [{ status: "hatching", job: { status: "ERROR" } }, "failed"],
    [{ status: 4 }, "running"],
    [{ complete: true }, "running"],
    [{}, "running"],
    [null, "running"],
    [undefined, "running"],
  ])("in %j is %s", (answer, phase) => {
    expect(phaseOf(answer)).toBe(phase);
  });

  it("comes with the site's own word", () => {
    expect(readProgress("9", { status: "Hatching" })).toMatchObject({ phase: "running", state: "Hatching" });
    expect(readProgress("9", {})).toMatchObject({ state: "" });
  });
});

describe("what is told of an import", () => {
  it.each([
    [{ message: "No manifest" }],
    [{ errorMessage: "No manifest", message: "" }],
    [{ error: { code: 12, message: "No manifest" } }],
    [{ error: "No manifest" }],
    [{ errors: [{ message: "No manifest" }] }],
    [{ errors: ["No manifest"] }],
    [{ job: { status: "ERROR", message: "No\nmanifest\u0007" } }],
    [{ importResult: { message: " No manifest " } }],
  ])("is a message in %j", (answer) => {
    expect(readProgress("9", answer).message).toBe("No manifest");
  });

  it.each([
    [{ parserWarnings: ["One", "Two"] }],
    [{ warnings: [{ message: "One" }, { text: "Two", line: 4 }] }],
    [{ importResult: { parserWarnings: ["One", "Two"], course: {} } }],
    [{ data: { import: { parser_warnings: ["One", "Two", "", null, 3] } } }],
  ])("are warnings in %j", (answer) => {
    expect(readProgress("9", answer).warnings).toEqual(["One", "Two"]);
  });

  it.each([[{ warnings: [] }], [{ warnings: null }], [{ warnings: 0 }], [{ warnings: false }], [{}]])(
    "are no warnings in %j",
    (answer) => {
      expect(readProgress("9", answer).warnings).toEqual([]);
    },
  );

  it("is not endless", () => {
    const { warnings, message } = readProgress("9", {
      message: "x".repeat(5000),
      parserWarnings: Array.from({ length: 1000 }, (_, at) => `W${at}`),
    });
    expect(message).toHaveLength(301);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe("and 900 more");
  });

  it.each([
    [{ id: 9, filename: "golf-0123456789ab.zip" }, "golf-0123456789ab.zip"],
    [{ id: 9, source: { fileName: "golf.zip", bytes: 3 } }, "golf.zip"],
    [{ id: 9, source: "golf.zip" }, "golf.zip"],
    [{ id: 9, source: { url: "https://ann:sesame@store.example/golf.zip?sig=1#x" } }, "https://store.example/golf.zip"],
    [{ id: 9, source: { bytes: 3 } }, null],
    [{ id: 9 }, null],
  ])("is where it came from in %j", (row, source) => {
    expect(readImport(row)?.source).toBe(source);
  });

  it("hides what signs an address in a message", () => {
    const { message } = readProgress("9", {
      message: "Cannot fetch <https://u:p@store.example/a.zip?X-Amz-Signature=abc>.",
    });
    expect(message).toBe("Cannot fetch <https://store.example/a.zip>.");
  });
});

it("a row of a history without an id is none", () => {
  expect(readImport({ status: "complete" })).toBeUndefined();
});

it("has the words for states in its page", () => {
  const page = readFileSync(new URL("../../../docs/design/training-service.md", import.meta.url), "utf8");
  const [, table] = /<!-- phases -->\n\n([\s\S]*?)\n\n<!-- end -->/.exec(page) ?? [];
  const rows = (["created", "running", "complete", "failed", "cancelled"] as const).map((phase) => {
    const words = Object.keys(PHASES).filter((word) => PHASES[word] === phase);
    return `| ${phase} | ${[...words, ...(phase === "running" ? ["and every other word"] : [])].join(", ")} |`;
  });
  expect(table).toBe(["| Phase | Words |", "|---|---|", ...rows].join("\n"));
});
