import { expect, it } from "vitest";
import { printed } from "./helpers/printed.js";

it.each([
  [
    3,
    [
      "Ended with exit code 3: finished, but",
      "2 failures, the first: guide/3: It was answered 403.",
      "See /w/report.html",
    ],
  ],
  [6, ["Ended with exit code 6: verify found differences"]],
  [12, ["Ended with exit code 12: done, but content"]],
])("says in one line with --quiet that a run ended with %d", (exitCode, words) => {
  const { out, error } = printed({ quiet: true }, (output) => {
    if (exitCode === 3) {
      output.event("failure", { key: "guide/3", reason: "It was answered 403.\nSee there." });
      output.event("failure", { key: "guide/4", reason: "Another one." });
      output.event("report", { html: "/w/report.html" });
    }
    output.event("summary", { exitCode });
  });
  expect([out, error.trimEnd().split("\n").length]).toEqual(["", 1]);
  for (const part of ["warning: ", ...words]) expect(error).toContain(part);
});

it("says nothing with --quiet of a run that ended well", () => {
  expect(printed({ quiet: true }, (output) => output.event("summary", { exitCode: 0 }))).toEqual({
    out: "",
    error: "",
  });
  expect(printed({}, (output) => output.event("summary", { exitCode: 3 })).error).toBe("");
});
