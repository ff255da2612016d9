import { describe, expect, it } from "vitest";
import { looms } from "../../backup/helpers/read-backups.js";
import { SECOND, THIRD, threeNights } from "../../helpers/daily-backups.js";
import { makeRepository } from "../../helpers/repository.js";
import { runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

describe("commands that look into a repository", () => {
  it("blame says of a deleted item that it is gone, and since when", async () => {
    const { folder } = await threeNights();
    const gone = await runHere(["blame", folder, "guide/1"]);
    expect([gone.code, gone.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`guide/1 was deleted before the snapshot ${THIRD}`)),
    ]);
    expect(gone.stdout).toMatch(/Oil it well/);
    const there = await runHere(["blame", folder, "guide/1", "--at", SECOND, "--quiet"]);
    expect([there.code, there.stderr]).toEqual([0, ""]);
  });

  it.each(["cat", "blame", "history"])(
    "%s names what is no key between quotes, so that nothing can be seen",
    async (command) => {
      const { folder } = await threeNights();
      const { code, stderr } = await runHere([command, folder, ""]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/"" is (?:not a key|neither a key)/)]);
    },
  );

  it("repair ends with 10 where there is no snapshot, without a word to the site", async () => {
    const { folder } = await makeRepository(await temporaryFolder());
    const { code, stderr } = await runHere(["repair", folder, "http://127.0.0.1:9"]);
    expect([code, stderr]).toEqual([10, expect.stringMatching(/no snapshot/)]);
  });

  it("plan of a repository says what a restore would do, item by item, and writes nothing", async () => {
    const { sandbox, folder, workspace, backUp: night } = await looms();
    await night();
    sandbox.edit.guide(2, { introduction: "Edited since." });
    const environment = { GUIDEFERRY_TARGET_TOKEN: sandbox.token, XDG_STATE_HOME: workspace };
    const words = [folder, sandbox.url, "--at", "latest"];
    const asked = sandbox.recorded.length;
    const plan = await runHere(["plan", ...words], { environment });
    const writes = sandbox.recorded.slice(asked).filter(({ method }) => method !== "GET");
    const restore = await runHere(["restore", ...words, "--dry-run"], { environment });
    expect([plan.code, plan.stdout]).toEqual([restore.code, restore.stdout]);
    expect(plan.stdout).toMatch(/guide\/2/);
    expect(writes).toEqual([]);
    const refused = await runHere(["plan", ...words, "--detailed-exitcode"], { environment });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--detailed-exitcode is only for migrations/),
    ]);
  });

  it("plan of anything else warns that there is no snapshot to choose", async () => {
    const missing = `${await temporaryFolder()}/none`;
    const { code, stderr } = await runHere(["plan", missing, "http://127.0.0.1:9/api/2.0", "--at", "latest"]);
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(/^\S+ warning: --at: no effect here, because only a repository/),
    ]);
  });

  it("plan of a repository needs a site", async () => {
    const { folder } = await threeNights();
    const { code, stderr } = await runHere(["plan", folder, "/tmp/out.omanual"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`guideferry restore ${folder} DIR`)]);
  });
});
