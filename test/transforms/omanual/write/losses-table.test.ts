import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REDUCTIONS } from "../../../../transforms/omanual/write/simplify.js";
import { sourceFiles } from "../../../helpers/source-files.js";

const README = new URL("../../../../docs/design/omanual-writing.md", import.meta.url);

/** `loss tags` for each issue that the code makes. */
function made(): readonly string[] {
  const written = sourceFiles("transforms/omanual/write").flatMap(({ text }) => [
    ...text.matchAll(/\bcode: "([a-z-]+)",(?:\s*path: "[^"]*",)?\s*level: "(note|loss)"/g),
  ]);
  const reductions = Object.entries(REDUCTIONS).map(([code, { level }]) => `${level} ${code}`);
  return [...new Set([...written.map(([, code, level]) => `${level} ${code}`), ...reductions])].sort();
}

function listed(): readonly string[] {
  const rows = [...readFileSync(README, "utf8").matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (note|loss) \|/gm)];
  return rows
    .flatMap(([, codes = "", level]) => codes.split(", ").map((code) => `${level} ${code.slice(1, -1)}`))
    .sort();
}

it("lists in its README every issue that writing makes, and no other", () => {
  expect(made().length).toBeGreaterThan(60);
  expect(listed()).toEqual(made());
  const codes = sourceFiles("transforms/omanual/write").flatMap(({ text }) => [
    ...text.matchAll(/\bcode: "([a-z-]+)"/g),
  ]);
  expect(new Set(codes.map(([, code]) => code)).size).toBe(made().length - Object.keys(REDUCTIONS).length);
});
