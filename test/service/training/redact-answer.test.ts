import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdNumbers, redactAnswer } from "../../../src/service/training/probe-training.js";
import "../../helpers/seed.js";

const redacted = (value: unknown): unknown => redactAnswer(value, createIdNumbers());

describe("an answer without its content", () => {
  it("keeps names, types, small numbers, words for states; ids are the same wherever they come", () => {
    expect(
      redacted([
        {
          importid: 4711,
          moduleid: "4712",
          userid: 4713,
          status: "IMPORT_RUNNING",
          stage: "un-packing",
          title: "Golf, for Anna",
          percent: 40,
          finished: false,
          message: null,
          parserWarnings: [],
          learningStandard: "SCORM_2004_4TH_EDITION",
          init_date: 1763679600,
          updated: "2026-11-20T23:00:00Z",
          source: { filename: "golf.zip", bytes: 523_812, url: "https://store.example/golf.zip?sig=1" },
          parentImport: { importId: 4711, guid: "c9a646d3-9c61-4cb7-bfcd-ee2522c8f633" },
        },
      ]),
    ).toEqual([
      {
        importid: 1,
        moduleid: "<id 2, digits 4>",
        userid: 3,
        status: "IMPORT_RUNNING",
        stage: "un-packing",
        title: "<text 14>",
        percent: 40,
        finished: false,
        message: null,
        parserWarnings: [],
        learningStandard: "SCORM_2004_4TH_EDITION",
        init_date: "<date, seconds>",
        updated: "<date>",
        source: { filename: "<text 8>", bytes: "<number, 6 digits>", url: "<url>" },
        parentImport: { importId: 1, guid: "<id 4, uuid>" },
      },
    ]);
  });

  it.each([
    ["https://site.example/a", "<url>"],
    ["scorm+x://a", "<url>"],
    ["/play/7?token=1", "<path>"],
    ["anna@site.example", "<email>"],
    ["c9a646d3-9c61-4cb7-bfcd-ee2522c8f633", "<uuid>"],
    ["2026-11-20", "<date>"],
    ["2026-11-20 23:00", "<date>"],
    ["Fri, 20 Nov 2026 23:00:00 GMT", "<date>"],
    ["0151234567", "<digits 10>"],
    ["<p>Hello</p>", "<html 12>"],
    ["Anna 日本", "<text 7>"],
    ["", ""],
    ["complete", "complete"],
    ["Completed", "Completed"],
    ["Endpoint not found", "Endpoint not found"],
    ["c-o-m-p-l-e-t-e-.-.", "<text 19>"],
    [true, true],
    [null, null],
    [undefined, null],
    [-12, -12],
    [0.5, "<fraction>"],
    [1_763_679_600_000, "<date, milliseconds>"],
    [12_345, "<number, 5 digits>"],
  ])("has for %j the kind %j", (value, kind) => {
    expect(redacted({ it: value })).toEqual({ it: kind });
  });

  it.each([
    ["INGESTING", "INGESTING"],
    ["waiting_for_engine", "waiting_for_engine"],
    ["waiting for anna", "<text 16>"],
    ["Anna", "<text 4>"],
    ["a1b2c3", "<text 6>"],
    ["abcdefghijklmnopqrstuvwxyz", "<text 26>"],
  ])("keeps an unknown word of a state, but nothing else there: %s", (value, shown) => {
    expect(redacted({ import_status: value, title: value })).toEqual({
      import_status: shown,
      title: `<text ${value.length}>`,
    });
  });

  it("is short, however long it was", () => {
    expect(redacted(Array.from({ length: 1000 }, () => 5))).toEqual([5, 5, 5, "<997 more>"]);
    const wide = redacted(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f_${at}`, at])));
    expect(Object.keys(Object(wide))).toHaveLength(61);
    const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => ({ inner }), "Anna");
    expect(JSON.stringify(redacted(deep))).toContain("<deeper>");
  });

  it("hides what stands in the place of names", () => {
    expect(
      redacted({
        "anna@site.example": 1,
        4711: { importid: 4711 },
        sk_4fA9bC81dE72: 2,
        "Anna Smith": 3,
        constructor: 4,
        "2004_4th": 5,
      }),
    ).toEqual({
      "<id 1>": { importid: 1 },
      "<name 2>": 1,
      "<name 3>": 2,
      "<name 4>": 3,
      constructor: 4,
      "<name 6>": 5,
    });
    expect(JSON.stringify(redacted(JSON.parse('{"__proto__": {"title": "Anna"}}')))).toBe(
      '{"__proto__":{"title":"<text 4>"}}',
    );
  });
});

const word = fc.stringMatching(/^[A-Za-z]{3,10}$/);
const token = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{24,40}$/).filter((text) => /\d/.test(text) && /[a-f]/.test(text)),
  fc
    .base64String({ minLength: 24, maxLength: 60 })
    .filter((text) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d\D*\d\D*\d\D*\d\D*\d/.test(text)),
  fc.uuid(),
);
/** Texts that must never come through, in a field of whatever name or as its name. */
const secret = fc.oneof(
  fc.emailAddress(),
  fc.webUrl({ withQueryParameters: true }),
  fc.tuple(word, fc.domain()).map(([name, host]) => `mailto:${name}@${host}`),
  token,
  fc.tuple(word, word).map(([first, last]) => `${first} ${last}x`),
  fc.string({ minLength: 41, maxLength: 80 }),
);
const name = fc.constantFrom(
  "status",
  "state",
  "type",
  "importid",
  "title",
  "message",
  "parserWarnings",
  "current",
  "url",
);

/** An answer of any shape with these texts in it. */
const answer = fc.array(secret, { minLength: 1, maxLength: 5 }).chain((secrets) => {
  const leaf = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...secrets) },
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom(...secrets));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie("tree"), { maxLength: 5 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
    ),
  }));
  return tree.map((value) => ({ value, secrets }));
});

it("lets no secret through, whatever the answer is", () => {
  fc.assert(
    fc.property(answer, ({ value, secrets }) => {
      const shown = JSON.stringify(redacted(value));
      for (const one of secrets) expect(shown).not.toContain(JSON.stringify(one).slice(1, -1));
    }),
    { numRuns: 1000 },
  );
});

it("lets no text longer than 40 characters through, and none that is not a word", () => {
  const texts = (value: unknown): readonly string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
        : [];
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 8, stringUnit: "binary" }), answer), (value) => {
      for (const text of texts(redacted(value))) expect(text).toMatch(/^(?:<[a-z0-9 ,]{1,40}>|[A-Za-z0-9_ .-]{0,40})$/);
    }),
    { numRuns: 1000 },
  );
});

it("shows the same for the same, and equal ids for equal ids alone", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 3 }), (ids) => {
      const shown = Object(redacted(ids.map((importid) => ({ importid })))) as readonly { readonly importid: number }[];
      const pairs = ids.flatMap((one, at) =>
        ids.map((other, to) => [one === other, shown[at]?.importid === shown[to]?.importid]),
      );
      expect(pairs.filter(([before, after]) => before !== after)).toEqual([]);
    }),
  );
});
