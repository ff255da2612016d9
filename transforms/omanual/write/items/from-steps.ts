import type { Line, Step, StepMedia } from "../../../../src/core/model/guide.js";
import type { ManualImage, ManualLine, ManualMedia, ManualStep } from "../../manual.js";
import { attributeText } from "./fields.js";
import { imageOf } from "./from-media.js";
import { manualText } from "./from-text.js";
import { mediumOf, type Writing } from "./write-context.js";

export function fromSteps(steps: readonly Step[], writing: Writing): readonly ManualStep[] {
  return steps.map(({ title, lines, media }, index) => {
    const path = `steps[${index}]`;
    return {
      id: null,
      guideId: null,
      number: index + 1,
      title: attributeText(title, `${path}.title`, writing),
      lines: lines.map((line, place) => fromLine(line, `${path}.lines[${place}]`, writing)),
      media: fromStepMedia(media, `${path}.media`, writing),
    };
  });
}

function fromLine({ text, bullet, level }: Line, path: string, writing: Writing): ManualLine {
  if (level < 0 || level > 2) {
    const message = `The level ${level} is beyond 0 to 2, which readers take.`;
    writing.tell({ code: "level", level: "loss", path: `${path}.level`, message });
  }
  return { bullet, level, text: manualText(text, "line", `${path}.text`, writing) };
}

function fromStepMedia(media: StepMedia, path: string, writing: Writing): ManualMedia | null {
  if (media.type === "none") return null;
  if (media.type === "embed") {
    const version = "1.0";
    return { type: "embed", embed: { facts: { version, url: media.url }, text: media.url } };
  }
  if (media.type === "images") return fromImages(media.images, path, writing);
  const file = mediumOf(media.video, path, writing);
  return file === undefined
    ? null
    : { type: "video", video: { id: null, encodings: [{ path: file, facts: {} }], source: {}, poster: null } };
}

function fromImages(keys: Extract<StepMedia, { type: "images" }>["images"], path: string, writing: Writing) {
  const images = keys.flatMap((key, index): readonly ManualImage[] => {
    const image = imageOf(key, `${path}.images[${index}]`, writing);
    return image === null ? [] : [{ ...image, order: index + 1 }];
  });
  if (images.length > 0) return { type: "image" as const, images };
  const message = "None of the images of the step is here; it is written without a medium.";
  if (keys.length > 0) writing.tell({ code: "media-missing", level: "loss", path, message });
  return null;
}
