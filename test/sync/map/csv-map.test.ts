import fc from "fast-check";
import { expect, it } from "vitest";
import { csvMap, jsonMap } from "../../../src/sync/map/map-files.js";
import type { MovedThing } from "../../../src/sync/map/moved-things.js";

const HEAD = ["kind", "key", "title", "old_id", "old_address", "new_id", "new_address", "adopted"];

function thing(title: string): MovedThing {
  const addresses = { oldAddress: null, newAddress: "https://new.example/Info/x" };
  return {
    kind: "wiki",
    key: `wiki/INFO/${title}`,
    title,
    oldId: `INFO/${title}`,
    newId: "INFO/x",
    adopted: true,
    ...addresses,
  };
}

/** RFC 4180: CR LF ends a record, quotes hold anything, and two of them are one. */
function records(csv: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (let rest = csv; rest !== ""; ) {
    const [whole, quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`no CSV: ${JSON.stringify(rest.slice(0, 60))}`);
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") rows.push([]);
    rest = rest.slice(whole.length);
  }
  return rows.slice(0, -1);
}

const TITLE = fc.oneof(
  fc.constantFrom(
    '=HYPERLINK("x")',
    "+1",
    "-1",
    "@x",
    "\t=1",
    "＝1",
    'a "b", c',
    "two\r\nlines",
    "cr\ronly",
    "",
    "\u0085\u202e\u200b",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

it("is CSV for any title, and no cell is a formula", () => {
  fc.assert(
    fc.property(fc.array(TITLE, { maxLength: 5 }), (titles) => {
      const [head, ...rows] = records([...csvMap(titles.map(thing))].join(""));
      expect(head).toEqual(HEAD);
      expect(rows.map((row) => row.length)).toEqual(titles.map(() => HEAD.length));
      for (const [at, [, , cell = ""]] of rows.entries()) {
        expect([titles[at], `'${titles[at]}`]).toContain(cell);
        expect(cell).not.toMatch(/^[=+\-@\t\r＝]/);
      }
    }),
  );
});

it("is one JSON object a line for any title, which says the same", () => {
  fc.assert(
    fc.property(TITLE, (title) => {
      const [line = "", ...more] = [...jsonMap([thing(title)])];
      expect([more.length, line.split("\n").length, /[\p{Cc}\p{Cf}]/u.test(line.trimEnd())]).toEqual([0, 2, false]);
      expect(JSON.parse(line)).toEqual({ type: "address", ...thing(title) });
    }),
  );
});
