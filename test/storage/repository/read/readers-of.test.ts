import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, test } from "vitest";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import type { SnapshotIndex } from "../../../../src/storage/repository/format.js";
import { readersOf } from "../../../../src/storage/repository/read/byte-source.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

const NAME = "site.example-20261120T030000Z.full.zip.age";

async function readers(
  encrypter: Encrypter,
  {
    identities = [],
    passphrase = null,
  }: { readonly identities?: readonly string[]; readonly passphrase?: string | null },
) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, NAME), await encrypter.encrypt("a zip"));
  const index = { archives: [{ name: NAME }] } as unknown as SnapshotIndex;
  return readersOf(new LocalFolder(folder), index, new RepositoryKeys({ identities, passphrase }));
}

async function forAll(identities: readonly string[]): Promise<Encrypter> {
  const encrypter = new Encrypter();
  for (const identity of identities) encrypter.addRecipient(await identityToRecipient(identity));
  return encrypter;
}

test("recipients are known when the identities of all of them are there", async () => {
  const [mine, yours, another] = await Promise.all([1, 2, 3].map(() => generateX25519Identity()));
  if (mine === undefined || yours === undefined || another === undefined) throw new Error("no keys");
  const [me, you] = [await identityToRecipient(mine), await identityToRecipient(yours)];
  const both = await forAll([mine, yours]);
  expect(await readers(await forAll([mine]), { identities: [another, mine, mine] })).toEqual({
    by: "recipients",
    recipients: [me],
  });
  expect(await readers(both, { identities: [mine, yours] })).toEqual({ by: "recipients", recipients: [me, you] });
  expect(await readers(both, { identities: [yours, another] })).toEqual({ by: "others", count: 2, known: 1 });
  expect(await readers(both, { identities: [another], passphrase: "x" })).toEqual({ by: "others", count: 2, known: 0 });
});

test("a passphrase counts when it is the one of the archive", async () => {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(8);
  encrypter.setPassphrase("weft");
  expect(await readers(encrypter, { passphrase: "weft" })).toEqual({ by: "passphrase" });
  const others = { by: "others", count: 1, known: 0 };
  expect(await readers(encrypter, { passphrase: "warp" })).toEqual(others);
  expect(await readers(encrypter, { identities: [await generateX25519Identity()] })).toEqual(others);
});
