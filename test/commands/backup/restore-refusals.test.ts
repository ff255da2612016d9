import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.js";
import { threeNights } from "../../helpers/daily-backups.js";
import { runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** Nobody listens there: whoever asked it would end with 9. */
const NOBODY = "http://127.0.0.1:9";

describe("a choice that names nothing in the snapshot", () => {
  it.each([
    ["a folder", "restore", "--include", "guide/999"],
    ["a site", "restore", "--include", "No such category/**"],
    ["a site, foreseen", "restore", "--dry-run", "--only", "video"],
    ["a drill", "drill", "--include", "guide/999"],
  ])("ends with 10 before anything is made or asked: %s", async (goal, command, ...choice) => {
    const { folder } = await threeNights();
    const to = join(await temporaryFolder(), "out");
    const where = command === "drill" ? [] : [goal === "a folder" ? to : NOBODY];
    const { code, stderr } = await runHere([command, folder, ...where, ...choice], {
      environment: { GUIDEFERRY_TARGET_TOKEN: "t" },
    });
    expect([code, stderr]).toEqual([10, expect.stringMatching(/No item of the snapshot \d{8}T\d{6}Z matches --/)]);
    expect([existsSync(to), existsSync(`${folder}-restore`)]).toEqual([false, false]);
  });
});

describe("texts in the clear", () => {
  it("lie nowhere that nobody named, nor among encrypted archives", async () => {
    const identity = await generateX25519Identity();
    const { folder } = await threeNights({ recipients: [await identityToRecipient(identity)] });
    const key = join(await temporaryFolder(), "key.txt");
    await writeFile(key, `${identity}\n`);
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const before = readdirSync(folder);
    const words = ["restore", folder, sandbox.url, "--identity", key];
    const environment = { GUIDEFERRY_TARGET_TOKEN: sandbox.token };
    const unnamed = await runHere(words, { environment });
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringMatching(/texts unencrypted.*--workspace DIR/s)]);
    const inside = await runHere([...words, "--workspace", join(folder, "workspace")], { environment });
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining("is inside the repository")]);
    expect([readdirSync(folder), existsSync(`${folder}-restore`)]).toEqual([before, false]);
  });

  it("do not come into a repository as the goal of a restore, from it or from one of its archives", async () => {
    const { folder } = await threeNights();
    const before = readdirSync(folder);
    const [archive = ""] = before.filter((name) => name.endsWith(".full.zip"));
    for (const from of [folder, join(folder, archive)]) {
      const { code, stderr } = await runHere(["restore", from, join(folder, "out")]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("is inside the repository")]);
    }
    expect(readdirSync(folder)).toEqual(before);
  });
});
