import { describe, expect, it } from "vitest";
import { isOwnHost } from "../../../src/web/components/http.js";

describe("a Host header", () => {
  it.each(["127.0.0.1:4080", "localhost:80", "LocalHost", "[::1]:1"])("%s names this machine", (host) => {
    expect(isOwnHost(host)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:4080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "evil.example#localhost",
    "0.0.0.0:4080",
    "127.0.0.1:4080, evil.example",
    "127.0.0.1\nevil.example",
  ])("%s does not", (host) => {
    expect(isOwnHost(host)).toBe(false);
  });
});
