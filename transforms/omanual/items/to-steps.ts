import type { Line, Step, StepMedia } from "../../../src/core/model/guide.js";
import type { Key } from "../../../src/core/model/key.js";
import { languageIn } from "../../../src/core/model/key.js";
import { embedAddress } from "../embed-address.js";
import type { ManualEmbed, ManualGuide, ManualLine, ManualMedia, ManualStep } from "../manual.js";
import { type Converting, remark } from "./converting.js";
import { derivedId, idOf } from "./derived-id.js";
import { embeddedVideo, pickImage, pickVideo } from "./pick-media.js";
import { lineText } from "./wiki-text.js";

/** The steps, without those that a server put in from prerequisites: they have those guides' ids (omanual 8). */
export function toSteps({ id, steps }: ManualGuide, converting: Converting): readonly Step[] {
  const own = steps.filter(({ guideId }) => guideId === null || id === null || guideId === id);
  if (own.length < steps.length) {
    const what = `${steps.length - own.length} steps belong to prerequisites, which carry them themselves; they are left out here`;
    remark(converting, { code: "prerequisite-steps", level: "note", path: "steps", what });
  }
  return own.map((step, index) => toStep(step, index, converting));
}

/** A step without an id is known by its place: what else it has may change. */
function toStep(step: ManualStep, index: number, converting: Converting): Step {
  const path = `steps[${index}]`;
  const language = languageIn(converting.key);
  const id = idOf(step.id) ?? derivedId(`${converting.key} step ${index}`);
  const key: Key = `step/${id}${language === undefined || idOf(step.id) === null ? "" : `@${language}`}`;
  return {
    key,
    title: step.title,
    lines: step.lines.map((line, number) => toLine(line, `${path}.lines[${number}]`, converting)),
    media: step.media === null ? { type: "none" } : toStepMedia(step.media, `${path}.media`, converting),
    comments: [],
  };
}

function toLine(line: ManualLine, path: string, converting: Converting): Line {
  return {
    text: lineText(line.text, `${path}.text`, converting),
    bullet: toBullet(line, path, converting),
    bulletStyle: null,
    level: toLevel(line, path, converting),
  };
}

/** Those that every site has; `light_blue` is not one of the format's, yet servers write it. */
const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "light_blue", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

function toBullet({ bullet, text }: ManualLine, path: string, converting: Converting): string {
  const name =
    bullet
      ?.trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_") ?? "";
  if (BULLETS.has(name)) return name;
  const what = `the bullet "${name}" is none of a site's; it is taken as black`;
  if (name !== "") remark(converting, { code: "unknown-bullet", level: "note", path: `${path}.bullet`, what }, text.at);
  return "black";
}

/** How much deeper a line may be than the one before it is `fit`'s concern, as for every source. */
const DEEPEST = 2;

function toLevel({ level, text }: ManualLine, path: string, converting: Converting): number {
  const wanted = level ?? 0;
  const kept = Math.min(Math.max(wanted, 0), DEEPEST);
  const what = `the level ${wanted} is beyond 0 to ${DEEPEST}, which sites know; ${kept} is taken`;
  if (kept !== wanted)
    remark(converting, { code: "level-clamped", level: "loss", path: `${path}.level`, what }, text.at);
  return kept;
}

const NONE: StepMedia = { type: "none" };

export function toStepMedia(media: ManualMedia, path: string, converting: Converting): StepMedia {
  if (media.type === "image") {
    const images = media.images
      .map((image, index) => pickImage(image, `${path}.images[${index}]`, converting))
      .filter((key) => key !== null);
    return images.length === 0 ? NONE : { type: "images", images };
  }
  if (media.type === "embed") return toEmbed(media.embed, path, converting);
  const video = pickVideo(media.video, `${path}.video`, converting);
  return video === null ? NONE : { type: "video", video };
}

/** Sites make the rest of an embed from its address. One that leads into the package is a film of it (write/README.md). */
function toEmbed(embed: ManualEmbed, path: string, converting: Converting): StepMedia {
  const video = embeddedVideo(embed, path, converting);
  if (video !== undefined) return video === null ? NONE : { type: "video", video };
  const { facts, at } = embed;
  const url = embedAddress(embed);
  if (url !== "") return { type: "embed", url, title: facts["title"] || null };
  remark(
    converting,
    { code: "embed-without-address", level: "loss", path, what: "an embed has no address; it is left out" },
    at,
  );
  return NONE;
}
