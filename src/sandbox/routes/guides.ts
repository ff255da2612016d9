import { answerType, isPresent, wholeNumber } from "../server/query.js";
import { type AccountCall, type Call, created, NO_CONTENT, ok, type Reply, type Route } from "../server/route.js";
import { badRequest, forbidden, invalidValue, notFound } from "../server/service-error.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import { guideView } from "../views/guide-view.js";
import { guideXml } from "../views/xml/guide-xml.js";
import { startGuideTranslation } from "../writes/guide-translations.js";
import { createGuide, deleteGuide, patchGuide, restoreGuide, reviseGuide } from "../writes/guide-writes.js";
import { guideAtRevision, guideInLanguage, languageOfWrite, translationAtRevision } from "./find-guide.js";

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
    run: changeGuide,
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
  { method: "POST", path: `${GUIDE}/:langid/restore`, access: "admin", run: restore },
  { method: "PUT", path: `${GUIDE}/public`, access: "account", run: (call) => setPublic(call, true) },
  { method: "DELETE", path: `${GUIDE}/public`, access: "account", run: (call) => setPublic(call, false) },
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

/** A `langid` that has no translation yet starts one, where the site has it so. */
function changeGuide(call: AccountCall): Reply {
  const langid = languageOfWrite(call);
  if (langid === undefined) return shown(call, patchGuide(call.site, guideAtRevision(call), call.json(), call.caller));
  const { source, translation } = translationAtRevision(call, langid);
  const changed =
    translation === undefined
      ? startGuideTranslation(call.site, source, langid, call.json(), call.caller)
      : patchGuide(call.site, translation, call.json(), call.caller);
  return shown(call, changed);
}

/** The revision counts in the query only: one in the body is not seen (facts, 4.3). */
function setPublic(call: AccountCall, isPublic: boolean): Reply {
  const guide = guideAtRevision(call);
  call.json();
  return shown(call, reviseGuide(call.site, guide, { ...guide, public: isPublic }));
}

/** A translation hangs on its source: the source comes back first. What is not deleted is answered as it is. */
function restore(call: AccountCall): Reply {
  const source = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (source === undefined) throw notFound("Guide not found.");
  const langid = call.parameter("langid");
  if (!call.site.settings.languages.includes(langid)) throw badRequest("No such language.");
  if (source.deleted && langid !== source.langid) {
    throw invalidValue("langid", `the guide itself is deleted: restore «${source.langid}» first`);
  }
  const restored = restoreGuide(call.site, source.guideid, langid);
  if (restored === undefined) throw notFound("The guide has no such language.");
  return shown(call, restored);
}

function shown(call: AccountCall, guide: GuideRecord): Reply {
  return ok(guideView(call.site, guide, call.caller));
}
