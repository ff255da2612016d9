import { describe, expect, it } from "vitest";
import { SECOND, THIRD, threeNights } from "../../../helpers/nights.js";
import { makeRepository } from "../../../helpers/repository.js";
import { runHere } from "../../../helpers/run-here.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

describe("commands that look into a repository", () => {
  it("blame says of a deleted item that it is gone, and since when", async () => {
    const { folder } = await threeNights();
    const gone = await runHere(["blame", folder, "guide/1"]);
    expect([gone.code, gone.stderr]).toEqual([0, expect.stringMatching(new RegExp(`guide/1 is gone since.*${THIRD}`))]);
    expect(gone.stdout).toMatch(/Oil it well/);
    const there = await runHere(["blame", folder, "guide/1", "--at", SECOND, "--quiet"]);
    expect([there.code, there.stderr]).toEqual([0, ""]);
  });

  it.each(["cat", "blame", "history"])(
    "%s names what is no key between quotes, so that nothing can be seen",
    async (command) => {
      const { folder } = await threeNights();
      const { code, stderr } = await runHere([command, folder, ""]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/"" is no key/)]);
    },
  );

  it("repair ends with 10 where there is no snapshot, without a word to the site", async () => {
    const { folder } = await makeRepository(await temporaryFolder());
    const { code, stderr } = await runHere(["repair", folder, "http://127.0.0.1:9"]);
    expect([code, stderr]).toEqual([10, expect.stringMatching(/no snapshot/)]);
  });

  it("plan of a repository names the command that plans a restore", async () => {
    const { folder } = await threeNights();
    const { code, stderr } = await runHere(["plan", folder, "http://127.0.0.1:9"]);
    const command = `guideferry restore ${folder} http://127.0.0.1:9 --dry-run`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(command)]);
  });
});
