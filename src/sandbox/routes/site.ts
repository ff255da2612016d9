import { randomBytes } from "node:crypto";
import { z } from "zod";
import { badRequest, checked, invalidLogin, maySee } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  family,
  NO_CONTENT,
  ok,
  ordered,
  paged,
  pageOf,
  type Reply,
  type Route,
  route,
  tokenOf,
} from "../server/route.js";
import type { Answer } from "../site/answer.js";
import { guideKey, type Namespace, wikiKey } from "../site/records.js";
import { fullUser, guideSummary } from "../views/summaries.js";
import { lightWiki } from "../views/wiki.js";

/** The site itself and its tags (facts, 4.6, 9). */
const SITE: readonly Route[] = [route("anyone", "GET /sites/info", siteInfo), route("anyone", "GET /tags", listTags)];

function siteInfo({ site }: Call): Reply {
  const { settings } = site;
  return ok({
    siteid: 1,
    name: settings.name,
    domain: settings.domain,
    custom_domain: "",
    title: settings.title,
    theme: "default",
    private: settings.private,
    description: "",
    answers: false,
    store: "",
    authentication: { standard: true, "public-registration": false },
    "guide-types": settings.guideTypes,
    "object-name-singular": "category",
    "object-name-plural": "categories",
    "feature-mobile-scanner": false,
    logo: { image: null },
  });
}

async function listTags(call: Call): Promise<Reply> {
  await call.beforeList();
  return ok(paged(ordered([...call.site.tags], call.query), call.query));
}

/** Sign-in and sign-out (facts, 2.1 and 2.2). */
const LOGIN: readonly Route[] = [
  route("login", "POST /user/token", signIn),
  route("account", "DELETE /user/token", signOut),
];

const CREDENTIALS = z.strictObject({ email: z.string(), password: z.string() });

/** The application id is checked before the password (facts, 2.1). */
function signIn(call: Call): Reply {
  const { site } = call;
  const { appId, tokenLifetime } = site.settings;
  if (appId !== null && call.headers.get("x-app-id") !== appId) throw badRequest("Invalid app id");
  const { email, password } = checked(CREDENTIALS, call.json());
  const account = site.accounts.get(email);
  const user = site.users.get(account?.userid ?? -1);
  if (account === undefined || user === undefined || account.password !== password) throw invalidLogin();
  const authToken = randomBytes(16).toString("hex");
  site.tokens.set(authToken, {
    userid: user.userid,
    ends: tokenLifetime === null ? null : site.clock() + tokenLifetime,
  });
  return created({ ...fullUser(site, user, true), authToken });
}

function signOut(call: AccountCall): Reply {
  call.site.tokens.delete(tokenOf(call.headers));
  return NO_CONTENT;
}

const MOST_SUGGESTED = 10;

/** The filters of the search; iFixit's questions have no content here. */
const FILTERS: Readonly<Record<string, { readonly guides?: (type: string) => boolean; readonly wikis?: Namespace }>> = {
  guide: { guides: (type) => type !== "teardown" },
  teardown: { guides: (type) => type === "teardown" },
  wiki: { wikis: "WIKI" },
  category: { wikis: "CATEGORY" },
  item: { wikis: "ITEM" },
  info: { wikis: "INFO" },
  question: {},
};

/** The names that suggestions give to the same kinds (facts, 9). */
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

/** Search and suggestions (facts, 9): titles and summaries with the text. */
const SEARCH: readonly Route[] = [
  route("anyone", "GET /search/:query", search),
  route("anyone", "GET /suggest/:query", suggest),
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

export const SITE_ROUTES: readonly Route[] = [...LOGIN, ...SITE, ...family("search", SEARCH)];
