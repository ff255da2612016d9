import { expect, it } from "vitest";
import { InlineStyle } from "../../../src/web/components/page-frame.js";

it("takes a stylesheet as it stands, and none that would end its element", () => {
  expect(String(InlineStyle({ css: "a > b { content: '&' }" }))).toBe("<style>a > b { content: '&' }</style>");
  expect(() => String(InlineStyle({ css: "</style><script>" }))).toThrow(TypeError);
});
