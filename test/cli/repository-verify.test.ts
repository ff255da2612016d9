import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentPlaces } from "../helpers/content-places.js";
import { FIRST, SECOND, THIRD, threeNights } from "../helpers/daily-backups.js";
import { runCli } from "../helpers/run-cli.js";

describe("guideferry verify REPO", () => {
  it("says that all snapshots are undamaged", async () => {
    const { folder } = await threeNights();
    const whole = await runCli(["verify", folder]);
    expect([whole.code, whole.stdout]).toEqual([
      0,
      expect.stringMatching(/hashed every file \(3 files, .*\)\. All 3 snapshots are undamaged\.$/m),
    ]);
    expect((await runCli(["verify", folder, "--structure"])).stdout).toMatch(/checked names and sizes/);
    expect((await runCli(["verify", folder, "--sample", "100%"])).stdout).toMatch(
      /read a sample \(0 files, 0 bytes; 9 contents/,
    );
  });

  it("names the item of a flipped bit and the affected and undamaged snapshots, and ends with 6", async () => {
    const maker = await threeNights();
    const place = (await contentPlaces(maker)).find(
      ({ name, archive }) => name === "guide/1" && archive.includes(SECOND),
    );
    const file = join(maker.folder, place?.archive ?? "");
    const bytes = await readFile(file);
    const at = (place?.from ?? 0) + 20;
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    await writeFile(file, bytes);
    const { code, stdout } = await runCli(["verify", maker.folder]);
    expect(code).toBe(6);
    expect(stdout).toMatch(/^damaged: site\.example-20261102T030000Z\.incremental\.zip: its bytes are damaged/m);
    expect(stdout).toMatch(/^lost: guide\/1 "Loom" in site\S+, for 20261102T030000Z: /m);
    expect(stdout).toMatch(/^Affected: 20261102T030000Z lacks 1 item and 0 media files\. The rest can be restored\.$/m);
    expect(stdout).toMatch(/^Undamaged: 2 of 3 snapshots, the last one 20261103T030000Z\.$/m);
    expect(stdout).toMatch(/guideferry repair/);
    const json = await runCli(["verify", maker.folder, "--json"]);
    const objects = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects.filter(({ type }) => type === "damage")).toMatchObject([
      { of: "file", snapshot: SECOND },
      { of: "content", name: "guide/1", kind: "guide", snapshots: [SECOND], repaired: false },
    ]);
    expect(objects.filter(({ type }) => type === "snapshot").map(({ snapshot, whole }) => [snapshot, whole])).toEqual([
      [FIRST, true],
      [SECOND, false],
      [THIRD, true],
    ]);
    expect(objects.at(-1)).toMatchObject({ type: "summary", exitCode: 6, hits: 1 });
  });

  it("finds a repository without its stamp, and refuses a target, both ways of looking, and what is none", async () => {
    const { folder } = await threeNights();
    await rm(join(folder, "repository.json"));
    expect(await runCli(["verify", folder])).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(/repository\.json is missing/),
    });
    expect(await runCli(["verify", folder, "https://site.example"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Leave out https:\/\/site\.example/),
    });
    expect((await runCli(["verify", folder, "--structure", "--sample", "5%"])).code).toBe(2);
    expect(await runCli(["verify", join(folder, "..")])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/TARGET/),
    });
    expect((await runCli(["verify", folder, "--sample", "0%"])).code).toBe(2);
  });

  it("checks an encrypted one without a key by its files", async () => {
    const { folder, indexes } = await threeNights({ passphrase: "words" });
    const whole = await runCli(["verify", folder]);
    expect([whole.code, whole.stderr]).toEqual([0, expect.stringMatching(/--identity FILE/)]);
    const file = join(folder, indexes.get(SECOND)?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, -1));
    expect(await runCli(["verify", folder])).toMatchObject({ code: 6, stdout: expect.stringMatching(/it is cut off/) });
    const environment = { GUIDEFERRY_PASSPHRASE: "words" };
    expect((await runCli(["verify", folder], { environment })).stdout).toMatch(
      /Affected: 20261102T030000Z cannot be read, so its content is unknown/,
    );
  });
});
