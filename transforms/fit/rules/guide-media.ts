import type { Guide } from "../../../src/core/model/guide.js";
import { withField } from "../change.js";
import type { FitRule } from "../rule.js";
import { fitKey, fitKeys, mediaRefused } from "./media-refused.js";

/** The media of a guide that stand outside of its steps. */
export const guideMedia: FitRule<Guide> = {
  rows: [mediaRefused.row],
  fit(guide, context) {
    const image = withField(guide, "image", fitKey(guide.image, "image", context));
    const video = withField(
      image.value,
      "introductionVideo",
      fitKey(guide.introductionVideo, "introductionVideo", context),
    );
    const documents = withField(video.value, "documents", fitKeys(guide.documents, "documents", context));
    const featured = fitKey(guide.featuredDocument, "featuredDocument", context);
    const { value } = withField(documents.value, "featuredDocument", featured);
    return { value, findings: [image, video, documents, featured].flatMap((change) => change.findings) };
  },
};
