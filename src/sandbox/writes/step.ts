import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { characters, checked, INVALID_INDENTATION, invalidValue, savedText, savedTitle } from "../rules.js";
import type { GuideRecord, LineRecord, StepMedia, StepRecord, UserRecord } from "../site/records.js";
import type { StepLimits } from "../site/settings.js";
import type { Site } from "../site/site.js";
import { lineRecord } from "../views/guide.js";
import { reviseGuide } from "./guide.js";
import { attachedImage, mayAttach } from "./media.js";

/** Adds a step by the body of `POST /guides/{guideid}/steps`; later steps move down. Throws 422. */
export function createStep(site: Site, guide: GuideRecord, value: unknown, caller: UserRecord): GuideRecord {
  const body = checked(STEP_CREATION, value);
  if (body.orderby > guide.steps.length + 1) {
    throw invalidValue("orderby", `orderby must be in 1..${guide.steps.length + 1}`);
  }
  const step: StepRecord = {
    lines: lineRecords(site, body.lines, []),
    media: body.media === undefined ? { type: "image", ids: [] } : mediaRecord(site, body.media, undefined, caller),
    stepid: site.next("step"),
    revisionid: site.next("revision"),
    title: body.title ?? "",
    loaded: {},
  };
  return reviseGuide(site, guide, { ...guide, steps: guide.steps.toSpliced(body.orderby - 1, 0, step) });
}

/** The guide gets a new revision too. Equal values make none. Throws 422. */
export function patchStep(
  site: Site,
  guide: GuideRecord,
  step: StepRecord,
  value: unknown,
  caller: UserRecord,
): StepRecord {
  const body = checked(STEP_PATCH, value);
  const changed = {
    ...step,
    title: body.title ?? step.title,
    lines: body.lines === undefined ? step.lines : lineRecords(site, body.lines, step.lines),
    media: body.media === undefined ? step.media : mediaRecord(site, body.media, step.media, caller),
  };
  if (isDeepStrictEqual(step, changed)) return step;
  const revised = { ...changed, revisionid: site.next("revision") };
  reviseGuide(site, guide, {
    ...guide,
    steps: guide.steps.map((one) => (one.stepid === step.stepid ? revised : one)),
  });
  return revised;
}

export function deleteStep(site: Site, guide: GuideRecord, step: StepRecord): GuideRecord {
  return reviseGuide(site, guide, { ...guide, steps: guide.steps.filter((one) => one.stepid !== step.stepid) });
}

/** Orders a guide's own steps; `stepids` must be a permutation of them (facts, 4.4). Throws 422. */
export function orderSteps(site: Site, guide: GuideRecord, value: unknown): GuideRecord {
  const { stepids } = checked(STEP_ORDER, value);
  const steps = stepids
    .map((stepid) => guide.steps.find((step) => step.stepid === stepid))
    .filter((step) => step !== undefined);
  if (
    steps.length !== guide.steps.length ||
    stepids.length !== steps.length ||
    new Set(stepids).size !== stepids.length
  ) {
    throw invalidValue("stepids", "stepids must name every step of the guide once");
  }
  return reviseGuide(site, guide, { ...guide, steps });
}

/** A line that is sent back unchanged keeps its record, with its unknown fields. */
function lineRecords(site: Site, lines: readonly LineBody[], before: readonly LineRecord[]): readonly LineRecord[] {
  mustKeepLimits(site.settings.stepLimits, lines);
  return lines.map((line, index) => {
    const { bullet, styleid } = bulletOf(site, line, index);
    const same = before.find((old) => old.text_raw === line.text && old.bullet === bullet && old.level === line.level);
    return same ?? lineRecord(site, line.text, bullet, line.level, styleid);
  });
}

/** The bullets with a name (facts, 3.4), with their style ids on dozuki. */
const BULLETS: Readonly<Record<string, number>> = {
  black: 1,
  red: 2,
  orange: 3,
  yellow: 4,
  green: 5,
  light_blue: 6,
  blue: 7,
  violet: 8,
  icon_caution: 9,
  icon_note: 10,
  icon_reminder: 11,
};

function bulletOf(site: Site, line: LineBody, index: number): { readonly bullet: string; readonly styleid: number } {
  if (site.settings.dialect === "dozuki" && line.bullet_styleid !== undefined) {
    const name = Object.entries(BULLETS).find(([, styleid]) => styleid === line.bullet_styleid)?.[0];
    if (name !== undefined || site.bulletStyles.has(line.bullet_styleid)) {
      return { bullet: name ?? "custom", styleid: line.bullet_styleid };
    }
    throw invalidValue(
      "lines.bullet_styleid",
      `line ${index + 1}: this site has no bullet style ${line.bullet_styleid}`,
    );
  }
  const styleid = BULLETS[line.bullet ?? ""];
  if (styleid === undefined || line.bullet === undefined) {
    throw invalidValue("lines.bullet", `line ${index + 1}: unknown bullet «${line.bullet}»`);
  }
  return { bullet: line.bullet, styleid };
}

function mediaRecord(site: Site, media: MediaBody, before: StepMedia | undefined, caller: UserRecord): StepMedia {
  if (media.type === "object") return objectRecord(site, media.data, before, caller);
  const kept = before?.type === "image" ? before.ids : [];
  for (const id of media.data.filter((one) => !kept.includes(one))) mustFitStep(site, id, caller);
  return { type: "image", ids: media.data.map((id) => (kept.includes(id) ? id : attachedImage(site, id))) };
}

function objectRecord(site: Site, id: number | null, before: StepMedia | undefined, caller: UserRecord): StepMedia {
  if (id === null) return { type: "image", ids: [] };
  if (before?.type === "video" && before.id === id) return before;
  if (before?.type === "kept" && JSON.stringify(before.answer).includes(`"objectid":${id}`)) return before;
  const embed = site.media.embeds.get(id);
  if (embed !== undefined && mayAttach(embed, caller)) {
    return { type: "kept", answer: { type: "embed", data: embed.loaded } };
  }
  if (!mayAttach(site.media.videos.get(id), caller)) {
    throw invalidValue("media.data", `object ${id} is not in your media manager`);
  }
  return { type: "video", id };
}

function mustFitStep(site: Site, id: number, caller: UserRecord): void {
  const image = site.media.images.get(id);
  if (image === undefined || !mayAttach(image, caller)) {
    throw invalidValue("media.data", `image ${id} is not in your media manager`);
  }
  const { imageWidth, imageHeight } = site.settings.stepLimits;
  if (image.width < imageWidth || image.height < imageHeight) {
    throw invalidValue("media.data", `image ${id} is smaller than ${imageWidth} x ${imageHeight} pixels`);
  }
}

const DEEPEST_LEVEL = 2;
const MOST_IMAGES = 3;

const line = z
  .strictObject({
    text: z
      .string()
      .transform(savedText)
      .refine((text) => text.trim() !== "", "a line has at least 1 character"),
    bullet: z.string().optional(),
    bullet_styleid: z.int().optional(),
    level: z.int().min(0).max(DEEPEST_LEVEL),
    /** Sent by an official client, 0 for a new line, and accepted (facts, 4.4). */
    lineid: z.int().nullable().optional(),
  })
  .refine((one) => one.bullet !== undefined || one.bullet_styleid !== undefined, {
    path: ["bullet"],
    message: "a line needs a bullet or a bullet_styleid",
  });
type LineBody = z.infer<typeof line>;

const lines = z
  .array(line)
  .min(1, "a step has at least 1 line")
  .superRefine((all, context) => {
    for (const [index, { level }] of all.entries()) {
      const before = all[index - 1];
      if (level > (before === undefined ? 0 : before.level + 1)) {
        context.addIssue({ code: "custom", path: [index, "level"], message: INVALID_INDENTATION });
      }
    }
  });

/** The length and number of lines, which each site sets. Throws 422. */
function mustKeepLimits(limits: StepLimits, all: readonly LineBody[]): void {
  if (all.length > limits.lines) throw invalidValue("lines", `a step has 1 to ${limits.lines} lines`);
  for (const [index, { text }] of all.entries())
    if (characters(text) > limits.line)
      throw invalidValue("lines.text", `line ${index + 1}: a line has 1 to ${limits.line} characters`);
}

/** The type's letter case does not matter; `object` is a video or an embed (facts, 4.5). */
const media = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("image"),
    data: z.array(z.int().positive()).max(MOST_IMAGES, `a step has at most ${MOST_IMAGES} images`),
  }),
  z.strictObject({ type: z.literal("object"), data: z.int().positive().nullable() }),
]);
type MediaBody = z.infer<typeof media>;

const anyCaseMedia = z.preprocess(lowerCaseType, media);

function lowerCaseType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  return typeof value.type === "string" ? { ...value, type: value.type.toLowerCase() } : value;
}

/** The body of `PATCH /guides/{guideid}/steps/{stepid}`. */
const STEP_PATCH = z.strictObject({
  title: z.string().transform(savedTitle).optional(),
  lines: lines.optional(),
  media: anyCaseMedia.optional(),
});

/** The body of `POST /guides/{guideid}/steps`: `orderby` and `lines` are required (facts, 4.4). */
const STEP_CREATION = STEP_PATCH.extend({ orderby: z.int().min(1), lines });

/** The body of `PUT /guides/{guideid}/steporder`. */
const STEP_ORDER = z.strictObject({ stepids: z.array(z.int()) });
