import fc from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { readXml } from "../../../transforms/xml/read-xml.js";
import { escapeXml } from "../../../transforms/xml/xml-document.js";
import { documentOf, type Short, shortOf } from "./read.js";

const NAMES = ["a", "guide", "Step-1", "_x", "größe", "toString", "__proto__", "constructor"] as const;
const name = fc.constantFrom(...NAMES);
/** Text that XML can hold: no control characters, no lone halves of pairs. */
const words = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom("<", ">", "&", '"', "'", " ", "\n", "]", "-", "é", "😀", "#"),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  })
  .map((text) => text.replace(/[^\t\n -~é😀]/gu, ""));

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Node | Words)[];
}
interface Words {
  readonly text: string;
  readonly as: "text" | "cdata" | "numbers" | "comment";
}

const { node } = fc.letrec<{ node: Node; child: Node | Words }>((tie) => ({
  node: fc.record({
    name,
    attributes: fc.dictionary(name, words, { maxKeys: 3, noNullPrototype: true }),
    children: fc.array(tie("child"), { maxLength: 4, depthIdentifier: "xml" }),
  }),
  child: fc.oneof(
    { depthSize: "small", depthIdentifier: "xml" },
    fc.record({
      text: words,
      as: fc.constantFrom("text" as const, "cdata" as const, "numbers" as const, "comment" as const),
    }),
    tie("node"),
  ),
}));

const PRINTERS: Readonly<Record<Words["as"], (text: string) => string>> = {
  text: escapeXml,
  cdata: (text) => `<![CDATA[${text.replaceAll("]]>", "")}]]>`,
  numbers: (text) => [...text].map((character) => `&#${character.codePointAt(0)};`).join(""),
  comment: (text) => `<!--${text.replaceAll("-", "")}--><?x ${text.replaceAll("?", "")}?>`,
};

function print(node: Node | Words): string {
  if ("as" in node) return PRINTERS[node.as](node.text);
  const attributes = Object.entries(node.attributes).map(
    ([key, value]) => ` ${key}='${escapeXml(value).replaceAll("'", "&#39;")}'`,
  );
  const inner = node.children.map(print).join("");
  return inner === ""
    ? `<${node.name}${attributes.join("")}/>`
    : `<${node.name}${attributes.join("")}>${inner}</${node.name}>`;
}

/**
 * What must come back: neighbouring texts joined, comments gone, white space in attributes spaces.
 */
function expected(node: Node): Short {
  const children: Short[] = [];
  for (const child of node.children) {
    const last = children.at(-1);
    const next = "as" in child ? held(child) : expected(child);
    if (typeof next === "string" && typeof last === "string") children.splice(-1, 1, last + next);
    else if (next !== "") children.push(next);
  }
  const attributes = Object.entries(node.attributes).map(([key, value]) => [key, value.replace(/[\n\t]/g, " ")]);
  return [node.name, Object.fromEntries(attributes), ...children];
}

function held({ text, as }: Words): string {
  if (as === "comment") return "";
  return as === "cdata" ? text.replaceAll("]]>", "") : text;
}

describe("any well-formed document", () => {
  it("passes the gate and comes back as it was", () => {
    fc.assert(
      fc.property(node, (root) => {
        expect(shortOf(documentOf(print(root)).root)).toEqual(expected(root));
      }),
      { numRuns: 300 },
    );
  });
});

describe("any damaged document", () => {
  const marks = fc.constantFrom(
    "<",
    ">",
    "&",
    "'",
    '"',
    "/",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "</a>",
    "<a>",
    "&#",
    ";",
    "\0",
    "=",
    "<!DOCTYPE",
  );
  const damage = fc.record({ at: fc.nat(), remove: fc.nat({ max: 5 }), insert: fc.oneof(fc.constant(""), marks) });

  it("is read or refused with a place inside of the file, never thrown about", () => {
    fc.assert(
      fc.property(node, fc.array(damage, { minLength: 1, maxLength: 4 }), (root, edits) => {
        let text = print(root);
        for (const { at, remove, insert } of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + insert + text.slice(from + remove);
        }
        const result = readXml(text, { file: "a.xml" });
        const lines = text.split("\n").length;
        if (result.ok) expect(XMLValidator.validate(text)).toBe(true);
        else expect(result.fault.line).toBeLessThanOrEqual(lines);
        if (!result.ok) expect(result.fault.code).not.toBe("xml-disagreement");
      }),
      { numRuns: 1500 },
    );
  });

  it("is read or refused, also as bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const result = readXml(bytes, { file: "a.xml" });
        expect(result.ok || result.fault.message.startsWith("a.xml:")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
