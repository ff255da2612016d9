import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";
import type { SnapshotIndex } from "../../src/storage/repository/format.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { encryptTo } from "../../src/storage/repository/write/encryption.js";
import type { BackupSite } from "./helpers/backups.js";
import { looms, rowsOf } from "./helpers/read-backups.js";

/** Cuts the main archive of a snapshot in its middle. */
function cut({ folder }: BackupSite, { archives }: SnapshotIndex): void {
  const file = join(folder, archives.at(-1)?.name ?? "");
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
}

it("a lost workspace beside a damaged last snapshot is made again from the one before, and the night is whole", async () => {
  const site = await looms();
  await site.backUp();
  site.sandbox.edit.guide(2, { introduction: "Night two." });
  site.sandbox.edit.deleteGuide(3);
  const { index: second } = await site.backUp();
  const before = await rowsOf(site);
  cut(site, second);
  rmSync(site.workspace, { recursive: true });
  const { index, warnings, failures } = await site.backUp();
  expect([index.complete, failures]).toEqual([true, []]);
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^Damaged snapshots.* ${second.snapshot}\\..*guideferry repair`, "s")),
    expect.stringMatching(/workspace was new: \d+ items/),
  ]);
  const after = await rowsOf(site);
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect(after.get("guide/2")).toMatchObject({ revision: (before.get("guide/2") as { revision: string }).revision });
  expect(after.get("guide/3")).toMatchObject({ state: "deleted", deleted: index.snapshot });
});

it("where no snapshot can be read at all the night reads everything from the site", async () => {
  const site = await looms();
  const { index: first } = await site.backUp();
  const before = await rowsOf(site);
  rmSync(join(site.folder, first.archives.at(-1)?.name ?? ""));
  rmSync(site.workspace, { recursive: true });
  const { index, warnings } = await site.backUp();
  expect([index.complete, index.needs]).toEqual([true, []]);
  expect(warnings).toEqual([expect.stringContaining(first.snapshot)]);
  expect([...(await rowsOf(site)).keys()]).toEqual([...before.keys()]);
});

it("a workspace that knows the snapshot before the damaged ones goes on from there", async () => {
  const site = await looms();
  await site.backUp();
  const known = site.workspace;
  site.sandbox.edit.guide(4, { introduction: "Night two." });
  const { index: second } = await site.backUp({ workspace: `${known}-other` });
  cut(site, second);
  const { index, warnings } = await site.backUp();
  expect([index.complete, warnings]).toEqual([true, [expect.stringContaining(second.snapshot)]]);
  await rowsOf(site);
});

it("a full one that is due beside an encrypted last snapshot that is damaged goes by the keys of the one before", async () => {
  const identity = await generateX25519Identity();
  const encryption = encryptTo([await identityToRecipient(identity)]);
  const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
  const site = await looms();
  await site.backUp({ encryption });
  site.sandbox.edit.guide(2, { introduction: "Night two." });
  const { index: second } = await site.backUp({ encryption });
  cut(site, second);
  const full = await site.backUp({ encryption, keys, options: { fullEvery: 1 } });
  expect([full.index.kind, full.index.complete]).toEqual(["full", true]);
  rmSync(site.workspace, { recursive: true });
  const wrong = new RepositoryKeys({ identities: [await generateX25519Identity()], passphrase: null });
  await expect(site.backUp({ encryption, keys: wrong })).rejects.toMatchObject({ exitCode: 2 });
});
