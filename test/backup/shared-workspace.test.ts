import { rename, rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { sourceOf } from "../sync/extract-site.js";
import { type BackupSite, oneBackup, startBackups } from "./helpers/backups.js";
import { fillLooms } from "./helpers/looms.js";

/** A night of the same site and workspace into another repository. */
function nightInto({ sandbox, workspace }: BackupSite, folder: string) {
  return oneBackup({ folder, workspace, source: sourceOf(sandbox, { anonymous: false }), now: new Date() });
}

async function looms(): Promise<BackupSite> {
  const nights = await startBackups({});
  fillLooms(nights.sandbox);
  return nights;
}

it("a workspace that another repository uses is refused with both names, before anything is read", async () => {
  const site = await looms();
  await site.backUp();
  const other = `${site.folder}-other`;
  await expect(nightInto(site, other)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(
      `${site.workspace} belongs to the repository ${site.folder} and cannot be used for ${other} too`,
    ),
  });
  expect((await site.backUp()).index).toMatchObject({ complete: true, counts: { new: 0, changed: 0 } });
});

it("is not refused for a repository that was moved, nor once the other one is gone", async () => {
  const site = await looms();
  await site.backUp();
  const moved = `${site.folder}-moved`;
  await rename(site.folder, moved);
  expect((await nightInto(site, moved)).index).toMatchObject({ complete: true, counts: { new: 0 } });
  await rm(moved, { recursive: true });
  expect((await nightInto(site, `${site.folder}-new`)).index).toMatchObject({ kind: "full", complete: true });
});
