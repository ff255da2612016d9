import type { Wiki } from "../../../src/core/model/wiki.js";
import { withField } from "../change.js";
import type { FitRule } from "../rule.js";
import { fitKey, fitKeys, mediaRefused } from "./media-refused.js";

/** The media of a wiki that stand outside of its text. */
export const wikiMedia: FitRule<Wiki> = {
  rows: [mediaRefused.row],
  fit(wiki, context) {
    const image = withField(wiki, "image", fitKey(wiki.image, "image", context));
    const documents = withField(image.value, "documents", fitKeys(wiki.documents, "documents", context));
    return { value: documents.value, findings: [...image.findings, ...documents.findings] };
  },
};
