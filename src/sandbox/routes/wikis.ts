import {
  badRequest,
  bodyObject,
  conflict,
  forbidden,
  invalidValue,
  missingField,
  mustModerate,
  notFound,
} from "../rules.js";
import {
  type AccountCall,
  answerType,
  type Call,
  created,
  hasFlag,
  isTrue,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
  revisionOf,
  route,
  wholeNumber,
} from "../server/route.js";
import { NAMESPACES, type Namespace, type WikiRecord, wikiKey } from "../site/records.js";
import {
  categoryTree,
  childrenOf,
  type HierarchyChoice,
  hierarchyOrder,
  hierarchyView,
  leafTitles,
  lightWiki,
  wikiReadView,
  wikiView,
} from "../views/wiki.js";
import { categoryXml } from "../views/xml.js";
import { withoutTag, withTag } from "../writes/tags.js";
import {
  createWiki,
  deleteWiki,
  namespaceOf,
  patchWiki,
  reviseWiki,
  setParent,
  startTranslation,
} from "../writes/wiki.js";

/** The namespaces for the router: any other one is a path that does not exist. */
const NAMESPACE_PATH = `/wikis/:namespace{(?:${NAMESPACES.join("|")})}`;
const WIKI_PATH = `${NAMESPACE_PATH}/:title`;

function namespaceAt(call: Call): Namespace {
  const namespace = NAMESPACES.find((one) => one === call.parameter("namespace"));
  if (namespace === undefined) throw notFound("Endpoint not found");
  return namespace;
}

/** The title of the path; `_` reads as a space (facts, 1.1). */
function titleAt(call: Call): string {
  return call.parameter("title").replaceAll("_", " ");
}

/** The wiki of the path in its source language; 404. */
function sourceWiki(call: Call, namespace = namespaceAt(call)): WikiRecord {
  const wiki = call.site.wikis.get(wikiKey(namespace, titleAt(call)));
  if (wiki === undefined) throw notFound("Wiki not found.");
  return wiki;
}

function newestEdit(call: Call, wiki: WikiRecord): WikiRecord {
  const pending = call.site.pendingWikis.get(wiki.wikiid);
  return pending?.langid === wiki.langid ? pending : wiki;
}

/** The translation for the query's `langid`; undefined: none is asked for, or there is none. */
function translationOf(call: Call, source: WikiRecord): WikiRecord | undefined {
  const langid = call.query.get("langid");
  if (langid === null || langid === source.langid) return undefined;
  return call.site.wikis.get(wikiKey(source.namespace, source.title, langid));
}

/** Throws 422 without a revision in the query, 409 for another than the current one. */
function mustBeCurrent(call: AccountCall, wiki: WikiRecord): void {
  if (revisionOf(call.query) !== wiki.revisionid) throw conflict(wikiView(call.site, wiki, call.caller));
}

/** People write their own page, admins every page. */
function mustEditWiki(call: AccountCall, namespace: Namespace, title: string): void {
  const own = namespace === "USER" && title === String(call.caller.userid);
  if (!call.caller.admin && namespace !== "WIKI" && namespace !== "ITEM" && namespace !== "CATEGORY" && !own) {
    throw forbidden("You may not edit this page.", ["Admin"]);
  }
}

/** One wiki: read, write, delete, revert, move, tag (facts, 8.1 to 8.4). */
const WIKIS: readonly Route[] = [
  route("anyone", `GET ${WIKI_PATH}`, readWiki),
  route("anyone", "GET /categories/:title", (call) =>
    ok(wikiReadView(call.site, sourceWiki(call, "CATEGORY"), call.caller, false)),
  ),
  route("account", "POST /wikis", addWikiPage),
  route("account", `PATCH ${WIKI_PATH}`, changeWiki),
  route("account", `DELETE ${WIKI_PATH}`, removeWiki),
  route("account", `POST ${WIKI_PATH}/revert`, revertWiki),
  route("account", "PUT /wikis/CATEGORY/:title/parent", (call) => move(call, "CATEGORY")),
  route("account", "PUT /wikis/WIKI/:title/parent", (call) => move(call, "WIKI")),
  route("anyone", `GET ${WIKI_PATH}/tags`, (call) => ok(sourceWiki(call).tags)),
  route("account", `PUT ${WIKI_PATH}/tag`, (call) => setTags(call, true)),
  route("account", `DELETE ${WIKI_PATH}/tag`, (call) => setTags(call, false)),
];

function readWiki(call: Call): Reply {
  const type = answerType(call.query);
  const source = sourceWiki(call);
  const unpatrolled = hasFlag(call.query, "unpatrolled");
  const released = hasFlag(call.query, "only_released");
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

/** A new `langid` starts a translation from the source's revision (facts, 8.1). */
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

/** The display title does not change (facts, 8.1). */
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

/** Tags change and need no revision; the answer is the wiki with its new tags (facts, 4.6). */
function setTags(call: AccountCall, add: boolean): Reply {
  mustModerate(call.caller);
  const wiki = sourceWiki(call);
  const tags = add ? withTag(call.site, wiki.tags, call.json()) : withoutTag(wiki.tags, call.json());
  const tagged = { ...wiki, tags };
  call.site.wikis.set(wikiKey(wiki.namespace, titleAt(call)), tagged);
  return ok(wikiView(call.site, tagged, call.caller));
}

/** Lists of wikis, the category tree, tags of the site (facts, 4.6, 8.1, 8.5). */
const WIKI_LISTS: readonly Route[] = [
  route("anyone", `GET ${NAMESPACE_PATH}`, listWikis),
  route("anyone", "GET /wikis/CATEGORY/:title/children", (call) =>
    ok(childrenOf(call.site, sourceWiki(call, "CATEGORY")).map((wiki) => lightWiki(call.site, wiki))),
  ),
  // The answer is not public (facts, 12).
  route("anyone", "GET /wikis/CATEGORY/:title/identification", (call) =>
    ok(lightWiki(call.site, sourceWiki(call, "CATEGORY"))),
  ),
  route("anyone", "GET /categories", (call) => ok(categoryTree(call.site, choiceOf(call)))),
  route("anyone", "GET /categories/all", (call) =>
    ok(paged([...call.site.categoryParents.keys()].toSorted(), call.query)),
  ),
];

type Display = (call: Call, wikis: readonly WikiRecord[]) => unknown;

/** The values of `display`; the hierarchies have no pages and are only for CATEGORY. */
const DISPLAYS: Readonly<Record<string, Display>> = {
  objects: (call, wikis) => paged(wikis, call.query).map((wiki) => lightWiki(call.site, wiki)),
  titles: (call, wikis) => paged(wikis, call.query).map((wiki) => wiki.title),
  leaves: (call, wikis) => {
    const leaves = leafTitles(call.site);
    const list = wikis.filter((wiki) => wiki.namespace !== "CATEGORY" || leaves.includes(wiki.title));
    return paged(list, call.query).map((wiki) => lightWiki(call.site, wiki));
  },
  hierarchy: (call) => hierarchyView(call.site, choiceOf(call)),
  hierarchyOrder: (call) => hierarchyOrder(call.site, choiceOf(call)),
};

async function listWikis(call: Call): Promise<Reply> {
  await call.beforeList();
  const name = call.query.get("display") ?? "objects";
  const display = DISPLAYS[name];
  const namespace = namespaceAt(call);
  if (display === undefined) throw badRequest(`display must be one of ${Object.keys(DISPLAYS).join(", ")}`);
  if (name.startsWith("hierarchy") && namespace !== "CATEGORY")
    throw badRequest(`display=${name} is for CATEGORY only`);
  const since = wholeNumber(call.query, "modifiedSince");
  const langid = call.query.get("langid");
  const wikis = [...call.site.wikis]
    .filter(([key, wiki]) => wiki.namespace === namespace && key === wikiKey(namespace, wiki.title))
    .map(([, wiki]) => (langid === null ? wiki : (call.site.wikis.get(wikiKey(namespace, wiki.title, langid)) ?? wiki)))
    .filter((wiki) => wiki.dates.modified >= (since ?? 0))
    .toSorted(since === undefined ? byTitle : newestFirst);
  return ok(display(call, wikis));
}

function choiceOf(call: Call): HierarchyChoice {
  const langid = call.query.get("langid");
  return {
    requireGuides: isTrue(call.query, "requireGuides"),
    includeStubs: isTrue(call.query, "includeStubs"),
    ...(langid === null ? {} : { langid }),
  };
}

function byTitle(one: WikiRecord, other: WikiRecord): number {
  return one.title < other.title ? -1 : Number(one.title > other.title);
}

function newestFirst(one: WikiRecord, other: WikiRecord): number {
  return other.revisionid - one.revisionid;
}

/** A fixed path comes before a pattern that matches it too. */
export const WIKI_ROUTES: readonly Route[] = [...WIKI_LISTS, ...WIKIS];
