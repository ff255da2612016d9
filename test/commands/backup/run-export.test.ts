import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { threeNights } from "../../helpers/daily-backups.js";
import { runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

async function sealedNights() {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const directory = await temporaryFolder();
  const key = join(directory, "key.txt");
  await writeFile(key, `${identity}\n`);
  const { folder } = await threeNights({ recipients: [recipient] });
  return { directory, folder, key, recipient };
}

describe("guideferry export", () => {
  it("writes nothing in the clear under a name that says it is encrypted", async () => {
    const { directory, folder, key } = await sealedNights();
    const plain = await threeNights();
    for (const words of [
      ["export", folder, "--identity", key],
      ["export", plain.folder],
    ]) {
      const goal = join(directory, "site.zip.AGE");
      const { code, stderr } = await runHere([...words, "-o", goal]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--encrypt-to.*GUIDEFERRY_PASSPHRASE/)]);
      expect(existsSync(goal)).toBe(false);
    }
  });

  it("warns that what was encrypted will lie in the clear, and only then", async () => {
    const { directory, folder, key, recipient } = await sealedNights();
    const words = ["export", folder, "--identity", key, "-o"];
    const clear = await runHere([...words, join(directory, "clear.zip"), "--quiet"]);
    expect([clear.code, clear.stderr]).toEqual([0, expect.stringMatching(/not in .*clear\.zip.*--encrypt-to/)]);
    const sealed = await runHere([...words, join(directory, "site.zip.age"), "--encrypt-to", recipient, "--quiet"]);
    expect([sealed.code, sealed.stderr]).toEqual([0, ""]);
    const plain = await threeNights();
    const same = await runHere(["export", plain.folder, "-o", join(directory, "plain.zip"), "--quiet"]);
    expect([same.code, same.stderr]).toEqual([0, ""]);
  });
});
