import type { Issue } from "../../src/core/model/issue.js";
import type { MediaItem } from "../../src/core/model/item.js";
import { applyRules } from "./apply-rules.js";
import type { FitContext } from "./context.js";
import { MEDIA_RULES } from "./media-rules.js";
import type { FitOutcome } from "./outcome.js";

/**
 * Whether the site takes an image, video or document. Bytes are never changed, so a breach always refuses it: with
 * errors under the policy `refuse`, under the others with losses, since the items that use it go without it.
 */
export function fitMedia(item: MediaItem, context: FitContext): FitOutcome<MediaItem> {
  const { findings } = applyRules(MEDIA_RULES[item.kind], item.body, context);
  const refused = findings.map((finding): Issue => ({ ...finding, key: item.key }));
  return { item: refused.length === 0 ? item : undefined, issues: [], refused };
}
