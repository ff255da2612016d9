import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { indexName } from "../../src/storage/repository/names.js";
import { FIRST, SECOND, THIRD, threeNights } from "../helpers/daily-backups.js";
import { makeRepository, NAME } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("guideferry snapshots", () => {
  it("lists them, oldest first", async () => {
    const { folder } = await threeNights();
    const { code, stdout, stderr } = await runCli(["snapshots", folder]);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.trim().split("\n");
    expect(lines.slice(1, 4).map((line) => line.split(/ +/).slice(0, 3))).toEqual([
      [FIRST, "full", "5"],
      [SECOND, "incremental", "6"],
      [THIRD, "incremental", "5"],
    ]);
    expect(lines[3]).toMatch(/incomplete$/);
    expect(lines.at(-1)).toMatch(/^site\.example: 3 snapshots, \d/);
  });

  it("gives an object for each with --json, also of an encrypted repository without a key", async () => {
    const { folder } = await threeNights({ passphrase: "words" });
    const { code, stdout } = await runCli(["snapshots", folder, "--json"]);
    const objects = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, objects.map(({ type }) => type)]).toEqual([0, ["snapshot", "snapshot", "snapshot", "summary"]]);
    expect(objects[2]).toMatchObject({
      snapshot: THIRD,
      deleted: 1,
      encrypted: true,
      complete: false,
      time: "2026-11-03T03:00:00.000Z",
    });
  });

  it("warns of what is odd, and ends with 10 where there is no repository", async () => {
    const { folder } = await threeNights();
    await unlink(join(folder, indexName(NAME, SECOND)));
    const odd = await runCli(["snapshots", folder]);
    expect([odd.code, odd.stdout.includes(SECOND), odd.stderr]).toEqual([
      0,
      true,
      expect.stringMatching(/warning: .* is missing/),
    ]);
    const empty = await temporaryFolder();
    expect((await runCli(["snapshots", empty])).code).toBe(10);
    expect((await runCli(["snapshots", join(empty, "nowhere")])).code).toBe(10);
    expect((await runCli(["snapshots", "https://site.example"])).code).toBe(2);
    const index = join(folder, indexName(NAME, FIRST));
    for (const file of [join(folder, "repository.json"), index]) await writeFile(file, '{"format":9}');
    expect(await runCli(["snapshots", folder])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/newer format/),
    });
  });

  it("says that a new repository has none", async () => {
    const { folder } = await makeRepository(await temporaryFolder());
    expect(await runCli(["snapshots", folder])).toMatchObject({
      code: 0,
      stdout: "site.example: 0 snapshots, 0 bytes.\n",
    });
  });
});
