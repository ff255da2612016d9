import { describe, expect, it } from "vitest";
import {
  introductionTooLong,
  pageTitleTooLong,
  summaryTooLong,
  tagTooLong,
} from "../../../../transforms/fit/rules/fields.js";
import { contextOf, guide, told, wiki } from "../make.js";

const POLICIES = ["split", "trim"] as const;

describe("summaryTooLong", () => {
  const summary = `${"Mend the loom. ".repeat(11)}Done.`;
  const short = `${"Mend the loom. ".repeat(10).trim()} …`;

  it("puts the whole summary before the introduction", () => {
    const { value, findings } = summaryTooLong.fit(guide({ summary, introduction: "Take care." }), contextOf());
    expect(value).toEqual(guide({ summary: short, introduction: `${summary}\n\nTake care.` }));
    expect(told(findings)).toEqual(["note summary"]);
  });

  it("makes an introduction of it, when there is none", () => {
    expect(summaryTooLong.fit(guide({ summary }), contextOf()).value.introduction).toBe(summary);
  });

  it("doesn't repeat a summary that the introduction begins with", () => {
    const introduction = `${summary} Take care.`;
    expect(summaryTooLong.fit(guide({ summary, introduction }), contextOf()).value.introduction).toBe(introduction);
  });

  it("cuts it under trim, and tells what was cut", () => {
    const { value, findings } = summaryTooLong.fit(guide({ summary }), contextOf({ policy: "trim" }));
    expect(value).toEqual(guide({ summary: short }));
    expect(findings).toMatchObject([
      {
        level: "loss",
        message: 'The summary has 170 characters, and the limit is 155; this was cut: "Mend the loom. Done.".',
      },
    ]);
  });

  it("takes spaces away first, when that is enough", () => {
    for (const policy of POLICIES) {
      const { value, findings } = summaryTooLong.fit(guide({ summary: `${"x".repeat(155)} ` }), contextOf({ policy }));
      expect(value).toEqual(guide({ summary: "x".repeat(155) }));
      expect(told(findings)).toEqual(["note summary"]);
    }
  });

  it("takes 155 characters, and not one more", () => {
    const given = guide({ summary: "x".repeat(155) });
    expect(summaryTooLong.fit(given, contextOf()).value).toBe(given);
    expect(
      summaryTooLong.fit(guide({ summary: "x".repeat(156) }), contextOf({ policy: "refuse" })).findings,
    ).toHaveLength(1);
  });
});

describe("introductionTooLong", () => {
  const numbered = (count: number, glue: string, from = 1) =>
    Array.from({ length: count }, (_, index) => `Line ${index + from}.`).join(glue);

  it("takes 49 lines, and not one more", () => {
    const given = guide({ introduction: numbered(49, "\n") });
    expect(introductionTooLong.fit(given, contextOf()).value).toBe(given);
    expect(introductionTooLong.fit(guide({ introduction: numbered(50, "\n") }), contextOf()).findings).toHaveLength(1);
  });

  it("divides at a blank line, and puts the rest before the conclusion", () => {
    const given = guide({ introduction: numbered(30, "\n\n"), conclusion: "Well done." });
    const { value, findings } = introductionTooLong.fit(given, contextOf());
    expect(value.introduction).toBe(numbered(25, "\n\n"));
    expect(value.conclusion).toBe(`${numbered(5, "\n\n", 26)}\n\nWell done.`);
    expect(told(findings)).toEqual(["note introduction"]);
  });

  it("makes a conclusion of the rest, when there is none", () => {
    const { value } = introductionTooLong.fit(guide({ introduction: numbered(60, "\n") }), contextOf());
    expect([value.introduction, value.conclusion]).toEqual([numbered(49, "\n"), numbered(11, "\n", 50)]);
  });

  it("divides between list items rather than inside of a paragraph", () => {
    const list = Array.from({ length: 45 }, (_, index) => `* Item ${index}`).join("\n");
    const { value } = introductionTooLong.fit(guide({ introduction: `${list}\n${numbered(9, "\n")}` }), contextOf());
    expect(value.introduction).toBe(list);
  });

  it("moves a block of code that is too long as a whole", () => {
    const code = `[code]\n${numbered(60, "\n\n")}\n[/code]`;
    const { value } = introductionTooLong.fit(guide({ introduction: code }), contextOf());
    expect([value.introduction, value.conclusion]).toEqual(["", code]);
  });

  it("pairs no marker with one in another paragraph or list item", () => {
    const introduction = `* a 3/4'' rod\n${numbered(30, "\n\n")}\n\na 1/2'' rod`;
    const { value } = introductionTooLong.fit(guide({ introduction }), contextOf());
    expect(`${value.introduction}\n\n${value.conclusion}`).toBe(introduction);
  });

  it("closes a mark that spans the end of a line, and opens it again", () => {
    const { value } = introductionTooLong.fit(guide({ introduction: `'''${numbered(60, "\n")}'''` }), contextOf());
    expect(value.introduction).toBe(`'''${numbered(49, "\n")}'''`);
    expect(value.conclusion).toBe(`'''${numbered(11, "\n", 50)}'''`);
  });

  it("counts the lines as they will be sent", () => {
    const measure = (text: string) => text.replaceAll("Line", "\nLine");
    const { value } = introductionTooLong.fit(guide({ introduction: numbered(30, "\n") }), contextOf({ measure }));
    expect(value.introduction).toBe(numbered(24, "\n"));
  });

  it("cuts the rest under trim, and tells of it", () => {
    const given = guide({ introduction: numbered(50, "\n") });
    const { value, findings } = introductionTooLong.fit(given, contextOf({ policy: "trim" }));
    expect(value).toEqual(guide({ introduction: numbered(49, "\n") }));
    expect(findings).toMatchObject([
      {
        level: "loss",
        message: 'The introduction has 50 lines as it would be sent, and the limit is 49; this was cut: "Line 50.".',
      },
    ]);
  });

  it("takes blank lines away first, when that is enough", () => {
    for (const policy of POLICIES) {
      const given = guide({ introduction: `${numbered(49, "\n")}\n\n` });
      const { value, findings } = introductionTooLong.fit(given, contextOf({ policy }));
      expect(value).toEqual(guide({ introduction: numbered(49, "\n") }));
      expect(told(findings)).toEqual(["note introduction"]);
    }
  });
});

describe("tagTooLong", () => {
  const long = "hand looms of the nineteenth century";

  it("leaves a tag out rather than making another of it", () => {
    const { value, findings } = tagTooLong.fit(guide({ tags: ["looms", long] }), contextOf());
    expect(value).toEqual(guide({ tags: ["looms"] }));
    expect(told(findings)).toEqual(["loss tags[1]"]);
  });

  it("cuts it at a word under trim", () => {
    const { value, findings } = tagTooLong.fit(wiki({ tags: [long] }), contextOf({ policy: "trim" }));
    expect(value).toEqual(wiki({ tags: ["hand looms of the nineteenth"] }));
    expect(findings).toMatchObject([{ level: "loss", path: "tags[0]" }]);
  });

  it("leaves it out under trim, when there is such a tag or nothing of it fits", () => {
    const zalgo = `a${"\u0301".repeat(40)}`;
    const given = guide({ tags: ["hand looms of the nineteenth", long, zalgo] });
    const { value, findings } = tagTooLong.fit(given, contextOf({ policy: "trim" }));
    expect(value.tags).toEqual(["hand looms of the nineteenth"]);
    expect(told(findings)).toEqual(["loss tags[1]", "loss tags[2]"]);
  });

  it("makes one tag of two that are cut to the same", () => {
    const given = guide({ tags: [long, `${long} and before`] });
    expect(tagTooLong.fit(given, contextOf({ policy: "trim" })).value.tags).toEqual(["hand looms of the nineteenth"]);
  });
});

describe("pageTitleTooLong", () => {
  it("leaves short ones and none", () => {
    for (const pageTitle of [null, "x".repeat(255)]) {
      const given = wiki({ pageTitle });
      expect(pageTitleTooLong.fit(given, contextOf()).value).toBe(given);
    }
  });

  it("cuts a long one", () => {
    for (const policy of POLICIES) {
      const given = wiki({ pageTitle: `${"Looms ".repeat(42)}and more` });
      const { value, findings } = pageTitleTooLong.fit(given, contextOf({ policy }));
      expect(value.pageTitle).toBe(`${"Looms ".repeat(42).trim()} …`);
      expect(told(findings)).toEqual(["loss pageTitle"]);
    }
  });
});
