import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { parseLocation } from "../../../src/service/http/address.js";

const strict = { insecureHttp: false };

describe("parseLocation", () => {
  it.each([
    ["https://site.example/api/2.0", "https://site.example/api/2.0"],
    ["https://site.example/api/2.0/", "https://site.example/api/2.0"],
    ["https://site.example", "https://site.example/api/2.0"],
    ["https://site.example/", "https://site.example/api/2.0"],
    ["https://site.example/api", "https://site.example/api/2.0"],
    ["  HTTPS://Site.Example/api/2.0 ", "https://site.example/api/2.0"],
    ["site.example", "https://site.example/api/2.0"],
    ["site.example:8443/api/2.0", "https://site.example:8443/api/2.0"],
    ["https://site.example/docs/api/2.0", "https://site.example/docs/api/2.0"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/api/2.0"],
    ["http://localhost:8080/api/2.0", "http://localhost:8080/api/2.0"],
    ["http://[::1]:8080", "http://[::1]:8080/api/2.0"],
    ["localhost:8080", "http://localhost:8080/api/2.0"],
    ["127.0.0.1:8080", "http://127.0.0.1:8080/api/2.0"],
    ["[::1]:8080", "http://[::1]:8080/api/2.0"],
  ])("reads %s as %s", (text, root) => {
    expect(parseLocation(text, strict)).toEqual({ root, origin: new URL(root).origin });
  });

  it.each([
    ["", /not the address/],
    ["two words", /not the address/],
    ["https://", /not the address/],
    ["http", /not the address/],
    ["https:", /not the address/],
    ["ftp://site.example", /not a scheme/],
    ["file:///etc/passwd", /not a scheme/],
    ["https://site.example/Guide/Bread/5", /not an API root/],
    ["https://site.example/api/1.1", /not an API root/],
    ["https://site.example/api/2.0?x=1", /not an API root/],
    ["https://site.example/api/2.0#x", /not an API root/],
    ["http://site.example/api/2.0", /--insecure-http/],
    ["http://127.0.0.1.site.example/api/2.0", /--insecure-http/],
    ["http://localhost.site.example/api/2.0", /--insecure-http/],
  ])("refuses %j", (text, reason) => {
    expect(() => parseLocation(text, strict)).toThrow(UsageError);
    expect(() => parseLocation(text, strict)).toThrow(reason);
  });

  it("takes plain http to another machine where it is allowed", () => {
    const { root } = parseLocation("http://site.example", { insecureHttp: true });
    expect(root).toBe("http://site.example/api/2.0");
  });

  it.each([
    "https://alice:open-sesame@site.example",
    "https://open-sesame@site.example/",
    "alice:open-sesame@site.example:x",
    "https://alice:open-sesame@site example",
  ])("refuses a user name or password without repeating it", (text) => {
    const refuse = () => parseLocation(text, strict);
    expect(refuse).toThrow(UsageError);
    expect(refuse).not.toThrow(/open-sesame/);
  });
});
