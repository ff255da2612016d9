import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { FIRST, PICTURE, SECOND, threeNights } from "../helpers/daily-backups.js";
import { sha256Of } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("guideferry cat", () => {
  it("writes an item as it is stored, as it was at a time", async () => {
    const { folder, rows } = await threeNights();
    const { code, stdout, stderr } = await runCli(["cat", folder, "guide/1", "--at", "2026-11-01"]);
    expect([code, stderr]).toEqual([0, ""]);
    const row = rows.get(FIRST)?.items.find(({ key }) => key === "guide/1");
    expect(row).toMatchObject({ sha256: sha256Of(Buffer.from(stdout)) });
    const later = await runCli(["cat", folder, "guide/1", "--at", SECOND]);
    expect(JSON.parse(later.stdout)).toMatchObject({ key: "guide/1", revision: "2" });
  });

  it("writes the answer, the text, or the bytes", async () => {
    const { folder } = await threeNights();
    const at = ["--at", FIRST];
    const answer = await runCli(["cat", folder, "guide/1", "--show", "answer", ...at]);
    expect(JSON.parse(answer.stdout)).toEqual({ guideid: 1, revisionid: 1 });
    expect((await runCli(["cat", folder, "guide/1", "--show", "text", ...at])).stdout).toMatch(
      /^= Loom =\n[\s\S]*^\* Oil it$/m,
    );
    const bytes = PICTURE.toString("utf8");
    expect((await runCli(["cat", folder, "image/5"])).stdout).toBe(bytes);
    expect((await runCli(["cat", folder, sha256Of(PICTURE)])).stdout).toBe(bytes);
    expect(JSON.parse((await runCli(["cat", folder, "image/5", "--show", "item"])).stdout)).toMatchObject({
      key: "image/5",
    });
  });

  it.each([
    [["guide/1"], 10, /was deleted before the snapshot 20261103T030000Z\. Use --at with an earlier time/],
    [["guide/3", "--at", "2026-11-01"], 10, /did not exist in any snapshot until then/],
    [["f".repeat(64)], 10, /has no media file f{64}\./],
    [["guide/2", "--show", "bytes"], 2, /it has no bytes/],
    [["nonsense"], 2, /is neither a key nor a sha256/],
    [["guide/2", "--at", "2026-10-01"], 10, /Existing snapshots: 20261101T030000Z/],
    [["guide/2", "--at", "soon"], 2, /is not a time/],
  ])("ends %j with %d and says why", async (words, code, message) => {
    const { folder } = await threeNights();
    expect(await runCli(["cat", folder, ...words])).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringMatching(message),
    });
  });

  it("writes nothing of bytes that are damaged, and ends with 6", async () => {
    const { folder, indexes } = await threeNights();
    const file = join(folder, indexes.get(FIRST)?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    const at = bytes.indexOf(PICTURE);
    bytes[at + 9] = (bytes[at + 9] ?? 0) ^ 4;
    await writeFile(file, bytes);
    const damaged = await runCli(["cat", folder, "image/5"]);
    expect(damaged).toMatchObject({
      code: 6,
      stdout: "",
      stderr: expect.stringMatching(/is damaged[\s\S]*guideferry repair/),
    });
    await rm(file);
    expect(await runCli(["cat", folder, "guide/2"])).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/is missing/),
    });
  });

  it("opens an encrypted one with an identity or the passphrase, and says with 2 when that is missing or wrong", async () => {
    const identity = await generateX25519Identity();
    const { folder } = await threeNights({ recipients: [await identityToRecipient(identity)] });
    const keys = join(await temporaryFolder(), "key.txt");
    await writeFile(keys, `# created: now\n# public key: ${await identityToRecipient(identity)}\n${identity}\n`);
    const opened = await runCli(["cat", folder, "guide/2", "--identity", keys]);
    expect([opened.code, JSON.parse(opened.stdout).key]).toEqual([0, "guide/2"]);
    expect(await runCli(["cat", folder, "guide/2"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--identity FILE/),
    });
    const other = join(await temporaryFolder(), "other.txt");
    await writeFile(other, await generateX25519Identity());
    expect(await runCli(["cat", folder, "guide/2", "--identity", other])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/none of the given keys/),
    });
    await writeFile(other, "AGE-SECRET-KEY-1BROKEN");
    const broken = await runCli(["cat", folder, "guide/2", "--identity", other]);
    expect([broken.code, broken.stderr]).toEqual([2, expect.not.stringMatching(/BROKEN/)]);
    await writeFile(other, await identityToRecipient(identity));
    expect(await runCli(["cat", folder, "guide/2", "--identity", other])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/recipient/),
    });
    const sealed = await threeNights({ passphrase: "eight words" });
    const environment = { GUIDEFERRY_PASSPHRASE: "eight words" };
    expect((await runCli(["cat", sealed.folder, "guide/2"], { environment })).code).toBe(0);
  });
});
