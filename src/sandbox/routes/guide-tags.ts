import { mustModerate } from "../rules/rights.js";
import { type AccountCall, ok, type Reply, type Route } from "../server/route.js";
import { guideKey } from "../state/guide.js";
import { guideView } from "../views/guide-view.js";
import { alphabetically, withoutTag, withTag } from "../writes/tag-writes.js";
import { guideOf, guideOrForbidden } from "./find-guide.js";

const GUIDE = "/guides/:guideid{[0-9]+}";

/** The tags of a guide, which stand outside of its object (facts, 4.6). */
export const GUIDE_TAGS: readonly Route[] = [
  { method: "GET", path: `${GUIDE}/tags`, access: "anyone", run: (call) => ok(guideOrForbidden(call).tags) },
  { method: "PUT", path: `${GUIDE}/tag`, access: "account", run: (call) => setTags(call, true) },
  { method: "DELETE", path: `${GUIDE}/tag`, access: "account", run: (call) => setTags(call, false) },
];

/** Tags make no revision and need none; the answer is the guide, which carries no tags (facts, 4.6). */
function setTags(call: AccountCall, add: boolean): Reply {
  mustModerate(call.caller);
  const guide = guideOf(call);
  const tags = add
    ? withTag(call.site, guide.tags, call.json()).toSorted(alphabetically)
    : withoutTag(guide.tags, call.json());
  const tagged = { ...guide, tags };
  call.site.guides.set(guideKey(guide.guideid), tagged);
  return ok(guideView(call.site, tagged, call.caller));
}
