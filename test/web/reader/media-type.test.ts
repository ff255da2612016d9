import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import { mediaTypeOf } from "../../../src/web/reader/media-type.js";
import { pngOf } from "../../helpers/png.js";

describe("the type of a content", () => {
  it.each([
    ["jpg", "image", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ["png", "image", pngOf(1, 1)],
    ["gif", "image", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1")],
    ["webp", "image", Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1")],
    ["avif", "image", Buffer.from("\0\0\0\x1cftypavif\0\0\0\0", "latin1")],
    ["bmp", "image", Buffer.from("BM\x46\0\0\0\0\0\0\0\x36\0\0\0", "latin1")],
    ["mp4", "video", Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0", "latin1")],
    ["webm", "video", Buffer.from("\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", "latin1")],
    ["ogv", "video", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("\x80theora", "latin1")])],
    ["ogg", "audio", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("\x01vorbis", "latin1")])],
    ["mp3", "audio", Buffer.from("ID3\x04\0\0", "latin1")],
    ["pdf", "pdf", Buffer.from("%PDF-1.7\n")],
  ])("is %s by its first bytes, and shown as %s, whatever its name says", (extension, shown, bytes) => {
    expect(mediaTypeOf(bytes, "page.html")).toMatchObject({ extension, shown });
  });

  it.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "a.svg"],
    ["SVG that is named as a picture", '<?xml version="1.0"?><svg/>', "a.png"],
    ["HTML", "<!DOCTYPE html><script>alert(1)</script>", "a.html"],
    ["a script", "alert(1)", "a.js"],
    ["XML", '<?xml version="1.0"?><x/>', "a.xml"],
    ["nothing", "", "a.gif"],
    ["a Matroska that is no WebM", "\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska", "a.webm"],
    ["a picture behind something else", " \x89PNG\r\n\x1a\n", "a.png"],
  ])("is a download for %s", (_what, text, name) => {
    expect(mediaTypeOf(Buffer.from(text, "latin1"), name)).toEqual({
      extension: "bin",
      shown: "download",
      contentType: "application/octet-stream",
    });
  });

  it("keeps the extension of a download that no browser runs", () => {
    const zip = Buffer.from("PK\x03\x04", "latin1");
    expect(
      ["plan.DOCX", "part.step", "x.tar.gz", "a.zip", null].map((name) => mediaTypeOf(zip, name).extension),
    ).toEqual(["docx", "step", "gz", "zip", "bin"]);
  });

  it.each([
    "<!doctype html><script>1</script>",
    " \n\t<svg onload=1>",
    "\xef\xbb\xbf<html>",
    `${" ".repeat(70)}<script>`,
    "",
  ])("keeps no extension that servers know no type for where a browser may find a page: %j", (text) => {
    const bytes = Buffer.from(text, "latin1");
    for (const name of ["a.gcode", "a.stl", "a.md"]) expect(mediaTypeOf(bytes, name).extension).toBe("bin");
    expect(mediaTypeOf(bytes, "a.csv").extension).toBe("csv");
  });

  it.each(["avif", "isom", "M4A "])(
    "takes no page for a film or picture that has the name of its family: %s",
    (brand) => {
      const page = Buffer.from(`<!--ftyp${brand}--><script>`, "latin1");
      expect(mediaTypeOf(page, "a.mp4")).toMatchObject({ shown: "download", extension: "bin" });
    },
  );

  it("is never one that a browser runs, whatever the bytes and the name are", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.string().map((text) => Buffer.from(text)),
    );
    const name = fc.option(
      fc.oneof(
        fc.string(),
        fc.constantFrom("svg", "html", "xhtml", "js", "xml", "swf", "hta").map((end) => `a.${end}`),
      ),
    );
    fc.assert(
      fc.property(bytes, name, (head, fileName) => {
        const { contentType, extension } = mediaTypeOf(head, fileName);
        expect(contentType).not.toMatch(/html|xml|svg|script|text/);
        expect(extension).toMatch(/^[a-z0-9_]{1,10}$/);
        expect(extension).not.toMatch(/^(?:[sx]?html?|svgz?|xml|m?js|mhtml|swf|hta|xsl)$/);
      }),
    );
  });
});
