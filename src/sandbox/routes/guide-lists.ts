import { maySee } from "../rules/rights.js";
import { isTrue, ordered, paged, wholeNumber } from "../server/query.js";
import { type AccountCall, type Call, ok, type Route } from "../server/route.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { guideSummary } from "../views/guide-summary-view.js";

const MOST_GUIDEIDS = 50;
const FEATURED = ["GUIDE_STARRED", "GUIDE_FEATURED_STUDENT"];

/** Lists of guides (facts, 3.1): of the site, featured, of the caller, of a user. */
export const GUIDE_LISTS: readonly Route[] = [
  { method: "GET", path: "/guides", access: "anyone", run: listGuides },
  { method: "GET", path: "/guides/featured", access: "anyone", run: listFeatured },
  { method: "GET", path: "/user/guides", access: "account", run: (call) => listOfUser(call, call.caller.userid, true) },
  {
    method: "GET",
    path: "/users/:userid{[0-9]+}/guides",
    access: "anyone",
    run: (call) => listOfUser(call, Number(call.parameter("userid")), false),
  },
];

async function listGuides(call: Call) {
  await call.beforeList();
  const { site, query } = call;
  const guideids = query.get("guideids");
  const shown = sourceGuides(site).filter((guide) => guide.public || takesPrivate(call));
  if (guideids !== null) {
    // Only the first 50 count, and every other filter is ignored (facts, 1.2).
    const wanted = guideids.split(",").slice(0, MOST_GUIDEIDS).map(Number);
    return ok(shown.filter((guide) => wanted.includes(guide.guideid)).map((guide) => guideSummary(site, guide)));
  }
  const types = query.get("filter")?.split(",");
  const since = wholeNumber(query, "modifiedSince") ?? 0;
  const list = shown
    .filter((guide) => types === undefined || types.includes(guide.type))
    .filter((guide) => guide.dates.modified >= since);
  return ok(paged(ordered(list, query), query).map((guide) => guideSummary(site, guide)));
}

async function listFeatured(call: Call) {
  await call.beforeList();
  const list = sourceGuides(call.site).filter(
    (guide) => guide.public && guide.flags.some((flag) => FEATURED.includes(flag)),
  );
  return ok(paged(list, call.query).map((guide) => guideSummary(call.site, guide)));
}

/** One row a language; what can't be seen is left out after paging, so that a page can be short before the end (facts, 1.2). */
async function listOfUser(call: Call | AccountCall, userid: number, own: boolean) {
  await call.beforeList();
  const { site, query } = call;
  const list = [...site.guides.values()].filter((guide) => guide.author === userid).toSorted(byId);
  const page = paged(ordered(list, query), query);
  const shown = page.filter((guide) => !guide.deleted && (own || maySee(guide, call.caller)));
  return ok(shown.map((guide) => guideSummary(site, guide)));
}

/** The guides of the site in id order, in their source language. */
function sourceGuides(site: Site): readonly GuideRecord[] {
  return [...site.guides]
    .filter(([key, guide]) => key === guideKey(guide.guideid) && !guide.deleted)
    .map(([, guide]) => guide)
    .toSorted(byId);
}

/** `includePrivate` works for admins; for others it is ignored. */
function takesPrivate(call: Call): boolean {
  return call.caller?.admin === true && isTrue(call.query, "includePrivate");
}

function byId(one: GuideRecord, other: GuideRecord): number {
  return one.guideid - other.guideid;
}
