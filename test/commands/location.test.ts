import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder, readPlace, readSite, refuseSameIdentity, refuseSameSite } from "../../src/commands/location.js";
import type { SiteIdentity } from "../../src/contracts.js";
import { UsageError } from "../../src/errors.js";

describe("a place", () => {
  it("is a site when it begins like an address, else a folder", () => {
    expect(readPlace("https://site.example", false)).toEqual({ site: "https://site.example/api/2.0" });
    expect(readPlace("http://127.0.0.1:4000/api/2.0/", false)).toEqual({ site: "http://127.0.0.1:4000/api/2.0" });
    expect(readPlace("./work", false)).toEqual({ workspace: resolve("work") });
  });

  it("that looks like a host is asked back", () => {
    expect(() => readPlace("site.example", false)).toThrow("write https://site.example");
    expect(() => readFolder("site.example:8080/api/2.0")).toThrow("write https://site.example:8080/api/2.0");
  });

  it("must be a folder where only a folder will do, and a site where only a site will do", () => {
    expect(() => readFolder("https://site.example")).toThrow(/A workspace folder is needed here/);
    expect(() => readSite(tmpdir(), false)).toThrow(/the address of a site is needed here/);
  });

  it("in the clear is refused unless that is allowed, and never repeats a password", () => {
    expect(() => readSite("http://site.example", false)).toThrow(/--insecure-http/);
    expect(readSite("http://site.example", true)).toBe("http://site.example/api/2.0");
    expect(() => readSite("https://me:f00d@site.example", false)).toThrow(UsageError);
    expect(() => readSite("https://me:f00d@site.example", false)).not.toThrow(/f00d/);
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
    expect(() => refuseSameIdentity(old, docs)).toThrow(/two addresses of one site/);
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
