import { describe, expect, it } from "vitest";
import { difficulty, flags, guideType, parts, subjectMissing } from "../../../../transforms/fit/rules/fields.js";
import { guideMedia, stepMedia } from "../../../../transforms/fit/rules/media.js";
import { contextOf, guide, images, part, step, told } from "../make.js";

const POLICIES = ["split", "trim"] as const;

describe("parts", () => {
  it("writes a quantity that is none into the notes", () => {
    const given = guide({
      parts: [part({ quantity: 1.5 }), part()],
      tools: [part({ quantity: 0, notes: "borrowed" })],
    });
    const { value, findings } = parts.fit(given, contextOf());
    expect(value.parts).toEqual([part({ notes: "× 1.5" }), part()]);
    expect(value.tools).toEqual([part({ notes: "× 0; borrowed" })]);
    expect(told(findings)).toEqual(["note parts[0].quantity", "note tools[0].quantity"]);
  });

  it("makes it 1 under trim, and tells what it was", () => {
    const given = guide({ parts: [part({ quantity: -2 })] });
    const { value, findings } = parts.fit(given, contextOf({ policy: "trim" }));
    expect(value.parts).toEqual([part()]);
    expect(findings).toMatchObject([
      {
        level: "loss",
        message: 'The quantity of "Rod" is -2, and the service accepts only positive whole numbers; it becomes 1.',
      },
    ]);
  });

  it("leaves a quantity that was never given", () => {
    const given = guide({ parts: [part({ quantity: null })] });
    expect(parts.fit(given, contextOf()).value).toBe(given);
  });

  it("leaves out what has no name, and tells what else it had", () => {
    for (const policy of POLICIES) {
      const nameless = part({ name: " ", type: "oak", notes: "long", url: "/Item/x", quantity: 0 });
      const given = guide({ tools: [nameless, part({ name: "", quantity: 7 })] });
      const { value, findings } = parts.fit(given, contextOf({ policy }));
      expect(value.tools).toEqual([]);
      expect(told(findings)).toEqual(["loss tools[0].name", "loss tools[1].name"]);
      expect(findings[0]?.message).toBe(
        'The entry has no name (type "oak", notes "long", address "/Item/x"); it was left out.',
      );
    }
  });
});

describe("subjectMissing", () => {
  const context = (policy: "refuse" | "split" | "trim") => contextOf({ policy, limits: { subjectTypes: ["repair"] } });

  it("refuses a guide without a subject where the site asks for one, or puts its title there", () => {
    const given = guide({ type: "repair", subject: " ", title: "Oil the Siskin" });
    expect(subjectMissing.fit(given, context("refuse")).findings).toMatchObject([
      { code: "subject-missing", level: "error" },
    ]);
    for (const policy of ["split", "trim"] as const) {
      const { value, findings } = subjectMissing.fit(given, context(policy));
      expect([value.subject, findings[0]?.level]).toEqual(["Oil the Siskin", "note"]);
    }
  });

  it("leaves alone a guide that has one, and types that need none", () => {
    for (const given of [guide({ type: "repair", subject: "Belt" }), guide({ type: "how-to", subject: "" })]) {
      expect(subjectMissing.fit(given, context("refuse")).value).toBe(given);
    }
  });
});

describe("guideType", () => {
  it("takes the site's first type, and names both", () => {
    for (const policy of POLICIES) {
      const context = contextOf({ policy, limits: { guideTypes: ["repair", "teardown"] } });
      const { value, findings } = guideType.fit(guide(), context);
      expect(value).toEqual(guide({ type: "repair" }));
      expect(findings).toMatchObject([
        {
          level: "loss",
          message:
            'The guide is of the type "how-to", and the site accepts repair, teardown; it gets the type "repair".',
        },
      ]);
    }
  });

  it("leaves a type that the site takes, and every type where it doesn't tell", () => {
    for (const guideTypes of [null, ["repair", "how-to"]]) {
      const given = guide();
      expect(guideType.fit(given, contextOf({ limits: { guideTypes } })).value).toBe(given);
    }
  });

  it("refuses every guide where the site takes none", () => {
    for (const policy of POLICIES) {
      const { findings } = guideType.fit(guide(), contextOf({ policy, limits: { guideTypes: [] } }));
      expect(findings).toMatchObject([
        { level: "error", message: 'The guide is of the type "how-to", and the site accepts none.' },
      ]);
    }
  });
});

describe("difficulty", () => {
  it("leaves out a label that the service doesn't know", () => {
    for (const policy of POLICIES) {
      const { value, findings } = difficulty.fit(guide({ difficulty: "Leicht" }), contextOf({ policy }));
      expect(value).toEqual(guide({ difficulty: null }));
      expect(told(findings)).toEqual(["loss difficulty"]);
    }
  });

  it("leaves the others", () => {
    for (const label of [null, "Very easy"]) {
      const given = guide({ difficulty: label });
      expect(difficulty.fit(given, contextOf()).value).toBe(given);
    }
  });
});

describe("flags", () => {
  const given = guide({ flags: ["GUIDE_STARRED", "GUIDE_IN_PROGRESS", "GUIDE_PATAGONIA"] });

  it("never refuses: leaves out what the account may not set, under every policy", () => {
    for (const policy of ["refuse", "split", "trim"] as const) {
      const { value, findings } = flags.fit(given, contextOf({ policy, limits: { flags: ["GUIDE_STARRED"] } }));
      expect(value).toEqual(guide({ flags: ["GUIDE_STARRED"] }));
      expect(told(findings)).toEqual(["note flags[1]", "loss flags[2]"]);
    }
  });

  it("tries every flag where the site doesn't tell", () => {
    expect(flags.fit(given, contextOf()).value).toBe(given);
  });
});

describe("stepMedia", () => {
  const context = (policy: (typeof POLICIES)[number]) =>
    contextOf({
      policy,
      imageSize: (key) => (key === "image/2" ? { width: 800, height: 599 } : { width: 800, height: 600 }),
      mediaRefused: (key) => key === "image/3" || key === "video/1",
    });

  it("leaves out images that are too small or refused, and names them with their size", () => {
    for (const policy of POLICIES) {
      const given = guide({ steps: [step({ media: { type: "images", images: images(4) } })] });
      const { value, findings } = stepMedia.fit(given, context(policy));
      expect(value.steps[0]?.media).toEqual({ type: "images", images: ["image/1", "image/4"] });
      expect(told(findings)).toEqual(["loss steps[0].media.images[1]", "loss steps[0].media.images[2]"]);
      expect(findings[0]?.message).toBe(
        "The image image/2 has 800 x 599 pixels, and a step requires 800 x 600 at least; it was left out.",
      );
    }
  });

  it("shows nothing when no image is left, or the video is refused", () => {
    const given = guide({
      steps: [
        step({ media: { type: "images", images: ["image/2"] } }),
        step({ media: { type: "video", video: "video/1" } }),
      ],
    });
    const { value, findings } = stepMedia.fit(given, context("split"));
    expect(value.steps.map(({ media }) => media)).toEqual([{ type: "none" }, { type: "none" }]);
    expect(told(findings)).toEqual(["loss steps[0].media.images[0]", "loss steps[1].media.video"]);
  });

  it("leaves everything else as it is", () => {
    const given = guide({
      steps: [
        step({ media: { type: "images", images: [] } }),
        step({ media: { type: "video", video: "video/2" } }),
        step({ media: { type: "embed", url: "https://film.example", title: null } }),
      ],
    });
    expect(stepMedia.fit(given, context("split")).value).toBe(given);
  });
});

describe("guideMedia", () => {
  it("leaves out whatever is refused", () => {
    const given = guide({
      image: "image/1",
      introductionVideo: "video/1",
      documents: ["document/1", "document/2"],
      featuredDocument: "document/1",
    });
    const refused = new Set<string>(["image/1", "video/1", "document/1"]);
    const { value, findings } = guideMedia.fit(given, contextOf({ mediaRefused: (key) => refused.has(key) }));
    expect(value).toEqual(guide({ documents: ["document/2"] }));
    expect(told(findings)).toEqual([
      "loss image",
      "loss introductionVideo",
      "loss documents[0]",
      "loss featuredDocument",
    ]);
    expect(guideMedia.fit(given, contextOf()).value).toBe(given);
  });
});
