import { readdirSync, rmSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { type Encryption, encryptTo } from "../../src/storage/repository/write/encryption.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { runCli } from "../helpers/run-cli.js";
import { sha256 } from "../storage/repository/write/helpers/plans.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { fillLooms } from "./helpers/looms.js";

interface Encrypted extends BackupSite {
  readonly encryption: Encryption;
  readonly keys: RepositoryKeys;
}

async function encrypted(): Promise<Encrypted> {
  const identity = await generateX25519Identity();
  const encryption = encryptTo([await identityToRecipient(identity)]);
  const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
  const site = await startBackups({});
  fillLooms(site.sandbox);
  return { ...site, encryption, keys };
}

/** Reads every byte of every snapshot. */
async function readAll({ folder, keys }: Encrypted): Promise<number> {
  const repository = await openRepository(folder, { keys });
  let contents = 0;
  for (const { snapshot } of repository.snapshots()) {
    for await (const row of repository.items(snapshot)) {
      if (row.state !== "present") continue;
      expect(sha256(await buffer(await repository.open(row)))).toBe(row.sha256);
      contents += 1;
    }
    for await (const row of repository.media(snapshot)) await buffer(await repository.open(row));
  }
  await repository.close();
  return contents;
}

it("continues on a machine without a key, and every snapshot is readable with one", async () => {
  const site = await encrypted();
  const { encryption } = site;
  const { edit } = site.sandbox;
  await site.backUp({ encryption });
  edit.guide(2, { introduction: "Later." });
  edit.deleteGuide(3);
  const second = await site.backUp({ encryption });
  expect(second.index).toMatchObject({ kind: "incremental", encrypted: true, counts: { deleted: 1 } });
  const third = await site.backUp({ encryption });
  expect(third.index.counts).toMatchObject({ new: 0, changed: 0, deleted: 0, newMedia: 0 });
  expect(third.index.needs.map(({ archive }) => archive.replace(/^.*Z\./, ""))).toEqual([
    "full.rows.zip.age",
    "full.zip.age",
    "incremental.zip.age",
  ]);
  expect(readdirSync(site.folder).filter((name) => name.endsWith(".zip"))).toEqual([]);
  expect(await readAll(site)).toBeGreaterThan(3 * 13);
});

it("a full snapshot that is due waits for a key, and a warning names the option", async () => {
  const site = await encrypted();
  const { encryption, keys } = site;
  const options = { fullEvery: 2 };
  for (let run = 0; run < 2; run += 1) await site.backUp({ encryption, options });
  const third = await site.backUp({ encryption, options });
  expect([third.index.kind, third.warnings]).toEqual([
    "incremental",
    [
      expect.stringMatching(
        /NO FULL SNAPSHOT.*number 2 after.*no archive since the last full one can be pruned.*--identity/,
      ),
    ],
  ]);
  expect(third.index.fullDue).toBe(2);
  const listed = await runCli(["snapshots", site.folder]);
  expect([listed.stdout, listed.stderr]).toEqual([
    expect.stringMatching(/encrypted, full snapshot due/),
    expect.stringMatching(
      /NO FULL SNAPSHOT: a full snapshot is due every 2.*last 2 snapshots had no key.*--identity FILE/,
    ),
  ]);
  const fourth = await site.backUp({ encryption, options, keys });
  expect(await runCli(["snapshots", site.folder])).toMatchObject({ stderr: "" });
  expect([fourth.index.kind, fourth.index.needs, fourth.warnings]).toEqual(["full", [], []]);
  await readAll(site);
});

it("a lost workspace needs a key once, and the error comes before the first read", async () => {
  const site = await encrypted();
  const { encryption, keys } = site;
  await site.backUp({ encryption });
  rmSync(site.workspace, { recursive: true });
  const asked = site.sandbox.recorded.length;
  await expect(site.backUp({ encryption })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/does not know what the snapshot .*--identity FILE/),
  });
  expect(site.sandbox.recorded.slice(asked).filter(({ path }) => /\/guides/.test(path))).toEqual([]);
  expect((await site.backUp({ encryption, keys })).index.counts).toMatchObject({ new: 0, changed: 0 });
  expect((await site.backUp({ encryption })).index.counts).toMatchObject({ new: 0, changed: 0 });
});

it("continues without a key after a snapshot that a restore took with another workspace", async () => {
  const site = await encrypted();
  const { encryption, keys } = site;
  await site.backUp({ encryption });
  site.sandbox.edit.guide(2, { introduction: "Vandalised." });
  const { snapshot } = (await site.backUp({ encryption, keys, workspace: `${site.workspace}-present` })).index;
  site.sandbox.edit.guide(2, { introduction: "Put back." });
  const latest = await site.backUp({ encryption });
  expect([latest.index.previous, latest.warnings]).toEqual([
    snapshot,
    [expect.stringContaining(`The snapshot ${snapshot} was taken with another workspace`)],
  ]);
  // The guide, and the category page that lists it: rows of pages have no date.
  expect(latest.index.counts).toMatchObject({ new: 0, changed: 2, deleted: 0 });
  expect((await site.backUp({ encryption })).warnings).toEqual([]);
  await readAll(site);
});

it("warns once when the recipients change, and names the recipients of each snapshot", async () => {
  const site = await encrypted();
  const { encryption } = site;
  await site.backUp({ encryption });
  const recipients = [...encryption.recipients, await identityToRecipient(await generateX25519Identity())];
  const other = encryptTo(recipients);
  const changed = await site.backUp({ encryption: other });
  expect(changed.warnings).toEqual([
    expect.stringMatching(
      new RegExp(`recipients changed.*encrypted for ${encryption.recipients[0]}, this one for .*${recipients[1]}`),
    ),
  ]);
  expect((await site.backUp({ encryption: other })).warnings).toEqual([]);
});

it("is never followed by an unencrypted snapshot", async () => {
  const site = await encrypted();
  await site.backUp({ encryption: site.encryption });
  const before = readdirSync(site.folder);
  await expect(site.backUp()).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/is encrypted, and this one/),
  });
  expect(readdirSync(site.folder)).toEqual(before);
});

it("a backup killed after the rename of its archive is recognised without a key, by the record in the workspace", async () => {
  const site = await encrypted();
  const { encryption } = site;
  const { index } = await site.backUp({ encryption });
  // As a kill leaves it between the rename of the main archive and the record that the archive exists.
  const workspace = await openWorkspace(site.workspace, { create: false, command: "test" });
  const known = [...workspace.items.entries()].flatMap(({ key }) => {
    const item = workspace.archived.item(key);
    const medium = workspace.archived.medium(item?.content ?? "");
    return item === undefined ? [] : [{ key, item, medium }];
  });
  workspace.archived.clear();
  workspace.archived.begin(index.snapshot);
  workspace.archived.adding((add) => {
    for (const { key, item, medium } of known) {
      add.item(key, { ...item, archive: "" });
      if (medium !== undefined) add.medium(item.content ?? "", { ...medium, archive: "" });
    }
  });
  workspace.archived.place(() => index.archives.at(-1)?.name ?? "");
  await workspace.close();
  const second = await site.backUp({ encryption });
  expect(second.index).toMatchObject({
    complete: true,
    counts: { new: 0, changed: 0, deleted: 0, media: 13, newMedia: 0 },
  });
  await readAll(site);
});
