import fc from "fast-check";
import { expect, test } from "vitest";
import { guideSchema } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { readGuide } from "../../../src/service/wire/guide.js";
import { collecting } from "./read-with-issues.js";

const FULL = {
  guideid: 12,
  guide_revisionid: 90,
  revisionid: 70,
  locale: "en",
  langid: "en",
  title: "Warp a loom",
  category: "Looms",
  type: "how-to",
  subject: "",
  summary: "How threads get onto a loom",
  introduction_raw: "See [guide|13|the other].",
  conclusion_raw: null,
  difficulty: "Moderate",
  time_required_min: 600,
  time_required_max: 1200,
  flags: [{ flagid: "GUIDE_STARRED", title: "Featured", text: "", image: "" }],
  image: { id: 5, guid: "aaa", mini: "https://cdn.example/aaa.mini", original: "https://cdn.example/aaa.full" },
  intro_video: null,
  documents: [
    { documentid: 9, text: "plan.pdf", url: "/Document/bbb/plan.pdf", download_url: "https://store.example/bbb.pdf" },
  ],
  featured_documentid: 9,
  parts: [{ text: "Thread", type: "", quantity: "3", notes: null, url: "/Item/Thread", thumbnail: null }],
  tools: [],
  prerequisites: [{ guideid: 3 }, { guideid: 12 }, { guideid: 3 }],
  steps: [
    { stepid: 30, guideid: 3, title: "inlined", lines: [], media: { type: "image", data: [] }, comments: [] },
    {
      stepid: 40,
      guideid: 12,
      title: "",
      lines: [{ text_raw: "Count", bullet: "red", level: 0, lineid: null, bullet_styleid: 2 }],
      media: { type: "image", data: [{ id: 6, original: "https://cdn.example/ccc" }] },
      comments: [{ commentid: 1, author: null, text_raw: "Nice", date: 5, status: "resolved", replies: [{}] }],
    },
    {
      stepid: 41,
      guideid: 12,
      title: "Film",
      lines: [],
      media: { type: "video", data: { videoid: 7, filename: "a.mov", image: null, encodings: [] } },
      comments: [],
    },
    {
      stepid: 42,
      guideid: 12,
      title: "",
      lines: [],
      media: { type: "embed", data: { embedid: 1, url: "https://v.example/1", title: "V" } },
      comments: [],
    },
  ],
  comments: [],
  author: { userid: 2, username: "Ada", unique_username: null },
  public: true,
  work_log_enabled: false,
  created_date: 1,
  published_date: 2,
  modified_date: 3.5,
  url: "https://site.example/Guide/12",
  something_new: { deep: [1] },
};

function read(json: unknown, key: Key = "guide/12") {
  const { reading, issues } = collecting(key);
  return { ...readGuide(json, reading), issues };
}

test("a full guide reads whole, without one issue", () => {
  const { guide, issues } = read(FULL);
  expect(issues).toEqual([]);
  expect(guideSchema.parse(guide)).toEqual(guide);
  expect(guide).toMatchObject({
    id: 12,
    language: "en",
    conclusion: "",
    timeRequired: { min: 600, max: 1200 },
    flags: ["GUIDE_STARRED"],
    image: "image/5",
    introductionVideo: null,
    documents: ["document/9"],
    featuredDocument: "document/9",
    parts: [{ name: "Thread", quantity: 3, notes: "", optional: null, featured: null }],
    author: { id: 2, name: "Ada", uniqueName: null },
    modifiedDate: 3.5,
  });
});

test("prerequisites are named once and never the guide itself; their inlined steps are left out", () => {
  const { guide } = read(FULL);
  expect(guide.prerequisites).toEqual(["guide/3"]);
  expect(guide.steps.map(({ key }) => key)).toEqual(["step/40", "step/41", "step/42"]);
});

test("a step shows images, a video, an embed, or nothing", () => {
  const { guide } = read(FULL);
  expect(guide.steps.map(({ media }) => media)).toEqual([
    { type: "images", images: ["image/6"] },
    { type: "video", video: "video/7" },
    { type: "embed", url: "https://v.example/1", title: "V" },
  ]);
});

test("each medium is listed once, with the address of its original", () => {
  const { media } = read(FULL);
  expect(media).toEqual([
    { key: "image/5", url: "https://cdn.example/aaa.full", guid: "aaa", fileName: null, path: "image" },
    { key: "document/9", url: "https://store.example/bbb.pdf", guid: null, fileName: "plan.pdf", path: "documents[0]" },
    { key: "image/6", url: "https://cdn.example/ccc", guid: null, fileName: null, path: "steps[0].media.images[0]" },
    { key: "video/7", url: null, guid: null, fileName: "a.mov", path: "steps[1].media.video" },
  ]);
});

test("the steps of a translation have keys of their own", () => {
  const { guide } = read({ ...FULL, langid: "de" }, "guide/12@de");
  expect(guide.steps.map(({ key }) => key)).toEqual(["step/40@de", "step/41@de", "step/42@de"]);
});

test("missing and malformed step media read as none, without an issue", () => {
  for (const media of [
    undefined,
    null,
    [],
    {},
    "image",
    { type: null },
    { type: "image", data: [] },
    { type: "image" },
  ]) {
    const { guide, issues } = read({ ...FULL, steps: [{ stepid: 1, lines: [], media, comments: [] }] });
    expect(guide.steps[0]?.media).toEqual({ type: "none" });
    expect(issues).toEqual([]);
  }
});

test("media of an unknown type are left out with an issue, and the step stays", () => {
  const { guide, issues } = read({ ...FULL, steps: [{ stepid: 1, media: { type: "hologram", data: {} } }] });
  expect(guide.steps).toHaveLength(1);
  expect(issues.map(({ code, path }) => [code, path])).toEqual([["unknown-media", "steps[0].media"]]);
});

test("flags read the same as ids, as objects, and as a map; an empty map is an empty list", () => {
  const forms = [["A", "B"], [{ flagid: "A" }, { flagid: "B" }], { A: { title: "" }, B: {} }];
  for (const flags of forms)
    expect(read({ ...FULL, flags })).toMatchObject({ guide: { flags: ["A", "B"] }, issues: [] });
  for (const flags of [[], null, {}])
    expect(read({ ...FULL, flags })).toMatchObject({ guide: { flags: [] }, issues: [] });
});

test("a difficulty in another language reads as its English label; null is unset; an unknown word is a loss", () => {
  const difficulties = ["Moderate", "Sehr schwierig", "Fácil", null, "Impossible"];
  expect(difficulties.map((difficulty) => read({ ...FULL, difficulty }).guide.difficulty)).toEqual([
    "Moderate",
    "Very difficult",
    "Easy",
    null,
    null,
  ]);
  expect(read({ ...FULL, difficulty: null }).issues).toEqual([]);
  expect(read({ ...FULL, difficulty: "Impossible" }).issues).toMatchObject([
    { code: "unknown-difficulty", level: "loss" },
  ]);
});

test("an introduction that is an embed is named as a loss", () => {
  const { guide, issues } = read({ ...FULL, intro_video: { embedid: 4, url: "https://v.example/4" } });
  expect(guide.introductionVideo).toBeNull();
  expect(issues).toMatchObject([{ code: "introduction-embed", level: "loss", path: "intro_video" }]);
});

test("placeholder pictures are no content", () => {
  const { guide, media } = read({ ...FULL, image: { id: -32, guid: "default_avatar_placeholder_guid" }, steps: [] });
  expect(guide.image).toBeNull();
  expect(media.map(({ key }) => key)).toEqual(["document/9"]);
});

test("wrong types anywhere give issues and a guide of the model's form", () => {
  const { guide, issues } = read({
    ...FULL,
    title: 7,
    steps: "none",
    parts: { a: 1 },
    public: "yes",
    time_required_min: [9],
  });
  expect(guideSchema.parse(guide)).toMatchObject({ title: "7", steps: [], parts: [], public: false });
  expect(issues.map(({ path }) => path).toSorted()).toEqual(["parts", "public", "steps", "time_required_min", "title"]);
});

test("whatever the answer, a guide comes out", () => {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(FULL)));
  const damaged = fc.record(Object.fromEntries(Object.keys(FULL).map((name) => [name, field])), { requiredKeys: [] });
  fc.assert(fc.property(fc.oneof(damaged, fc.jsonValue()), (json) => guideSchema.safeParse(read(json).guide).success));
});
