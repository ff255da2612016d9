import { describe, expect, it } from "vitest";
import { FIRST, SECOND, THIRD, threeNights } from "../helpers/daily-backups.js";
import { runCli } from "../helpers/run-cli.js";

describe("guideferry diff", () => {
  it("shows item by item what differs", async () => {
    const { folder } = await threeNights();
    const { code, stdout } = await runCli(["diff", folder, FIRST, "2026-11-02"]);
    expect([code, stdout.trim().split("\n")]).toEqual([
      0,
      [
        `From ${FIRST} to ${SECOND}:`,
        '~ guide/1 "Loom"',
        '    steps[step/8].lines[0].text: "Oil it" → "Oil it well"',
        "    modifiedDate: 1790000001 → 1790000002",
        '+ guide/3 "Guide 3"',
        "1 new, 1 changed, 0 deleted; media: 1 new (2 bytes), 0 deleted (0 bytes).",
      ],
    ]);
    expect((await runCli(["diff", folder, "latest", "2026-11-03"])).stdout).toMatch(/^0 new, 0 changed, 0 deleted/m);
  });

  it("shows texts with --text, and objects with --json", async () => {
    const { folder } = await threeNights();
    const text = await runCli(["diff", folder, FIRST, SECOND, "--text"]);
    expect(text.stdout).toMatch(/^--- guide\/1\t20261101T030000Z\n\+\+\+ guide\/1\t20261102T030000Z\n@@ /m);
    expect(text.stdout).toMatch(/^-\* Oil it\n\+\* Oil it well$/m);
    const { stdout } = await runCli(["diff", folder, SECOND, THIRD, "--json"]);
    const objects = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects).toMatchObject([
      { type: "difference", what: "deleted", key: "guide/1", revisions: ["2", null] },
      { type: "summary", from: SECOND, to: THIRD, deleted: 1 },
    ]);
  });

  it("ends with 10 for a snapshot that is not there", async () => {
    const { folder } = await threeNights();
    expect((await runCli(["diff", folder, "2020-01-01", "latest"])).code).toBe(10);
  });
});
