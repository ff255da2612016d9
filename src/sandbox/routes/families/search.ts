import { maySee } from "../../rules/rights.js";
import { pageOf } from "../../server/query.js";
import { type Call, ok, type Reply, type Route } from "../../server/route.js";
import { badRequest } from "../../server/service-error.js";
import type { Answer } from "../../state/answer.js";
import { guideKey } from "../../state/guide.js";
import { type Namespace, wikiKey } from "../../state/wiki.js";
import { guideSummary } from "../../views/guide-summary-view.js";
import { lightWiki } from "../../views/wiki-view.js";

const MOST_SUGGESTED = 10;

/** What a filter of the search lets through; iFixit's questions have nothing here. */
const FILTERS: Readonly<Record<string, { readonly guides?: (type: string) => boolean; readonly wikis?: Namespace }>> = {
  guide: { guides: (type) => type !== "teardown" },
  teardown: { guides: (type) => type === "teardown" },
  wiki: { wikis: "WIKI" },
  category: { wikis: "CATEGORY" },
  item: { wikis: "ITEM" },
  info: { wikis: "INFO" },
  question: {},
};

/** The names that suggestions give to the same things (facts, 9). */
const DOCTYPES: Readonly<Record<string, readonly string[]>> = {
  guide: ["guide", "teardown"],
  item: ["item"],
  topic: ["category"],
  device: ["category"],
  category: ["category"],
  question: ["question"],
  post: [],
  all: Object.keys(FILTERS),
};

/** Search and suggestions (facts, 9): titles and summaries that hold the text. */
export const SEARCH: readonly Route[] = [
  { method: "GET", path: "/search/:query", access: "anyone", run: search },
  { method: "GET", path: "/suggest/:query", access: "anyone", run: suggest },
];

function search(call: Call): Reply {
  const text = call.parameter("query");
  const names = call.query.get("filter")?.split(",") ?? Object.keys(FILTERS);
  const all = hits(call, text, names);
  const { offset, limit } = pageOf(call.query);
  const results = all.slice(offset, offset + limit);
  const moreResults = offset + results.length < all.length;
  return ok({ limit, offset, totalResults: all.length, moreResults, search: text, results });
}

/** 400 without a valid kind of document; `guideid:N` is that guide (facts, 9). */
function suggest(call: Call): Reply {
  const text = call.parameter("query");
  const doctypes = call.query.get("doctypes")?.split(",") ?? [];
  if (doctypes.length === 0 || doctypes.some((name) => DOCTYPES[name] === undefined)) {
    throw badRequest(`doctypes must be of ${Object.keys(DOCTYPES).join(", ")}`);
  }
  const guideid = /^guideid:(\d+)$/.exec(text)?.[1];
  const names = doctypes.flatMap((name) => DOCTYPES[name] ?? []);
  const results = guideid === undefined ? hits(call, text, names) : guideOf(call, Number(guideid));
  return ok({ query: text, results: results.slice(0, MOST_SUGGESTED) });
}

function hits(call: Call, text: string, names: readonly string[]): readonly Answer[] {
  const filters = names.map((name) => FILTERS[name]).filter((filter) => filter !== undefined);
  const holds = (...texts: readonly string[]) => texts.join("\n").toLowerCase().includes(text.toLowerCase());
  const guides = [...call.site.guides]
    .filter(([key, guide]) => key === guideKey(guide.guideid) && !guide.deleted && maySee(guide, call.caller))
    .map(([, guide]) => guide)
    .filter((guide) => filters.some((filter) => filter.guides?.(guide.type) === true))
    .filter((guide) => holds(guide.title, guide.summary));
  const wikis = [...call.site.wikis]
    .filter(([key, wiki]) => key === wikiKey(wiki.namespace, wiki.title))
    .map(([, wiki]) => wiki)
    .filter((wiki) => filters.some((filter) => filter.wikis === wiki.namespace))
    .filter((wiki) => holds(wiki.title, wiki.displayTitle ?? "", wiki.description));
  return [...guides.map((guide) => guideSummary(call.site, guide)), ...wikis.map((wiki) => lightWiki(call.site, wiki))];
}

function guideOf(call: Call, guideid: number): readonly Answer[] {
  const guide = call.site.guides.get(guideKey(guideid));
  if (guide === undefined || guide.deleted || !maySee(guide, call.caller)) return [];
  return [guideSummary(call.site, guide)];
}
