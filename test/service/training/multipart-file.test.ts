import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multipartFile } from "../../../src/service/training/module-site.js";
import { uploadOf } from "./helpers/module-site.js";
import "../../helpers/seed.js";

describe("a form with a package", () => {
  it("is read back by another implementation, whatever its name and bytes are", async () => {
    const anything = fc.record({
      name: fc.oneof(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.constantFrom('a"b.zip', "a\r\nX: 1", "日本.zip", "a%22.zip", "a\\"),
      ),
      bytes: fc.uint8Array({ maxLength: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(anything, async ({ name, bytes }) => {
        const form = multipartFile("file", "application/zip", uploadOf(Buffer.from(bytes), name));
        const content = form.open();
        const body = Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray());
        expect(body.length).toBe(form.size);
        const parsed = await new Response(body, { headers: { "content-type": form.type } }).formData();
        const file = parsed.get("file");
        if (!(file instanceof File)) throw new Error("no file came out");
        expect([...parsed.keys()]).toEqual(["file"]);
        expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(bytes));
        expect(decoded(file.name)).toBe(decoded(escaped(name)));
      }),
      { numRuns: 60 },
    );
  });
});

/** What this implementation may leave escaped (WHATWG) or not: both are the same name. */
function decoded(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

function escaped(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the form can't hold
  return Buffer.from(name.replace(/["\u0000-\u001f\u007f]/g, encodeURIComponent)).toString();
}
