import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { isLoopback, isPublic, literalAddress } from "../../../src/service/http/address.js";

describe("isPublic", () => {
  it.each([
    "93.184.216.34",
    "1.1.1.1",
    "2606:4700::1111",
    "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
    "2002:5db8:d822::1",
  ])("takes %s for an address of the internet", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::1",
    "2002:a00:1::",
    "2001::1",
    "2001:db8::1",
    "100::1",
  ])("takes %s for one that no stranger's content may lead to", (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe("literalAddress", () => {
  it.each([
    ["http://2130706433/", "127.0.0.1"],
    ["http://0x7f.1/", "127.0.0.1"],
    ["http://0177.0.0.01/", "127.0.0.1"],
    ["http://127.1/", "127.0.0.1"],
    ["http://[::FFFF:127.0.0.1]/", "::ffff:7f00:1"],
    ["http://１２７.0.0.1/", "127.0.0.1"],
  ])("sees through the odd notation of %s", (text, address) => {
    expect(literalAddress(new URL(text).hostname)).toBe(address);
  });

  it.each(["site.example", "site.example.", "10.0.0.1.example", "1.2.3.4a", "localhost", "cafe", ""])(
    "takes the name %j for no address",
    (name) => {
      expect(literalAddress(name)).toBeUndefined();
    },
  );

  it("finds each address that its library finds", () => {
    const notations = [
      "127.1",
      "0x7f000001",
      "0X7F.1",
      "2130706433",
      "017700000001",
      "::1",
      "cafe::a",
      "::ffff:10.0.0.1",
    ];
    for (const text of notations) expect(literalAddress(text)).toBe(text);
    const part = fc.stringMatching(/^[0-9a-fx:.%]{0,12}$/);
    fc.assert(
      fc.property(part, (text) => {
        expect(literalAddress(text)).toBe(ipaddr.isValid(text) ? text : undefined);
      }),
    );
  });
});

describe("isLoopback", () => {
  it.each(["localhost", "localhost.", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "[::ffff:7f00:1]"])(
    "knows %s",
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(["localhost.example", "mylocalhost", "10.0.0.1", "[::2]", "site.example"])(
    "does not take %s for it",
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
