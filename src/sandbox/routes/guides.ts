import { answerType, isPresent, wholeNumber } from "../server/query.js";
import { type AccountCall, type Call, created, NO_CONTENT, ok, type Reply, type Route } from "../server/route.js";
import { badRequest, forbidden, notFound } from "../server/service-error.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import { guideView } from "../views/guide-view.js";
import { guideXml } from "../views/xml/guide-xml.js";
import { createGuide, deleteGuide, patchGuide, reviseGuide } from "../writes/guide-writes.js";
import { guideAtRevision, guideInLanguage, guideOf } from "./find-guide.js";

const GUIDE = "/guides/:guideid{[0-9]+}";

/** One guide: read, write, delete, restore, publish (facts, 3.1, 4.1 to 4.3). */
export const GUIDES: readonly Route[] = [
  { method: "GET", path: GUIDE, access: "anyone", run: readGuide },
  {
    method: "POST",
    path: "/guides",
    access: "account",
    run: (call) => created(guideView(call.site, createGuide(call.site, call.json(), call.caller), call.caller)),
  },
  {
    method: "PATCH",
    path: GUIDE,
    access: "account",
    run: (call) => shown(call, patchGuide(call.site, guideAtRevision(call), call.json(), call.caller)),
  },
  {
    method: "DELETE",
    path: GUIDE,
    access: "account",
    run: (call) => {
      deleteGuide(call.site, guideAtRevision(call).guideid);
      return NO_CONTENT;
    },
  },
  { method: "POST", path: `${GUIDE}/:langid/restore`, access: "admin", run: restoreGuide },
  { method: "PUT", path: `${GUIDE}/public`, access: "account", run: (call) => setPublic(call, true) },
  { method: "DELETE", path: `${GUIDE}/public`, access: "account", run: (call) => setPublic(call, false) },
  { method: "PUT", path: `${GUIDE}/completed`, access: "account", run: (call) => setCompleted(call, true) },
  { method: "DELETE", path: `${GUIDE}/completed`, access: "account", run: (call) => setCompleted(call, false) },
];

function readGuide(call: Call): Reply {
  const type = answerType(call.query);
  const guide = guideInLanguage(call);
  const revision = wholeNumber(call.query, "revisionid");
  const known = Object.values(guide.revisions);
  if (revision !== undefined && !known.includes(revision)) throw forbidden("You may not read old revisions.");
  const inlined = !isPresent(call.query, "excludePrerequisiteSteps");
  if (type === "XML") return { status: 200, xml: guideXml(guideView(call.site, guide, call.caller)) };
  return ok(guideView(call.site, guide, call.caller, inlined));
}

/** The revision counts in the query only: one in the body is not seen (facts, 4.3). */
function setPublic(call: AccountCall, isPublic: boolean): Reply {
  const guide = guideAtRevision(call);
  call.json();
  return shown(call, reviseGuide(call.site, guide, { ...guide, public: isPublic }));
}

function restoreGuide(call: AccountCall): Reply {
  const guide = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (guide === undefined) throw notFound("Guide not found.");
  if (!call.site.settings.languages.includes(call.parameter("langid"))) throw badRequest("No such language.");
  if (guide.deleted) deleteGuide(call.site, guide.guideid, false);
  return shown(call, guideOf(call));
}

function setCompleted(call: AccountCall, completed: boolean): Reply {
  const guide = guideOf(call);
  call.json();
  const others = guide.completedBy.filter((userid) => userid !== call.caller.userid);
  const completedBy = completed ? [...others, call.caller.userid] : others;
  call.site.guides.set(guideKey(guide.guideid), { ...guide, completedBy });
  return NO_CONTENT;
}

function shown(call: AccountCall, guide: GuideRecord): Reply {
  return ok(guideView(call.site, guide, call.caller));
}
