import fc from "fast-check";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { type Comparison, readerComparison } from "../../../../transforms/html/reader/reader-comparison.js";
import type { ReaderOptions } from "../../../../transforms/html/reader/reader-links.js";
import { HOSTILE_HTML, HOSTILE_TEXT } from "../../../helpers/hostile-markup.js";
import { faultsIn } from "./is-safe.js";
import { LINKS } from "./links.js";

/** What only comparisons hold. */
const OWN = /^class (?:went|came|unseen|as-before)$/;

type Form = "wiki" | "html";

function compare(before: string, after: string, form: Form = "wiki", more: Partial<ReaderOptions> = {}): Comparison {
  const side = (text: string) => ({ text, form, options: { links: LINKS, ...more }, root: "" });
  return readerComparison(side(before), side(after));
}

/** What one reads of a side when what is only there is left out. */
function common(html: string): string {
  return html
    .replace(/<(del|ins) class="(?:went|came)">.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, "");
}

const word = fc.constantFrom(
  "warp",
  "weft",
  "the",
  "loom",
  "''dry''",
  "'''long'''",
  "[guide|1|a guide]",
  "織機",
  "100",
  ",",
);
const text = fc
  .array(
    fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
    { maxLength: 6 },
  )
  .map((blocks) => blocks.join("\n\n"));

describe("two texts as they are read", () => {
  it("have the changed words marked at both sides", () => {
    const { before, after, isSame } = compare("Take the long yarn.", "Take the short yarn.");
    expect(before).toBe(`<p>Take the ${gone("long")} yarn.</p>`);
    expect(after).toBe(`<p>Take the ${come("short")} yarn.</p>`);
    expect(isSame).toBe(false);
  });

  it("differ where a word is set otherwise or leads elsewhere, and not where a blank is more", () => {
    expect(compare("so '''dry'''", "so dry").after).toBe(`<p>so ${come("dry")}</p>`);
    expect(compare("[guide|1|see]", "[guide|2|see]").isSame).toBe(false);
    expect(compare("a  b\n\n\n\nc", "a b\n\nc").isSame).toBe(true);
  });

  it("differ by characters where no blanks stand between words", () => {
    expect(compare("織機を使う", "織機を直す").after).toContain(come("直す"));
  });

  it("have blocks far from a change only counted", () => {
    const rest = Array.from({ length: 9 }, (_, at) => `Part ${at}.`).join("\n\n");
    const { before, after } = compare(`${rest}\n\nOld.`, `${rest}\n\nNew.`);
    for (const side of [before, after])
      expect(side).toContain('<p class="as-before">… 8 parts as before …</p><p>Part 8.</p>');
  });

  it("have in common what is left without the marks, and nothing is marked of equal ones", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { before, after, isSame } = compare(one, other);
        expect(common(before)).toBe(common(after));
        expect(compare(one, one)).toMatchObject({ isSame: true });
        expect(compare(one, one).before).not.toContain("<del");
        expect(isSame).toBe(!before.includes('"went"') && !after.includes('"came"'));
      }),
    );
  });

  it("are safe whatever is in them", () => {
    const trick = fc.constantFrom(...HOSTILE_HTML, ...HOSTILE_TEXT);
    fc.assert(
      fc.property(trick, trick, fc.constantFrom<Form>("wiki", "html"), fc.boolean(), (one, other, form, inline) => {
        const { before, after } = compare(one, other, form, { inline });
        for (const side of [before, after]) expect(faultsIn(side).filter((fault) => !OWN.test(fault))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("are compared as a whole where only their characters are looked at", () => {
    const side = (text: string) => ({ text, form: "characters" as const, options: { links: LINKS }, root: "" });
    const compared = readerComparison(side("'''a'''"), side("'''b'''"));
    expect([compared.before, compared.after]).toEqual([gone("'''a'''"), come("'''b'''")]);
    const long = "x".repeat(3_000_000);
    expect(readerComparison(side(long), side(`${long}y`))).toMatchObject({ isSame: false });
    expect(readerComparison(side(long), side(long))).toMatchObject({ isSame: true });
  });

  it("are compared in a bounded time, however long and different", () => {
    const long = (seed: number): string =>
      Array.from({ length: 40_000 }, (_, at) => `w${(at * seed) % 7919}`).join(" ");
    const { before, after } = compare(long(3), long(11));
    expect([before.length, after.length].every((length) => length > 100_000)).toBe(true);
    expect(fromHtml(before, { fragment: true }).children.length).toBeGreaterThan(0);
  });
});

function gone(words: string): string {
  return `<del class="went"><span class="unseen">[removed: </span>${words}<span class="unseen">]</span></del>`;
}

function come(words: string): string {
  return `<ins class="came"><span class="unseen">[added: </span>${words}<span class="unseen">]</span></ins>`;
}
