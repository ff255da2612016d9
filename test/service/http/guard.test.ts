import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { FerryError, RefusedAddressError } from "../../../src/core/errors.js";
import { createAddressGuard } from "../../../src/service/http/address-guard.js";
import { failureOf } from "../helpers/test-stack.js";

const PUBLIC = "93.184.216.34";

/**
 * Answers with the addresses of a table; a list is used up one address a look-up, its last one
 * stays.
 */
function table(hosts: Readonly<Record<string, string | readonly string[]>>): LookupFunction {
  const asked = new Map<string, number>();
  return (hostname, _, callback) => {
    const entry = hosts[hostname];
    if (entry === undefined) {
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }), "");
      return;
    }
    const count = asked.get(hostname) ?? 0;
    asked.set(hostname, count + 1);
    const address = typeof entry === "string" ? entry : (entry[Math.min(count, entry.length - 1)] ?? "");
    callback(
      null,
      address.split(" ").map((one) => ({ address: one, family: one.includes(":") ? 6 : 4 })),
    );
  };
}

type Hosts = Readonly<Record<string, string | readonly string[]>>;

function guardOf(
  site: string,
  hosts: Hosts = {},
  more: { readonly proxied?: boolean; allowed?: readonly string[] } = {},
) {
  const { proxied = false, allowed = [] } = more;
  const lookup = table({ "site.example": PUBLIC, ...hosts });
  return createAddressGuard({ site: new URL(site), proxied, lookup, allowed: new Set(allowed) });
}

function look(lookup: LookupFunction, hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve(typeof found === "string" ? [found] : found.map(({ address }) => address));
    });
  });
}

describe("the guard of a public site", () => {
  const site = "https://site.example/api/2.0";

  it.each([
    "https://cdn.example/a.png",
    "https://93.184.216.34/a.png",
    "https://[2606:4700::1111]/a.png",
    "https://site.example/a.png",
  ])("lets %s pass", async (address) => {
    await guardOf(site).check(new URL(address));
  });

  it.each([
    "https://127.0.0.1/a.png",
    "https://2130706433/a.png",
    "https://0x7f000001/a.png",
    "https://0177.1/a.png",
    "https://localhost/a.png",
    "https://intern.localhost./a.png",
    "https://0.0.0.0/a.png",
    "https://10.1.2.3/a.png",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/a.png",
    "https://[::]/a.png",
    "https://[fd00::1]/a.png",
    "https://[fe80::1]/a.png",
    "https://[::ffff:10.0.0.1]/a.png",
    "https://[64:ff9b::a00:1]/a.png",
  ])("refuses %s", async (address) => {
    const failure = await failureOf(guardOf(site).check(new URL(address)));
    expect(failure).toBeInstanceOf(FerryError);
    expect(failure).toMatchObject({ retriable: false, exitCode: 3 });
    expect(failure.message).toMatch(/not on the public internet/);
  });

  it.each([
    "http://cdn.example/a.png",
    "ftp://cdn.example/a.png",
    "file:///etc/passwd",
    "data:text/plain,x",
    "blob:https://x/y",
  ])("refuses the scheme of %s", async (address) => {
    expect((await failureOf(guardOf(site).check(new URL(address)))).message).toMatch(/over https only/);
  });

  it("refuses an address with a password in it, without repeating it", async () => {
    const failure = await failureOf(guardOf(site).check(new URL("https://ann:sesame@cdn.example/a.png")));
    expect(failure.message).toMatch(/user name or password/);
    expect(failure.message).not.toMatch(/sesame/);
  });

  it.each(["127.0.0.1", "10.0.0.1", "::1", "::ffff:192.168.0.1", "100.64.0.1"])(
    "connects to no host that leads to %s",
    async (address) => {
      const guard = guardOf(site, { "evil.example": address });
      await guard.check(new URL("https://evil.example/a.png"));
      const failure = await failureOf(look(guard.lookup, "evil.example"));
      expect(failure.message).toBe(
        `evil.example (${address}) is not on the public internet. Content of a site must not make guideferry read from its own network, so guideferry does not fetch it. Correct the address on the site. If guideferry may read from that host, allow it with --allow-private-media evil.example.`,
      );
    },
  );

  it("connects to the public one where a host has both, and hands on what the resolver says", async () => {
    const guard = guardOf(site, { "both.example": `10.0.0.1 ${PUBLIC} ::1` });
    expect(await look(guard.lookup, "both.example")).toEqual([PUBLIC]);
    expect((await failureOf(look(guard.lookup, "unknown.example"))).message).toMatch(/ENOTFOUND/);
  });

  it("is not opened by a site whose name leads to a private address for a moment", async () => {
    const guard = guardOf(site, { "site.example": ["10.0.0.1", PUBLIC, "10.0.0.1"] });
    expect(await look(guard.siteLookup, "site.example")).toEqual(["10.0.0.1"]);
    expect(await look(guard.siteLookup, "site.example")).toEqual([PUBLIC]);
    expect((await failureOf(look(guard.siteLookup, "site.example"))).message).toMatch(/Now it resolves to 10.0.0.1/);
    expect((await failureOf(guard.check(new URL("https://10.0.0.7/a.png")))).message).toMatch(/not on the public/);
  });

  it("is not opened by a site that has a public address beside its private one", async () => {
    const guard = guardOf(site, { "site.example": `10.0.0.1 ${PUBLIC}` });
    await look(guard.siteLookup, "site.example");
    expect(await failureOf(guard.check(new URL("https://10.0.0.7/a.png")))).toBeInstanceOf(FerryError);
  });

  it("asks the local resolver too behind a proxy, and leaves what that doesn't know to the proxy", async () => {
    const guard = guardOf(site, { "evil.example": "10.0.0.1" }, { proxied: true });
    expect(await failureOf(guard.check(new URL("https://evil.example/a.png")))).toBeInstanceOf(FerryError);
    await guard.check(new URL("https://only-the-proxy-knows.example/a.png"));
  });
});

describe("the guard of a private site", () => {
  const LOOPBACK = ["http://127.0.0.1:8080/api/2.0", "http://localhost/api/2.0", "http://[::1]:8080/api/2.0"];

  it.each(LOOPBACK)("on this machine lets other ports of it pass for %s", async (site) => {
    const guard = guardOf(site, { "cdn.inside": "127.0.0.1" });
    for (const host of ["127.0.0.1", "[::1]", "localhost", "127.9.9.9", "[::ffff:127.0.0.1]"]) {
      await guard.check(new URL(`http://${host}:9999/a.png`));
    }
    expect(await look(guard.lookup, "cdn.inside")).toEqual(["127.0.0.1"]);
  });

  it.each([...LOOPBACK, "https://10.0.0.5/api/2.0", "https://[fd00::5]/api/2.0"])(
    "lets no other private address pass for %s",
    async (site) => {
      const guard = guardOf(site, { "cdn.inside": "10.0.0.9" });
      const elsewhere = ["10.9.9.9", "169.254.169.254", "192.168.0.1", "[fd00::9]", "[fe80::1]"];
      const loopback = LOOPBACK.includes(site) ? [] : ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"];
      for (const host of [...elsewhere, ...loopback]) {
        const failure = await failureOf(guard.check(new URL(`https://${host}/a.png`)));
        expect(failure.message, host).toMatch(/not on the public internet/);
      }
      expect(await failureOf(look(guard.lookup, "cdn.inside"))).toBeInstanceOf(RefusedAddressError);
      expect(await failureOf(look(guard.lookup, "169.254.169.254"))).toBeInstanceOf(RefusedAddressError);
    },
  );

  it("knows where it is by the address that its name leads to", async () => {
    const guard = guardOf("https://site.inside/api/2.0", { "site.inside": "10.0.0.5", "cdn.inside": "10.0.0.5" });
    expect(await failureOf(guard.check(new URL("https://10.0.0.5/a.png")))).toBeInstanceOf(FerryError);
    await look(guard.siteLookup, "site.inside");
    await guard.check(new URL("https://10.0.0.5:8443/a.png"));
    expect(await look(guard.lookup, "cdn.inside")).toEqual(["10.0.0.5"]);
    expect(await failureOf(guard.check(new URL("https://10.0.0.6/a.png")))).toBeInstanceOf(FerryError);
  });

  it("takes plain http only where the site itself has it, or is this machine", async () => {
    await guardOf("http://site.example/api/2.0").check(new URL("http://cdn.example/a.png"));
    await guardOf("https://localhost/api/2.0").check(new URL("http://cdn.example/a.png"));
    const failure = await failureOf(guardOf("https://10.0.0.5/api/2.0").check(new URL("http://10.0.0.5/a.png")));
    expect(failure.message).toMatch(/over https only/);
  });
});

describe("a host that a person allows", () => {
  it("is asked at whatever address it has, over http too, and no other host is", async () => {
    const hosts = { "cdn.inside": "10.0.0.9", "evil.example": "10.0.0.9" };
    const guard = guardOf("https://site.example/api/2.0", hosts, { allowed: ["cdn.inside", "10.0.0.7"] });
    await guard.check(new URL("http://cdn.inside/a.png"));
    await guard.check(new URL("https://10.0.0.7/a.png"));
    expect(await look(guard.lookup, "cdn.inside")).toEqual(["10.0.0.9"]);
    expect(await look(guard.lookup, "10.0.0.7")).toEqual(["10.0.0.7"]);
    expect(await failureOf(look(guard.lookup, "evil.example"))).toBeInstanceOf(RefusedAddressError);
    expect(await failureOf(guard.check(new URL("https://10.0.0.8/a.png")))).toBeInstanceOf(RefusedAddressError);
    expect((await failureOf(guard.check(new URL("ftp://cdn.inside/a.png")))).message).toMatch(/over https only/);
  });
});
