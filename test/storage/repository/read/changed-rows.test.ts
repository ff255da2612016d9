import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type RowChange, type RowsBefore, readChangedRows } from "../../../../src/storage/repository/read/rows.js";
import "../../../helpers/seed.js";

const shape = z.object({
  key: z.string(),
  title: z.string(),
  modified: z.int(),
  read: z.int().optional(),
  sha256: z.string(),
});
type Row = z.infer<typeof shape>;

const keyOf = ({ key }: Row): string => key;
const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: "grapheme", maxLength: 3 }),
  fc.constantFrom(',"read":1', ',"read":', "\\", '"', "7", '","read":3,"'),
);
const row = fc.record(
  { key: text, title: text, modified: fc.nat(30), read: fc.nat(1200), sha256: fc.constantFrom("a0", "a9", "b") },
  { requiredKeys: ["key", "title", "modified", "sha256"] },
);
const list = fc.uniqueArray(row, { selector: keyOf, maxLength: 9 }).map(sorted);
const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });

/**
 * A night's rows, and those of the night after: some gone, some new, some other, all of them
 * compared again.
 */
const nights = fc
  .tuple(
    list,
    list,
    fc.array(fc.constantFrom("stays", "goes", "is other", "is edited", "is read"), { minLength: 9, maxLength: 9 }),
  )
  .map(([before, more, fates]) => {
    const after = new Map(more.map((one) => [one.key, one]));
    for (const [at, one] of before.entries()) {
      const fate = fates[at];
      if (fate === "goes") after.delete(one.key);
      else if (fate === "is other") after.set(one.key, { ...one, title: `${one.title}.` });
      else if (fate === "is edited") after.set(one.key, { ...one, modified: one.modified + 1 });
      else after.set(one.key, fate === "is read" && one.read !== undefined ? { ...one, read: one.read * 37 } : one);
    }
    return { before, after: sorted([...after.values()]) };
  });

function sorted(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function line({ key, title, modified, read, sha256 }: Row): string {
  return `${JSON.stringify({ key, title, modified, ...(read === undefined ? {} : { read }), sha256 })}\n`;
}

async function* pieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function factsOf(bytes: Buffer) {
  return { count: bytes.toString().split("\n").length - 1, sha256: createHash("sha256").update(bytes).digest("hex") };
}

interface Read {
  readonly changes: readonly RowChange<Row>[];
  /** Rows that were parsed. */
  readonly parsed: number;
}

async function changesOf(before: string | null, after: string, lengths: readonly number[] = [64]): Promise<Read> {
  let parsed = 0;
  const schema = shape.refine(() => {
    parsed += 1;
    return true;
  });
  const [old, bytes] = [before === null ? null : Buffer.from(before), Buffer.from(after)];
  const rowsBefore: RowsBefore<Row> | null = old === null ? null : { ...factsOf(old), pieces: pieces(old, lengths) };
  const changes: RowChange<Row>[] = [];
  const all = readChangedRows(
    pieces(bytes, lengths),
    rowsBefore,
    { schema, keyOf },
    { name: "rows", ...factsOf(bytes) },
  );
  for await (const change of all) changes.push(change);
  return { changes, parsed };
}

/** The same but for `read`, where both have one. */
function saysSame(one: Row, other: Row): boolean {
  const isComparable = (one.read === undefined) === (other.read === undefined);
  return isComparable && line({ ...one, read: one.read && 1 }) === line({ ...other, read: other.read && 1 });
}

describe("the rows that are other than the night before", () => {
  it("are those, each with its pair, in their order, however the bytes arrive, and nothing else is parsed", async () => {
    await fc.assert(
      fc.asyncProperty(nights, cuts, async ({ before, after }, lengths) => {
        const keys = [...new Set([...before, ...after].map(keyOf))].toSorted((one, other) => (one < other ? -1 : 1));
        const wanted = keys.flatMap((key) => {
          const [old, now] = [before.find((one) => one.key === key), after.find((one) => one.key === key)];
          return old !== undefined && now !== undefined && saysSame(old, now) ? [] : [{ before: old, after: now }];
        });
        const { changes, parsed } = await changesOf(before.map(line).join(""), after.map(line).join(""), lengths);
        expect(changes).toEqual(wanted);
        // Of both sides, and once more what stands before a change, for the order.
        const sides = changes.reduce((sum, one) => sum + (one.before ? 1 : 0) + (one.after ? 1 : 0), 0);
        expect(parsed).toBeLessThanOrEqual(2 * sides + 2 * changes.length);
      }),
    );
  });

  it("are three of a thousand, and so many are parsed", async () => {
    const rows = sorted(
      Array.from({ length: 1000 }, (_, at) => ({ key: `guide/${at}`, title: "t", modified: 3, read: at, sha256: "a" })),
    );
    const next = rows.map((one, at) => ({ ...one, read: 5000 + at, title: at % 400 === 7 ? "other" : "t" }));
    const { changes, parsed } = await changesOf(rows.map(line).join(""), next.map(line).join(""), [700]);
    expect([changes.length, parsed]).toEqual([3, 9]);
    expect((await changesOf(null, next.map(line).join(""))).parsed).toBe(1000);
    const same = next.map(line).join("");
    expect(await changesOf(same, same)).toEqual({ changes: [], parsed: 0 });
  });

  const good = [1, 2, 3, 4].map((at) => line({ key: `guide/${at}`, title: "t", modified: 3, read: 5, sha256: "a" }));
  const [one = "", two = "", three = "", four = ""] = good;

  it.each([
    ["one out of its order behind those that are the same", [one, three, two.replace('"t"', '"u"'), four]],
    ["one that stands behind its place", [two, one.replace('"t"', '"u"'), three, four]],
    ["one that is the same and there twice", [one, two, two, three, four]],
    ["one that is the same, behind its place", [one, three, two, four]],
    ["one that is no row", [one, "half\n", three, four]],
    ["one with another time than a number", [one, two.replace('"read":5', '"read":"x"'), three, four]],
    ["one with a number that JSON has not", [one, two.replace('"read":5', '"read":05'), three, four]],
    ["one with a number that is no whole one", [one, two.replace('"read":5', '"read":5.5'), three, four]],
    ["one with a number that is too large", [one, two.replace('"read":5', `"read":${"9".repeat(17)}`), three, four]],
    ["one without an end", [one, two, three, four.trimEnd()]],
  ])("are refused with %s", async (_name, rows) => {
    await expect(changesOf(good.join(""), rows.join(""))).rejects.toMatchObject({ exitCode: 6 });
  });

  it("are refused when they are not as many as their manifest says, or others, also where all are the same", async () => {
    const bytes = Buffer.from(good.join(""));
    const facts = factsOf(bytes);
    const read = async (own: Buffer, said: typeof facts, before: typeof facts): Promise<void> => {
      const rows = { ...before, pieces: pieces(bytes, [9]) };
      for await (const _ of readChangedRows(
        pieces(own, [9]),
        rows,
        { schema: shape, keyOf },
        { name: "rows", ...said },
      ));
    };
    await expect(read(bytes, facts, facts)).resolves.toBeUndefined();
    const other = { ...facts, sha256: "0".repeat(64) };
    await expect(read(bytes, other, facts)).rejects.toThrow(/sha256/);
    await expect(read(bytes, { ...facts, count: 5 }, facts)).rejects.toThrow(/4 rows/);
    await expect(read(bytes.subarray(0, -3), facts, facts)).rejects.toThrow(/sha256/);
    await expect(read(Buffer.from(good.slice(1).join("")), facts, facts)).rejects.toThrow(/sha256/);
  });
});
