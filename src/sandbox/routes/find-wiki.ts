import { revisionOf } from "../server/query.js";
import type { AccountCall, Call } from "../server/route.js";
import { conflict, forbidden, notFound } from "../server/service-error.js";
import { NAMESPACES, type Namespace, type WikiRecord, wikiKey } from "../state/wiki.js";
import { wikiView } from "../views/wiki-view.js";

/** The namespaces as the router matches them: any other one is a path that does not exist. */
export const NAMESPACE_PATH = `/wikis/:namespace{(?:${NAMESPACES.join("|")})}`;
export const WIKI_PATH = `${NAMESPACE_PATH}/:title`;

export function namespaceAt(call: Call): Namespace {
  const namespace = NAMESPACES.find((one) => one === call.parameter("namespace"));
  if (namespace === undefined) throw notFound("Endpoint not found");
  return namespace;
}

/** The title of the path; `_` reads as a space (facts, 1.1). */
export function titleAt(call: Call): string {
  return call.parameter("title").replaceAll("_", " ");
}

/** The wiki of the path in its source language; 404. */
export function sourceWiki(call: Call, namespace = namespaceAt(call)): WikiRecord {
  const wiki = call.site.wikis.get(wikiKey(namespace, titleAt(call)));
  if (wiki === undefined) throw notFound("Wiki not found.");
  return wiki;
}

/** The newest edit of a wiki, also one that nobody has approved yet. */
export function newestEdit(call: Call, wiki: WikiRecord): WikiRecord {
  const pending = call.site.pendingWikis.get(wiki.wikiid);
  return pending?.langid === wiki.langid ? pending : wiki;
}

/** The translation that the query's `langid` asks for; undefined when it asks for none or there is none. */
export function translationOf(call: Call, source: WikiRecord): WikiRecord | undefined {
  const langid = call.query.get("langid");
  if (langid === null || langid === source.langid) return undefined;
  return call.site.wikis.get(wikiKey(source.namespace, source.title, langid));
}

/** Throws unless the query names the wiki's current revision: 422 without one, 409 with the current wiki for another. */
export function mustBeCurrent(call: AccountCall, wiki: WikiRecord): void {
  if (revisionOf(call.query) !== wiki.revisionid) throw conflict(wikiView(call.site, wiki, call.caller));
}

/** People write their own page, admins every page. */
export function mustEditWiki(call: AccountCall, namespace: Namespace, title: string): void {
  const own = namespace === "USER" && title === String(call.caller.userid);
  if (!call.caller.admin && namespace !== "WIKI" && namespace !== "ITEM" && namespace !== "CATEGORY" && !own) {
    throw forbidden("You may not edit this page.", ["Admin"]);
  }
}
