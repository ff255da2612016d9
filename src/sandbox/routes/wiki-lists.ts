import { isTrue, paged, wholeNumber } from "../server/query.js";
import { type Call, ok, type Reply, type Route } from "../server/route.js";
import { badRequest } from "../server/service-error.js";
import { type WikiRecord, wikiKey } from "../state/wiki.js";
import {
  categoryTree,
  type HierarchyChoice,
  hierarchyOrder,
  hierarchyView,
  leafTitles,
} from "../views/hierarchy-view.js";
import { renderText } from "../views/render-text.js";
import { childrenOf, lightWiki } from "../views/wiki-view.js";
import { NAMESPACE_PATH, namespaceAt, sourceWiki } from "./find-wiki.js";

/** Lists of wikis, the category tree, tags of the site (facts, 4.6, 8.1, 8.5). */
export const WIKI_LISTS: readonly Route[] = [
  { method: "GET", path: NAMESPACE_PATH, access: "anyone", run: listWikis },
  {
    method: "GET",
    path: "/wikis/CATEGORY/:title/children",
    access: "anyone",
    run: (call) => ok(childrenOf(call.site, sourceWiki(call, "CATEGORY")).map((wiki) => lightWiki(call.site, wiki))),
  },
  { method: "GET", path: "/wikis/CATEGORY/:title/identification", access: "anyone", run: identification },
  { method: "GET", path: "/categories", access: "anyone", run: (call) => ok(categoryTree(call.site, choiceOf(call))) },
  {
    method: "GET",
    path: "/categories/all",
    access: "anyone",
    run: (call) => ok(paged([...call.site.categoryParents.keys()].toSorted(), call.query)),
  },
];

type Display = (call: Call, wikis: readonly WikiRecord[]) => unknown;

/** What `display` may ask for; the hierarchies are not paged and only for CATEGORY. */
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

/** How somebody knows that it is this thing; the answer is not public (facts, 12). */
function identification(call: Call): Reply {
  const wiki = sourceWiki(call, "CATEGORY");
  const text = wiki.loaded["identification_raw"];
  const raw = typeof text === "string" ? text : "";
  const { wikiid, title } = wiki;
  return ok({ wikiid, title, identification_raw: raw, identification_rendered: renderText(call.site, raw) });
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
