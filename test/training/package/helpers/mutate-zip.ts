import fc from "fast-check";

/**
 * One change of some bytes; places are shares of the length, so that every change fits every
 * archive.
 */
export type Change =
  | { readonly kind: "flip"; readonly at: number; readonly bits: number }
  | { readonly kind: "cut"; readonly from: number; readonly to: number }
  | { readonly kind: "splice"; readonly from: number; readonly length: number; readonly at: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | {
      readonly kind: "field";
      readonly signature: number;
      readonly which: number;
      readonly offset: number;
      readonly width: 1 | 2 | 4;
      readonly value: number;
    };

/**
 * An entry's own header, the list's, the end, zip64's record and locator, the sizes behind a
 * content (APPNOTE 4.3).
 */
const SIGNATURES = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50, 0x08074b50] as const;
const VALUES = [
  0, 1, 2, 8, 9, 0x7f, 0x80, 0xff, 0x800, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

const share = fc.double({ min: 0, max: 1, noNaN: true });

export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: share, bits: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("cut" as const), from: share, to: share }),
  fc.record({ kind: fc.constant("splice" as const), from: share, length: fc.integer({ min: 1, max: 400 }), at: share }),
  fc.record({ kind: fc.constant("insert" as const), at: share, bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("field" as const),
      signature: fc.constantFrom(...SIGNATURES),
      which: fc.nat(20),
      offset: fc.integer({ min: 0, max: 60 }),
      width: fc.constantFrom(1 as const, 2 as const, 4 as const),
      value: fc.oneof(fc.constantFrom(...VALUES), fc.integer({ min: 0, max: 0xffffffff })),
    }),
  },
);

export function mutateZip(bytes: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce(applied, bytes);
}

function applied(bytes: Buffer, one: Change): Buffer {
  const place = (part: number): number => Math.min(bytes.length, Math.floor(part * (bytes.length + 1)));
  if (one.kind === "cut") {
    const [from, to] = [place(Math.min(one.from, one.to)), place(Math.max(one.from, one.to))];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.min(to, from + 2000))]);
  }
  if (one.kind === "insert") return inserted(bytes, place(one.at), Buffer.from(one.bytes));
  if (one.kind === "splice") {
    const from = place(one.from);
    return inserted(bytes, place(one.at), bytes.subarray(from, from + one.length));
  }
  const changed = Buffer.from(bytes);
  if (one.kind === "flip") {
    const at = place(one.at);
    if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ one.bits;
    return changed;
  }
  const at = headerAt(bytes, one.signature, one.which);
  if (at === undefined || at + one.offset + one.width > bytes.length) return changed;
  changed.writeUIntLE(one.value % 256 ** one.width, at + one.offset, one.width);
  return changed;
}

function inserted(bytes: Buffer, at: number, more: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

/** Where the n-th header of a kind stands, counted round. */
function headerAt(bytes: Buffer, signature: number, which: number): number | undefined {
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32LE(signature);
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) places.push(at);
  return places[which % Math.max(1, places.length)];
}
