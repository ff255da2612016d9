import { describe, expect, it } from "vitest";
import { crowdedSteps, lineLevels, stepLines, stepWithoutLines } from "../../../../transforms/fit/rules/steps.js";
import { contextOf, guide, images, line, lines, step, told } from "../make.js";

const POLICIES = ["split", "trim"] as const;

describe("lineLevels", () => {
  it.each([
    [
      [1, 1, 2, 0],
      [0, 0, 1, 0],
    ],
    [
      [2, 1, 2],
      [0, 0, 1],
    ],
    [
      [0, 2, 2],
      [0, 1, 2],
    ],
    [
      [0, 1, 2, 3],
      [0, 1, 2, 2],
    ],
    [
      [-1, 0, 1],
      [0, 0, 1],
    ],
  ])("settles the levels %j to %j, with a note", (levels, settled) => {
    for (const policy of POLICIES) {
      const given = guide({ steps: [step({ lines: levels.map((level) => line("Beat it.", level)) })] });
      const { value, findings } = lineLevels.fit(given, contextOf({ policy }));
      expect(value.steps[0]?.lines.map(({ level }) => level)).toEqual(settled);
      expect(told(findings)).toEqual(["note steps[0].lines"]);
    }
  });

  it("leaves levels that the service takes", () => {
    const given = guide({ steps: [step({ lines: [0, 1, 2, 0, 1].map((level) => line("Beat it.", level)) })] });
    expect(lineLevels.fit(given, contextOf()).value).toBe(given);
  });
});

describe("stepLines", () => {
  it("leaves out lines that say nothing", () => {
    const given = guide({ steps: [step({ lines: [line("Warp it."), line(" "), line("Beat it.")] })] });
    const { value, findings } = stepLines.fit(given, contextOf());
    expect(value.steps[0]?.lines).toEqual([line("Warp it."), line("Beat it.")]);
    expect(findings).toMatchObject([{ code: "line-empty", level: "note", path: "steps[0].lines[1].text" }]);
  });

  it("puts an ellipsis into an empty line that deeper lines hang below", () => {
    const given = guide({ steps: [step({ lines: [line(""), line("Beat it.", 1)] })] });
    const { value } = stepLines.fit(given, contextOf({ policy: "trim" }));
    expect(value.steps[0]?.lines).toEqual([line("…"), line("Beat it.", 1)]);
  });

  it("divides a long line into lines with the same bullet and level", () => {
    const sentence = "Draw the thread through the reed. ";
    const long = { text: sentence.repeat(20).trim(), bullet: "icon_note", bulletStyle: null, level: 1 };
    const given = guide({ steps: [step({ lines: [line("Now:"), long] })] });
    const { value, findings } = stepLines.fit(given, contextOf());
    const [, ...made] = value.steps[0]?.lines ?? [];
    expect(made.map(({ text }) => text)).toEqual([sentence.repeat(10).trim(), sentence.repeat(10).trim()]);
    expect(made.every(({ bullet, level }) => bullet === "icon_note" && level === 1)).toBe(true);
    expect(told(findings)).toEqual(["note steps[0].lines[1].text"]);
    expect(findings[0]?.message).toContain(
      "has 679 characters as it would be sent, and the limit is 350; it is 2 lines.",
    );
  });

  it("measures a line as it will be sent", () => {
    const given = guide({
      steps: [step({ lines: [line(`See [guide|1|it]. ${"Then beat it. ".repeat(23)}`.trim())] })],
    });
    const measure = (text: string) => text.replace("[guide|1|it]", "[https://old.example/Guide/Warp/1|it]");
    expect(stepLines.fit(given, contextOf()).value).toBe(given);
    const { value } = stepLines.fit(given, contextOf({ measure }));
    expect(value.steps[0]?.lines).toHaveLength(2);
  });

  it("takes spaces away first, when that is enough", () => {
    for (const policy of POLICIES) {
      const given = guide({ steps: [step({ lines: [line(`${"x".repeat(350)}  `)] })] });
      const { value, findings } = stepLines.fit(given, contextOf({ policy }));
      expect(value.steps[0]?.lines).toEqual([line("x".repeat(350))]);
      expect(told(findings)).toEqual(["note steps[0].lines[0].text"]);
    }
  });

  it("refuses to split what cannot be divided, and says what it is", () => {
    const link = `[https://yarn.example/${"a".repeat(350)}|yarn]`;
    const given = guide({ steps: [step({ lines: [line(`See ${link}`)] })] });
    const { value, findings } = stepLines.fit(given, contextOf());
    expect(value).toBe(given);
    expect(told(findings)).toEqual(["error steps[0].lines[0].text"]);
    expect(findings[0]?.message).toContain('begins with "[https://yarn.example/aaa');
    expect(findings[0]?.remedy).toContain("--fit trim");
  });

  it("cuts a long line under trim, and tells what was cut", () => {
    const given = guide({ steps: [step({ lines: [line(`${"Beat it. ".repeat(38)}Then rest.`)] })] });
    const { value, findings } = stepLines.fit(given, contextOf({ policy: "trim" }));
    expect(value.steps[0]?.lines).toEqual([line(`${"Beat it. ".repeat(38).trim()} …`)]);
    expect(told(findings)).toEqual(["loss steps[0].lines[0].text"]);
    expect(findings[0]?.message).toContain('this was cut: "Then rest."');
  });

  it("leaves an ellipsis of a line that cannot be cut", () => {
    const given = guide({ steps: [step({ lines: [line(`[[${"a".repeat(350)}]]`)] })] });
    const { value, findings } = stepLines.fit(given, contextOf({ policy: "trim" }));
    expect(value.steps[0]?.lines).toEqual([line("…")]);
    expect(findings[0]?.message).toContain(`this was cut: "[[${"a".repeat(78)}…"`);
  });
});

describe("stepWithoutLines", () => {
  it.each([
    ["Warp it", "Warp it"],
    [" ", "…"],
    ["x".repeat(351), "…"],
  ])("fills a step with its title, if it is one that a line can hold: %j", (title, text) => {
    for (const policy of POLICIES) {
      const given = guide({ steps: [step({ title, lines: [] })] });
      const { value, findings } = stepWithoutLines.fit(given, contextOf({ policy }));
      expect(value.steps[0]?.lines).toEqual([{ text, bullet: "black", bulletStyle: null, level: 0 }]);
      expect(told(findings)).toEqual(["note steps[0].lines"]);
    }
  });
});

describe("crowdedSteps", () => {
  const comment = { id: 1, author: null, date: null, text: "Nice.", status: "public", replies: 0 };

  it("moves lines and images that are too many into the same steps behind", () => {
    const crowded = step({
      key: "step/456",
      title: "Warp",
      lines: lines(17),
      media: { type: "images", images: images(4) },
      comments: [comment],
    });
    const given = guide({ steps: [step(), crowded, step({ key: "step/9" })] });
    const { value, findings } = crowdedSteps.fit(given, contextOf());
    expect(value.steps.map(({ key }) => key)).toEqual(["step/1", "step/456", "step/456+2", "step/456+3", "step/9"]);
    expect(value.steps.slice(1, 4)).toEqual([
      { ...crowded, lines: lines(8), media: { type: "images", images: images(3) } },
      {
        key: "step/456+2",
        title: "Warp (2)",
        lines: lines(16).slice(8),
        media: { type: "images", images: ["image/4"] },
        comments: [],
      },
      { key: "step/456+3", title: "Warp (3)", lines: lines(17).slice(16), media: { type: "none" }, comments: [] },
    ]);
    expect(told(findings)).toEqual(["note steps[1].lines", "note steps[1].media"]);
    expect(findings[0]?.message).toBe(
      "The step has 17 lines, and the limit is 8; it continues in step/456+2, step/456+3.",
    );
  });

  it("gives a step that takes images only the line that it needs", () => {
    const given = guide({ steps: [step({ media: { type: "images", images: images(4) } })] });
    const { value } = crowdedSteps.fit(given, contextOf());
    expect(value.steps[1]).toEqual({
      key: "step/1+2",
      title: "",
      lines: [{ text: "…", bullet: "black", bulletStyle: null, level: 0 }],
      media: { type: "images", images: ["image/4"] },
      comments: [],
    });
  });

  it("leaves a video where it is", () => {
    const given = guide({ steps: [step({ lines: lines(9), media: { type: "video", video: "video/1" } })] });
    const { value } = crowdedSteps.fit(given, contextOf());
    expect(value.steps.map(({ media }) => media)).toEqual([{ type: "video", video: "video/1" }, { type: "none" }]);
  });

  it("keeps deeper lines together with the line that they hang below", () => {
    const levels = [0, 1, 0, 1, 0, 0, 1, 1, 1];
    const given = guide({ steps: [step({ lines: levels.map((level) => line("Beat it.", level)) })] });
    const { value } = crowdedSteps.fit(given, contextOf());
    expect(value.steps.map((one) => one.lines.map(({ level }) => level))).toEqual([
      [0, 1, 0, 1, 0],
      [0, 1, 1, 1],
    ]);
  });

  it("moves deeper lines out when they have to begin a step", () => {
    const levels = [0, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1];
    const given = guide({ steps: [step({ lines: levels.map((level) => line("Beat it.", level)) })] });
    const { value } = crowdedSteps.fit(given, contextOf());
    expect(value.steps[1]?.lines.map(({ level }) => level)).toEqual([0, 1, 0]);
  });

  it("takes no key that the guide has already", () => {
    const given = guide({ steps: [step({ lines: lines(9) }), step({ key: "step/1+2" })] });
    const { value } = crowdedSteps.fit(given, contextOf());
    expect(value.steps.map(({ key }) => key)).toEqual(["step/1", "step/1+3", "step/1+2"]);
  });

  it("keeps what fits under trim, and tells of each line and image that is left out", () => {
    const given = guide({ steps: [step({ lines: lines(10), media: { type: "images", images: images(5) } })] });
    const { value, findings } = crowdedSteps.fit(given, contextOf({ policy: "trim" }));
    expect(value.steps).toEqual([step({ lines: lines(8), media: { type: "images", images: images(3) } })]);
    expect(findings.map(({ level, message }) => [level, message])).toEqual([
      ["loss", 'The step has 10 lines, and the limit is 8; this one was left out: "Turn screw 9.".'],
      ["loss", 'The step has 10 lines, and the limit is 8; this one was left out: "Turn screw 10.".'],
      ["loss", "The step has 5 images, and the limit is 3; image/4 was left out."],
      ["loss", "The step has 5 images, and the limit is 3; image/5 was left out."],
    ]);
  });
});
