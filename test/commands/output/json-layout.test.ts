import fc from "fast-check";
import { expect, it } from "vitest";
import { laidOut } from "../../../src/commands/tools/api.js";

it("lays JSON out as JavaScript would", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, given) => {
      expect(laidOut(JSON.stringify(value, null, given))).toBe(`${JSON.stringify(value, null, 2)}\n`);
    }),
  );
});

it("keeps numbers and texts as they are written", () => {
  expect(laidOut('{"id":12345678901234567890,"n":[1.0,-2E3],"t":"\\u00e4 \\"{[:,]}\\\\"}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "n": [\n    1.0,\n    -2E3\n  ],\n  "t": "\\u00e4 \\"{[:,]}\\\\"\n}\n',
  );
});
