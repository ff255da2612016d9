import { expect, it } from "vitest";
import { hideTokens } from "../../../src/service/http/raw-call.js";

it.each([
  ['{"authToken":"abc","userid":7}', '{"authToken":"[secret]","userid":7}'],
  ['{"auth_token" : "a\\"b", "x":1}', '{"auth_token" : "[secret]", "x":1}'],
  ['{"Password":"p", "api_key":"k","apiKey":"k"}', '{"Password":"[secret]", "api_key":"[secret]","apiKey":"[secret]"}'],
  ['{"sessionid":"s","refresh-token":"r"}', '{"sessionid":"[secret]","refresh-token":"[secret]"}'],
])("hides what is named for a secret in %s", (text, safe) => {
  expect(hideTokens(text)).toBe(safe);
});

it.each([
  '{"title":"My password: abc"}',
  '{"token":""}',
  '{"tokens":["a"]}',
  "no JSON: token",
  '{"step":"\\"token\\": x"}',
])("leaves %s as it is", (text) => {
  expect(hideTokens(text)).toBe(text);
});
