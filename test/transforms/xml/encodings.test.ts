import { describe, expect, it } from "vitest";
import { decodeXml } from "../../../transforms/xml/decode-bytes.js";
import { documentOf, faultOf, shortOf } from "./read.js";

const WORDS = "<a>Größe – 図</a>";

function utf16(text: string, { big = false, mark = true } = {}): Uint8Array {
  const bytes = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
  return big ? bytes.swap16() : bytes;
}

function declared(encoding: string, text: string): string {
  return `<?xml version="1.0" encoding="${encoding}"?>${text}`;
}

describe("the encodings", () => {
  it.each([
    ["UTF-8 without a word about it", Buffer.from(WORDS)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${WORDS}`)],
    ["UTF-8 declared in another spelling", Buffer.from(declared("utf8", WORDS))],
    ["UTF-16, little end first", utf16(declared("UTF-16", WORDS))],
    ["UTF-16, big end first", utf16(declared("UTF-16", WORDS), { big: true })],
    ["UTF-16 without a byte order mark", utf16(declared("UTF-16LE", WORDS), { mark: false })],
  ])("%s is read", (_name, bytes) => {
    const { root, notes } = documentOf(bytes);
    expect(shortOf(root)).toEqual(["a", {}, "Größe – 図"]);
    expect(notes).toEqual([]);
  });

  it.each([
    ["declared", declared("UTF-16", WORDS)],
    ["not declared", WORDS],
  ])("notes UTF-16 without its byte order mark, %s", (_name, text) => {
    const { root, notes } = documentOf(utf16(text, { mark: false }));
    expect(shortOf(root)).toEqual(["a", {}, "Größe – 図"]);
    expect(notes.map(({ code }) => code)).toEqual(["xml-byte-order-mark-missing"]);
  });

  it("reads a declared single-byte encoding", () => {
    const bytes = Buffer.from(declared("ISO-8859-1", "<a>Größe</a>"), "latin1");
    expect(shortOf(documentOf(bytes).root)).toEqual(["a", {}, "Größe"]);
  });

  it("reads ASCII as the part of UTF-8 that it is", () => {
    expect(shortOf(documentOf(Buffer.from(declared("US-ASCII", WORDS))).root)).toEqual(["a", {}, "Größe – 図"]);
  });

  it("believes the bytes where the declaration cannot be true, and notes it", () => {
    const { root, notes } = documentOf(Buffer.from(declared("UTF-16", WORDS)));
    expect(shortOf(root)).toEqual(["a", {}, "Größe – 図"]);
    expect(notes.map(({ code }) => code)).toEqual(["xml-encoding-differs"]);
    const marked = documentOf(Buffer.from(`\ufeff${declared("ISO-8859-1", WORDS)}`));
    expect(marked.notes.map(({ code }) => code)).toEqual(["xml-encoding-differs"]);
  });

  it("says where a byte is of another encoding", () => {
    const bytes = Buffer.concat([Buffer.from("<a>\n<b>Gr"), Buffer.from([0xf6]), Buffer.from("e</b></a>")]);
    expect(faultOf(bytes)).toMatchObject({ code: "xml-encoding", line: 2, column: 6 });
  });

  it.each([
    ["an unknown name", Buffer.from(declared("klingon-8", "<a/>"))],
    ["UTF-7", Buffer.from(declared("UTF-7", "<a/>"))],
    ["UTF-32", Buffer.from([0x00, 0x00, 0xfe, 0xff, 0, 0, 0, 0x3c])],
    ["EBCDIC", Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93])],
    ["UTF-16 that is cut in a character", utf16(WORDS).subarray(0, 9)],
  ])("refuses %s", (_name, bytes) => {
    expect(faultOf(bytes).code).toBe("xml-encoding");
  });

  it("takes text that is decoded already at its word, whatever it declares", () => {
    expect(shortOf(documentOf(declared("UTF-16", WORDS)).root)).toEqual(["a", {}, "Größe – 図"]);
  });

  it("are read without a change of line ends for who mends a text", () => {
    const text = "<a>\r\nGröße\r</a>\n";
    expect(decodeXml(utf16(text), { file: "a.xml" })).toEqual({ ok: true, text, encoding: "utf-16le", notes: [] });
    const bytes = Buffer.concat([Buffer.from("<a>\r\nGr"), Buffer.from([0xf6]), Buffer.from("e</a>")]);
    expect(decodeXml(bytes, { file: "a.xml" })).toMatchObject({
      ok: false,
      fault: { code: "xml-encoding", file: "a.xml", line: 2, column: 3 },
    });
  });
});
