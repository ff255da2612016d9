import type { Answer } from "../state/answer.js";
import type { GuideRecord, LineRecord, StepMedia, StepRecord } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { asSpecified } from "./as-specified.js";
import { commentsOf } from "./comment-view.js";
import { addressOf, imageView } from "./image-view.js";
import { renderLine } from "./render-text.js";
import { videoView } from "./video-view.js";

/** A step (facts, 3.4) at its position in its own guide, counted from 1. */
export function stepView(site: Site, guide: GuideRecord, step: StepRecord): Answer {
  const dozuki =
    site.settings.dialect === "dozuki" ? { imageURL: previewAddress(site, step.media), time_estimate: 0 } : {};
  return asSpecified(site, "step", {
    ...dozuki,
    ...step.loaded,
    stepid: step.stepid,
    guideid: guide.guideid,
    orderby: guide.steps.findIndex((one) => one.stepid === step.stepid) + 1,
    revisionid: step.revisionid,
    title: step.title,
    lines: step.lines.map((line) => asSpecified(site, "line", line)),
    media: mediaView(site, step.media),
    comments: commentsOf(site, "step", step.stepid),
    ...("imageURL" in dozuki ? { imageURL: dozuki.imageURL } : {}),
  });
}

/** A new line as it reads; a bullet without a name of its own is shown by its style. */
export function lineRecord(site: Site, text: string, bullet: string, level: number, styleid: number): LineRecord {
  const line = { text_raw: text, text_rendered: renderLine(site, text), bullet, level, lineid: null };
  if (site.settings.dialect !== "dozuki") return line;
  const style = site.bulletStyles.get(styleid) ?? { bullet_styleid: styleid };
  return { ...line, bullet_styleid: styleid, bullet_style: style };
}

function mediaView(site: Site, media: StepMedia): Answer {
  if (media.type === "kept") return media.answer;
  if (media.type === "image") return { type: "image", data: media.ids.map((id) => imageView(site, id)) };
  const video = site.media.videos.get(media.id);
  return { type: "video", data: video === undefined ? null : videoView(site, video) };
}

function previewAddress(site: Site, media: StepMedia): string | null {
  if (media.type === "image") return addressOf(site, media.ids[0] ?? null, "mini");
  if (media.type === "video") return addressOf(site, site.media.videos.get(media.id)?.image ?? null, "mini");
  return null;
}
