import { describe, expect, it } from "vitest";
import { messageOf } from "../../../src/service/http/status-error.js";

describe("what a site says in an error", () => {
  it.each([
    ["its message", { message: "Guide not found." }, "Guide not found."],
    ["in old answers, msg", { msg: "No app id" }, "No app id"],
    [
      "with the complaints of a 422",
      { message: "Invalid", errors: [{ field: "title", index: 0, message: "is empty" }, "too long", { code: "E1" }] },
      "Invalid; title 1: is empty; too long; E1",
    ],
    [
      "with the privileges that are missing",
      { message: "No", requiredPrivileges: ["Admin", "Editor"] },
      "No; needs Admin or Editor",
    ],
  ])("is %s", (_, body, message) => {
    expect(messageOf(body)).toBe(message);
  });

  it.each([
    [
      "an element",
      '<?xml version="1.0"?>\n<error><message>Guide &lt;7&gt; &amp;\n isn&#39;t here</message></error>',
      "Guide <7> & isn't here",
    ],
    ["an attribute", "<error code='404' message='Not \"here\"'/>", 'Not "here"'],
    ["CDATA", "<response><msg><![CDATA[A & B <c>]]></msg></response>", "A & B <c>"],
    [
      "a list, in elements or attributes",
      '<response><message>Invalid</message><errors><error><field>title</field><message>is empty</message></error><error field="type" message="is unknown"/><error>too long</error></errors></response>',
      "Invalid; title: is empty; type: is unknown; too long",
    ],
    ["a list alone", "<errors><error>Too long</error></errors>", "Too long"],
  ])("is in XML %s", (_, body, message) => {
    expect(messageOf(body)).toBe(message);
  });

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["no message", { status: 404 }],
    ["words", "Bad gateway"],
    ["a web page", "<!DOCTYPE html><html><title>502</title><body message='x'></body></html>"],
    ["a web page that is XML", "<?xml version='1.0'?><html><message>x</message></html>"],
    ["XML that says nothing", "<error><status>404</status></error>"],
  ])("is unknown for %s", (_, body) => {
    expect(messageOf(body)).toBeUndefined();
  });

  it("is one line that no terminal obeys, and not endless", () => {
    expect(messageOf({ message: "a\u001b[31m\n\tb" })).toBe("a [31m b");
    expect(messageOf(`<error><message>${"x".repeat(5000)}</message></error>`)).toBe(`${"x".repeat(300)}…`);
  });

  it("is looked for in hostile XML without delay", () => {
    for (const piece of ["<errors>", "<errors><a>", "<message", "<![CDATA[", '<a a="', "&amp;"]) {
      expect(messageOf(`<error>${piece.repeat(200_000)}`)).toBeUndefined();
    }
  });
});
