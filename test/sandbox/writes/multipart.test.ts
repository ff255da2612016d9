import fc from "fast-check";
import { expect, it } from "vitest";
import { boundaryOf, onePart } from "../../../src/sandbox/writes/training-package.js";

/** A body cut into pieces of these lengths, over and over. */
async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function read(bytes: Uint8Array, boundary: string, lengths: readonly number[]) {
  const part = await onePart(cut(bytes, lengths), boundary);
  const pieces: Uint8Array[] = [];
  for await (const piece of part.bytes) pieces.push(piece);
  return { name: part.name, filename: part.filename, content: Buffer.concat(pieces) };
}

/** Contents that are full of what a boundary begins with. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(fc.constantFrom("\r", "\n", "\r\n", "-", "--", "\r\n-", "\r\n--", "\r\n--b", "b"), { maxLength: 60 })
    .map((parts) => Uint8Array.from(Buffer.from(parts.join("")))),
);
const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

it("a form comes out as it went in, however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(content, fc.string({ unit: "grapheme", minLength: 1 }), lengths, async (bytes, filename, cuts) => {
      const form = new FormData();
      form.append("file", new File([new Uint8Array(bytes)], filename));
      const response = new Response(form);
      const boundary = boundaryOf(response.headers.get("content-type") ?? "") ?? "";
      const body = new Uint8Array(await response.arrayBuffer());
      const seen = await read(body, boundary, cuts);
      expect({ ...seen, content: [...seen.content] }).toEqual({ name: "file", filename, content: [...bytes] });
    }),
  );
});

it("a form with a short boundary is never ended by its content", async () => {
  await fc.assert(
    fc.asyncProperty(content, lengths, async (bytes, cuts) => {
      fc.pre(!Buffer.from(bytes).includes("\r\n--b"));
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--b--\r\n")]);
      expect((await read(body, "b", cuts)).content.equals(bytes)).toBe(true);
    }),
  );
});

it("a form that stops anywhere before its end is refused", async () => {
  const body = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nknots\r\n--b--');
  for (let length = 0; length < body.length; length += 1) {
    await expect(read(body.subarray(0, length), "b", [7]), `${length} bytes`).rejects.toMatchObject({ status: 400 });
  }
  expect((await read(body, "b", [7])).content.toString()).toBe("knots");
});

it("a boundary is found in quotes, without, and behind other parameters", () => {
  const types = [
    "multipart/form-data; boundary=a1",
    'multipart/form-data;boundary="a1"',
    "Multipart/Form-Data; charset=utf-8; Boundary=a1",
  ];
  expect(types.map(boundaryOf)).toEqual(["a1", "a1", "a1"]);
  expect(["application/zip", "multipart/form-data", "multipart/mixed; boundary=a1", ""].map(boundaryOf)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
