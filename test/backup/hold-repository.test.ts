import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { holdRepository } from "../../src/backup/hold-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("of a repository that cannot be written it speaks as of a repository, and says what to do", async () => {
  const folder = await temporaryFolder();
  // The super-user may write everywhere; a folder in the place of the lock keeps him out too.
  await mkdir(join(folder, "lock"));
  const held = holdRepository(new LocalFolder(folder), { command: "guideferry backup", create: true });
  await expect(held).rejects.toMatchObject({
    name: "ArchiveError",
    exitCode: 2,
    message: expect.stringMatching(/cannot write to the repository .*0700/),
  });
  await expect(held).rejects.not.toThrow(/workspace/);
});
