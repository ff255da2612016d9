import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  readFolder,
  readGoalRepository,
  readPlace,
  readRepository,
  readSite,
  readSource,
  refuseInside,
  refuseSameSite,
  rootOf,
} from "../../src/commands/location.js";
import { refuseSameIdentity } from "../../src/commands/migration/steps.js";
import { UsageError } from "../../src/core/errors.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("a place", () => {
  it("is a site when it begins like an address, else a folder", () => {
    expect(readPlace("https://site.example", false)).toEqual({ site: "https://site.example/api/2.0" });
    expect(readPlace("http://127.0.0.1:4000/api/2.0/", false)).toEqual({ site: "http://127.0.0.1:4000/api/2.0" });
    expect(readPlace("./work", false)).toEqual({ workspace: resolve("work") });
  });

  it.each(["C:\\backups", "c:/backups", "C:", "\\\\server\\share", "C://backups"])(
    "is a folder for %s, a path of Windows",
    (path) => {
      expect(readPlace(path, false)).toEqual({ workspace: resolve(path) });
      expect(() => readSource(path, false)).toThrow(`The file or folder ${path} does not exist`);
      expect(() => readSite(path, false)).toThrow(`${path} looks like a folder`);
    },
  );

  it("is a path, not the address of a file", () => {
    expect(() => readSite("file:///C:/manual.omanual", false)).toThrow("Write its path, without file://.");
  });

  it("that looks like a host is asked back", () => {
    expect(() => readPlace("site.example", false)).toThrow("write https://site.example");
    expect(() => readFolder("site.example:8080/api/2.0")).toThrow("write https://site.example:8080/api/2.0");
  });

  it("must be a folder where only a folder will do, and a site where only a site will do", () => {
    expect(() => readFolder("https://site.example")).toThrow(/This command needs a workspace folder/);
    expect(() => readSite(tmpdir(), false)).toThrow(/this command needs the address of a site/);
  });

  it("in the clear is refused unless that is allowed, and never repeats a password", () => {
    expect(() => readSite("http://site.example", false)).toThrow(/--insecure-http/);
    expect(readSite("http://site.example", true)).toBe("http://site.example/api/2.0");
    expect(() => readSite("https://me:f00d@site.example", false)).toThrow(UsageError);
    expect(() => readSite("https://me:f00d@site.example", false)).not.toThrow(/f00d/);
  });
});

describe("a repository as a place", () => {
  it("is a folder: a file of it, such as an archive, is refused with the name of the folder", async () => {
    const folder = await temporaryFolder();
    const archive = join(folder, "20261128T010000Z-full.zip");
    await writeFile(archive, "");
    const call = { output: { note: () => undefined, warn: () => undefined } };
    for (const text of [archive, pathToFileURL(archive).href]) {
      await expect(readRepository(text)).rejects.toThrow(`${text} is a file, but this command needs a repository`);
      await expect(readGoalRepository(text, call)).rejects.toThrow(`Name the folder: ${folder}`);
    }
    expect(await readRepository(folder)).toMatchObject({ folder });
    expect(await readGoalRepository(join(folder, "new"), call)).toMatchObject({ folder: join(folder, "new") });
    await expect(readGoalRepository("backup.example", call)).rejects.toThrow("write https://backup.example");
  });
});

describe("documents as a place", () => {
  it("are files that are named so, and folders that are no workspace", async () => {
    const folder = await temporaryFolder();
    for (const name of ["a.omanual", "b.ZIP", "c.xml", "d.oman"]) {
      await writeFile(join(folder, name), "");
      expect(readSource(join(folder, name), false)).toEqual({ documents: join(folder, name) });
    }
    expect(readPlace(folder, false)).toEqual({ documents: folder });
    await writeFile(join(folder, "workspace.json"), "{}");
    expect(readPlace(folder, false)).toEqual({ workspace: folder });
    expect(() => readSource(folder, false)).toThrow(/is a workspace, but this command needs a source/);
  });

  it("are told from an empty folder, which becomes a workspace", async () => {
    const folder = await temporaryFolder();
    expect(readPlace(folder, false)).toEqual({ workspace: folder });
  });

  it("that are not there are named with what was expected", async () => {
    const picture = join(await temporaryFolder(), "picture.png");
    await writeFile(picture, "");
    expect(() => readSource("missing.omanual", false)).toThrow(/missing\.omanual does not exist/);
    expect(() => readSource("./missing", false)).toThrow(/The file or folder \.\/missing does not exist/);
    expect(() => readSource(picture, false)).toThrow(
      /expected a package or document \(\.omanual, \.zip, \.xml, \.oman\)/,
    );
    expect(readSource("site.example", false)).toEqual({ site: "https://site.example/api/2.0" });
  });

  it("have a root by their name, and hold no workspace", async () => {
    const folder = await temporaryFolder();
    expect(rootOf({ documents: "/elsewhere/Spinning wheel.omanual" })).toBe("documents:Spinning%20wheel");
    expect(() => refuseInside({ documents: folder }, join(folder, "work"))).toThrow(
      /Name another folder with --workspace/,
    );
    expect(() => refuseInside({ documents: join(folder) }, `${folder}-work`)).not.toThrow();
  });
});

describe("source and target", () => {
  it("must be two sites", () => {
    const root = "https://site.example/api/2.0";
    expect(() => refuseSameSite(root, root)).toThrow(UsageError);
    expect(() => refuseSameSite(root, "https://other.example/api/2.0")).not.toThrow();
  });

  it("must be two also where one site has two addresses", () => {
    const old = identity("https://old.example", "7", ["old.example", "docs.example"]);
    const docs = identity("https://docs.example", "7", ["docs.example", "old.example"]);
    expect(() => refuseSameIdentity(old, docs)).toThrow(/two addresses of the same site/);
    expect(() => refuseSameIdentity(old, { ...docs, siteId: "8" })).not.toThrow();
    expect(() => refuseSameIdentity({ ...old, siteId: null }, { ...docs, siteId: null })).not.toThrow();
    expect(() => refuseSameIdentity(old, identity("https://new.example", "7", ["new.example"]))).not.toThrow();
  });

  it("may be two sandboxes with one content", () => {
    const hosts = ["127.0.0.1", "loomworks.example"];
    const one = identity("http://127.0.0.1:4000", "1", hosts);
    expect(() => refuseSameIdentity(one, identity("http://127.0.0.1:4001", "1", hosts))).not.toThrow();
  });
});

function identity(origin: string, siteId: string, hosts: readonly string[]): SiteIdentity {
  const rest = { name: "Site", dialect: "dozuki", language: "en", languages: ["en"], account: null } as const;
  return { root: `${origin}/api/2.0`, origin, siteId, hosts, ...rest };
}
