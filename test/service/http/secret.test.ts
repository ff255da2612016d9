import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, passwordsIn, Secret } from "../../../src/service/http/secret.js";

describe("Secret", () => {
  it("shows itself to nobody who doesn't ask for it", () => {
    const secret = new Secret("hush-hush-123");
    const shown = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      Object.keys(secret).join(),
    ].join("\n");
    expect(shown).not.toContain("hush");
    expect(secret.reveal()).toBe("hush-hush-123");
  });
});

describe("createRedactor", () => {
  const secretText = fc.string({ minLength: 4, maxLength: 40, unit: "binary" });

  it("finds a secret in plain, URL-encoded, form, JSON and base64 form, whatever stands around it", () => {
    fc.assert(
      fc.property(secretText, fc.string(), fc.string(), (value, before, after) => {
        const { redact } = createRedactor([new Secret(value)]);
        const encoded = encodeURIComponent(value);
        const lowerCase = encoded.replace(/%../g, (code) => code.toLowerCase());
        for (const form of [value, encoded, lowerCase, JSON.stringify(value).slice(1, -1)]) {
          const safe = redact(`${before}${form}${after}`);
          expect(safe).toContain("[secret]");
        }
      }),
    );
  });

  it("finds a secret inside the base64 of something longer, such as user:password", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 8, maxLength: 40 }), fc.string({ maxLength: 7 }), (value, user) => {
        const { redact } = createRedactor([new Secret(value)]);
        for (const encoding of ["base64", "base64url"] as const) {
          const header = Buffer.from(`${user}:${value}:end`).toString(encoding);
          expect(redact(header)).toContain("[secret]");
        }
      }),
    );
  });

  it("hides what is added later", () => {
    const redactor = createRedactor([]);
    expect(redactor.redact("token 0123456789abcdef")).toContain("0123456789abcdef");
    redactor.add(new Secret("0123456789abcdef"));
    expect(redactor.redact("token 0123456789abcdef")).toBe("token [secret]");
  });

  it("hides the longer of two secrets whole when one contains the other", () => {
    const { redact } = createRedactor([new Secret("pass"), new Secret("password-long")]);
    expect(redact("it is password-long")).toBe("it is [secret]");
  });

  it("leaves a text without secrets as it is", () => {
    const { redact } = createRedactor([new Secret("hush-hush-123")]);
    expect(redact("GET https://site.example/api/2.0/guides/5")).toBe("GET https://site.example/api/2.0/guides/5");
  });
});

it("whom a look-up by e-mail address is about is hidden in every line", () => {
  const { redact } = createRedactor([]);
  const line =
    'GET https://site.example/api/2.0/users/email/ann%40looms.example 404, "https://site.example/users/email/a@b?c=d"';
  expect(redact(line)).toBe(
    'GET https://site.example/api/2.0/users/email/[e-mail] 404, "https://site.example/users/email/[e-mail]?c=d"',
  );
});

it.each([
  ["postgres://ann:s%40me@host/db", ["s%40me", "s@me"]],
  ["postgres://ann:50%x@host/db", ["50%x"]],
  ["postgres://ann@host/db", []],
  ["no address", []],
])("the passwords in %s are %j", (address, passwords) => {
  expect(passwordsIn(address).map((secret) => secret.reveal())).toEqual(passwords);
});
