import { mustModerate } from "../rules/rights.js";
import { bodyObject } from "../server/check.js";
import { answerType, isPresent, revisionOf, wholeNumber } from "../server/query.js";
import { type AccountCall, type Call, created, NO_CONTENT, ok, type Reply, type Route } from "../server/route.js";
import { badRequest, invalidValue, missingField, notFound } from "../server/service-error.js";
import { wikiKey } from "../state/wiki.js";
import { wikiReadView, wikiView } from "../views/wiki-view.js";
import { categoryXml } from "../views/xml/category-xml.js";
import { setParent } from "../writes/parent-write.js";
import { withoutTag, withTag } from "../writes/tag-writes.js";
import { createWiki, deleteWiki, namespaceOf, patchWiki, reviseWiki, startTranslation } from "../writes/wiki-writes.js";
import { mustBeCurrent, mustEditWiki, newestEdit, sourceWiki, titleAt, translationOf, WIKI_PATH } from "./find-wiki.js";

/** One wiki: read, write, delete, revert, move, tag (facts, 8.1 to 8.4). */
export const WIKIS: readonly Route[] = [
  { method: "GET", path: WIKI_PATH, access: "anyone", run: readWiki },
  {
    method: "GET",
    path: "/categories/:title",
    access: "anyone",
    run: (call) => ok(wikiReadView(call.site, sourceWiki(call, "CATEGORY"), call.caller, false)),
  },
  { method: "POST", path: "/wikis", access: "account", run: addWikiPage },
  { method: "PATCH", path: WIKI_PATH, access: "account", run: changeWiki },
  { method: "DELETE", path: WIKI_PATH, access: "account", run: removeWiki },
  { method: "POST", path: `${WIKI_PATH}/revert`, access: "account", run: revertWiki },
  { method: "PUT", path: "/wikis/CATEGORY/:title/parent", access: "account", run: (call) => move(call, "CATEGORY") },
  { method: "PUT", path: "/wikis/WIKI/:title/parent", access: "account", run: (call) => move(call, "WIKI") },
  { method: "GET", path: `${WIKI_PATH}/tags`, access: "anyone", run: (call) => ok(sourceWiki(call).tags) },
  { method: "PUT", path: `${WIKI_PATH}/tag`, access: "account", run: (call) => setTags(call, true) },
  { method: "DELETE", path: `${WIKI_PATH}/tag`, access: "account", run: (call) => setTags(call, false) },
];

function readWiki(call: Call): Reply {
  const type = answerType(call.query);
  const source = sourceWiki(call);
  const unpatrolled = isPresent(call.query, "unpatrolled");
  const released = isPresent(call.query, "only_released");
  if (released && !call.site.releasedWikis.has(source.wikiid)) throw notFound("Wiki not found.");
  const shown = released ? (call.site.releasedWikis.get(source.wikiid) ?? source) : source;
  const approved = translationOf(call, source) ?? shown;
  const wiki = unpatrolled ? newestEdit(call, approved) : approved;
  if (type === "JSON") return ok(wikiReadView(call.site, wiki, call.caller, unpatrolled));
  if (wiki.namespace !== "CATEGORY") throw badRequest("Only wikis of the namespace CATEGORY are available as XML.");
  return { status: 200, xml: categoryXml(wikiView(call.site, wiki, call.caller)) };
}

function addWikiPage(call: AccountCall): Reply {
  const body = bodyObject(call.json());
  mustEditWiki(call, namespaceOf(body["namespace"]), String(body["title"]));
  return created(wikiView(call.site, createWiki(call.site, body, call.caller), call.caller));
}

/** A `langid` that has no translation yet starts one, from the source's revision (facts, 8.1). */
function changeWiki(call: AccountCall): Reply {
  const source = newestEdit(call, sourceWiki(call));
  mustEditWiki(call, source.namespace, source.title);
  const isIgnored = call.site.settings.pageTranslations === "ignored";
  const langid = (isIgnored ? null : call.query.get("langid")) ?? source.langid;
  const translation = langid === source.langid ? source : translationOf(call, source);
  mustBeCurrent(call, translation ?? source);
  const changed =
    translation === undefined
      ? startTranslation(call.site, source, langid, call.json(), call.caller)
      : patchWiki(call.site, translation, call.json(), call.caller);
  return ok(wikiView(call.site, changed, call.caller));
}

function removeWiki(call: AccountCall): Reply {
  const source = sourceWiki(call);
  mustEditWiki(call, source.namespace, source.title);
  const wiki = translationOf(call, source) ?? source;
  mustBeCurrent(call, wiki);
  const isParent = [...call.site.categoryParents.values()].includes(wiki.title);
  if (wiki === source && wiki.namespace === "CATEGORY" && isParent) {
    throw invalidValue("title", `«${wiki.title}» has categories below it`);
  }
  deleteWiki(call.site, wiki);
  return NO_CONTENT;
}

/** The display title stays as it is now (facts, 8.1). */
function revertWiki(call: AccountCall): Reply {
  const source = sourceWiki(call);
  mustEditWiki(call, source.namespace, source.title);
  const wiki = translationOf(call, source) ?? source;
  revisionOf(call.query);
  const wanted = wholeNumber(call.query, "to_revisionid");
  if (wanted === undefined) throw missingField("to_revisionid");
  mustBeCurrent(call, wiki);
  const old = call.site.wikiHistory.get(wanted);
  if (old === undefined || old.wikiid !== wiki.wikiid || old.langid !== wiki.langid || old === wiki) {
    throw invalidValue("to_revisionid", "it must be another revision of this wiki in this language");
  }
  const reverted = { ...old, displayTitle: wiki.displayTitle, tags: wiki.tags };
  return ok(wikiView(call.site, reviseWiki(call.site, wiki, reverted), call.caller));
}

function move(call: AccountCall, namespace: "CATEGORY" | "WIKI"): Reply {
  const wiki = sourceWiki(call, namespace);
  mustBeCurrent(call, wiki);
  return ok(wikiView(call.site, setParent(call.site, wiki, call.json()), call.caller));
}

/** Tags make no revision and need none; the answer is the wiki with its new tags (facts, 4.6). */
function setTags(call: AccountCall, add: boolean): Reply {
  mustModerate(call.caller);
  const wiki = sourceWiki(call);
  const tags = add ? withTag(call.site, wiki.tags, call.json()) : withoutTag(wiki.tags, call.json());
  const tagged = { ...wiki, tags };
  call.site.wikis.set(wikiKey(wiki.namespace, titleAt(call)), tagged);
  return ok(wikiView(call.site, tagged, call.caller));
}
