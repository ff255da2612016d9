import { describe, expect, it } from "vitest";
import { FIRST, SECOND, THIRD, threeNights } from "../helpers/daily-backups.js";
import { runCli } from "../helpers/run-cli.js";

describe("guideferry history", () => {
  it("lists the nights in which an item changed", async () => {
    const { folder } = await threeNights();
    const { code, stdout } = await runCli(["history", folder, "guide/1"]);
    const lines = stdout.trim().split("\n");
    expect([code, lines.length]).toEqual([0, 6]);
    expect(lines[0]).toMatch(
      /^20261101T030000Z {2}new {6}"Loom" {2}revision 1, changed 2026-09-21T\S+Z, author Ada, [\d,]+ bytes$/,
    );
    expect(lines[1]).toMatch(/^20261102T030000Z {2}changed/);
    expect(lines[2]).toBe('    steps[step/8].lines[0].text: "Oil it" → "Oil it well"');
    expect(lines[4]).toMatch(/^20261103T030000Z {2}deleted/);
    const json = await runCli(["history", folder, "guide/1", "--json"]);
    const objects = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects).toMatchObject([
      { snapshot: FIRST },
      { snapshot: SECOND },
      { snapshot: THIRD, what: "deleted" },
      { versions: 3 },
    ]);
  });

  it("ends with 10 for an item that nobody saw, with 2 for what is no key", async () => {
    const { folder } = await threeNights();
    expect((await runCli(["history", folder, "guide/99"])).code).toBe(10);
    expect((await runCli(["history", folder, "99"])).code).toBe(2);
  });
});

describe("guideferry blame", () => {
  it("shows each line with its night", async () => {
    const { folder } = await threeNights();
    const { code, stdout } = await runCli(["blame", folder, "guide/1"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^20261101T030000Z {2}1 {2}Ada \| = Loom =$/m);
    expect(stdout).toMatch(/^20261101T030000Z {2}1 {2}Ada \| \* Open the lid$/m);
    expect(stdout).toMatch(/^20261102T030000Z {2}2 {2}Ada \| \* Oil it well$/m);
    const before = await runCli(["blame", folder, "guide/1", "--at", FIRST]);
    expect(before.stdout).toMatch(/^20261101T030000Z {2}1 {2}Ada \| \* Oil it$/m);
    expect(before.stdout).not.toContain(SECOND);
  });
});
