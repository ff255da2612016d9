import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import { storageAt } from "../../../../src/storage/repository/files/open-storage.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { describeStorage } from "../storage-contract.js";

async function newFolder(): Promise<string> {
  return join(await temporaryFolder(), "repository");
}

describeStorage("a local folder", async () => {
  const folder = await newFolder();
  return { open: async () => new LocalFolder(folder) };
});

describe("a local folder", () => {
  it("is created for its owner only, and goes when no repository came into being", async () => {
    const folder = await newFolder();
    const storage = new LocalFolder(folder);
    await expect(storage.list()).rejects.toMatchObject({ name: "ArchiveError", exitCode: 10 });
    const taken = await storage.acquire("test");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    mkdirSync(join(folder, "workspace"));
    expect(await storage.list()).toEqual([{ name: "workspace", bytes: null }]);
    if ("lease" in taken) await taken.lease.abandon();
    expect(existsSync(folder)).toBe(false);
  });

  it("stays when it was there before", async () => {
    const folder = await newFolder();
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const taken = await new LocalFolder(folder).acquire("test");
    if ("lease" in taken) await taken.lease.abandon();
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it("removes the temporary files of killed runs, and no note of a run that lives", async () => {
    const folder = await newFolder();
    mkdirSync(folder);
    const running = `proven.json.${process.pid}.new`;
    for (const name of [".guideferry-abc-def-1-x", "proven.json.999999999.new", running, "other.bin"])
      writeFileSync(join(folder, name), "");
    const storage = new LocalFolder(folder);
    expect((await storage.removeLeftovers()).toSorted()).toEqual([
      ".guideferry-abc-def-1-x",
      "proven.json.999999999.new",
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(["other.bin", running].toSorted());
    expect((await storage.list()).map(({ name }) => name)).toEqual(["other.bin"]);
  });
});

describe("the address of a repository", () => {
  it("is the path of a folder, or the same as file:///", async () => {
    const folder = join(await newFolder(), "with space");
    expect((await storageAt(folder)).folder).toBe(folder);
    expect(await storageAt(pathToFileURL(folder).href)).toMatchObject({ folder, address: folder });
  });

  it.each(["file://elsewhere.example/backups", "file:///a%2Fb"])("is never %s", async (address) => {
    await expect(storageAt(address)).rejects.toMatchObject({ name: "UsageError", exitCode: 2 });
  });
});
