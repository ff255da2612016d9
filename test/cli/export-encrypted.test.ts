import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";
import { guideItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { zipBytes } from "../storage/archive/helpers/zip-bytes.js";

it("an encrypted export is restored under any name, and what hides inside age is refused as it is outside", async () => {
  const directory = await temporaryFolder();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeFile(join(directory, "key.txt"), `${identity}\n`);
  const maker = await makeRepository(join(directory, "repo"), { recipients: [recipient] });
  await maker.add({ snapshot: "20261101T030000Z", items: [guideItem(1), guideItem(2)], media: [Buffer.from("one")] });
  const run = (...words: readonly string[]) => runCli(words, { directory });
  const key = ["--identity", "key.txt"] as const;
  for (const name of ["site.zip.age", "mine.age", "plainly-named.zip"]) {
    expect((await run("export", "repo", "-o", name, "--encrypt-to", recipient, ...key)).code).toBe(0);
    const without = await run("restore", name, "./without");
    expect([name, without.code, without.stderr]).toEqual([name, 2, expect.stringContaining("--identity FILE")]);
    const restored = await run("restore", name, `./${name}-out`, ...key);
    expect([name, restored.code, restored.stderr]).toEqual([name, 0, expect.not.stringContaining("E_ZIP")]);
    expect(readdirSync(join(directory, `${name}-out`, "items", "guide")).length).toBeGreaterThan(0);
  }
  const hostile = zipBytes([
    { name: "manifest.json", content: "{}" },
    { name: "../../evil.sh", content: "evil" },
  ]);
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  await writeFile(join(directory, "theirs.zip"), hostile);
  await writeFile(join(directory, "theirs.zip.age"), await encrypter.encrypt(hostile));
  const [plain, encrypted] = [
    await run("restore", "theirs.zip", "./theirs"),
    await run("restore", "theirs.zip.age", "./theirs", ...key),
  ];
  expect([plain.code, plain.stderr]).toEqual([6, expect.stringMatching(/is refused.*\n.*E_ZIP_PATH_TRAVERSAL/)]);
  const wordsOf = ({ stderr }: typeof plain): string => stderr.replace(/^\S+ /, "").replaceAll("zip.age", "zip");
  expect([encrypted.code, wordsOf(encrypted)]).toEqual([6, wordsOf(plain)]);
  expect([existsSync(join(directory, "theirs")), existsSync(join(directory, "without"))]).toEqual([false, false]);
});
