import { describe, expect, it } from "vitest";
import { createTextBudget } from "../../../../src/web/reader/pages/texts.js";
import { guideItem, line, step } from "../../../helpers/items.js";
import { renderedPage } from "./helpers/made-page.js";

describe("what the texts of a page may cost", () => {
  it("is enough for what people write", () => {
    const budget = createTextBudget();
    const text = "Put the [guide|2|shuttle] through the ''shed''. ".repeat(10);
    for (let at = 0; at < 500; at += 1) expect(budget.spend(text)).toEqual({ text, written: false });
  });

  it("ends: then texts stand as they are written", () => {
    const budget = createTextBudget();
    const [plain, marks] = ["x".repeat(400_000), "[[a]] ".repeat(10_000)];
    expect([1, 2, 3, 4].map(() => budget.spend(plain).written)).toEqual([false, false, true, true]);
    expect(createTextBudget().spend(marks).written).toBe(true);
    // What is small still finds its place.
    expect(budget.spend("short").written).toBe(false);
  });

  it("ends at last: then only beginnings stand there", () => {
    const budget = createTextBudget();
    const texts = Array.from({ length: 12 }, () => budget.spend("x".repeat(499_999)).text);
    expect(texts.slice(0, 10).every((text) => text.length === 499_999)).toBe(true);
    expect(texts[10]).toBe("xxxxxxxxxx… (shortened: the text is too long for a page, and the archive has all of it)");
    expect(texts[11]).toBe("… (shortened: the text is too long for a page, and the archive has all of it)");
  });
});

it("a guide of ten million letters is a page that a browser can show, also beside what it was", async () => {
  const hostile = "[[a]] ".repeat(83_000);
  const items = [
    guideItem(1, {
      steps: [
        step(
          1,
          Array.from({ length: 20 }, () => line(hostile)),
        ),
      ],
    }),
  ];
  const { html } = await renderedPage([{ items }], "guide/1.html");
  expect(html.match(/<div class="line /g)).toHaveLength(20);
  expect(html.length).toBeLessThan(6_000_000);
  expect(html).toContain("too long for a page");
  const before = [guideItem(1, { steps: [step(1, ["Short."])] })];
  const compared = await renderedPage([{ items }, { items: before }], "changes/old1/guide/1.html");
  expect(compared.html.length).toBeLessThan(6_000_000);
});
