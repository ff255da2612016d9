import { z } from "zod";
import { checked, forbidden, maySee, mustEdit, notFound, ServiceError } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  family,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
  route,
  wholeNumber,
} from "../server/route.js";
import { type Answer, listAt, numberAt, without } from "../site/answer.js";
import { type GuideRecord, guideKey } from "../site/records.js";
import { favoriteOf, guideSummary, lightUser } from "../views/summaries.js";
import { guideOf, guideOrForbidden } from "./guides.js";
import { pageOfRows } from "./rows.js";

const GUIDE = "/guides/:guideid{[0-9]+}";
const USER = `${GUIDE}/users/:userid{[0-9]+}`;
const TEAM = `${GUIDE}/teams/:teamid{[0-9]+}`;

/** Viewers of private guides (facts, 4.7); disabled with granular permissions. */
const VIEWERS: readonly Route[] = [
  route("anyone", `GET ${GUIDE}/users`, (call) => ok(userList(call, guideOrForbidden(call)))),
  route("account", `PUT ${USER}`, (call) => setViewer(call, "users", true)),
  route("account", `DELETE ${USER}`, (call) => setViewer(call, "users", false)),
  route("anyone", `GET ${GUIDE}/teams`, (call) => ok(teamList(call, guideOrForbidden(call)))),
  route("account", `PUT ${TEAM}`, (call) => setViewer(call, "teams", true)),
  route("account", `DELETE ${TEAM}`, (call) => setViewer(call, "teams", false)),
];

function setViewer(call: AccountCall, kind: "users" | "teams", add: boolean): Reply {
  const guide = guideOrForbidden(call);
  mustEdit(guide, call.caller);
  const id = Number(call.parameter(kind === "users" ? "userid" : "teamid"));
  const table = kind === "users" ? call.site.users : call.site.teams;
  if (add && !table.has(id)) throw notFound(kind === "users" ? "User not found." : "Team not found.");
  const others = guide.viewers[kind].filter((one) => one !== id);
  const changed = { ...guide, viewers: { ...guide.viewers, [kind]: add ? [...others, id] : others } };
  call.site.guides.set(guideKey(guide.guideid), changed);
  if (kind === "teams") return add ? created(teamList(call, changed)) : ok(teamList(call, changed));
  return add ? created(userList(call, changed)) : ok({ users: userList(call, changed) });
}

function userList(call: Call, guide: GuideRecord): readonly Answer[] {
  return guide.viewers.users.map((userid) => without(lightUser(call.site, userid), ["privileges"]));
}

function teamList(call: Call, guide: GuideRecord): Answer {
  const edits = call.caller?.admin === true || call.caller?.userid === guide.author;
  return {
    guideTeams: guide.viewers.teams.map((teamid) => call.site.teams.get(teamid)?.loaded ?? { teamid }),
    canIViewGuide: true,
    canIEditGuide: edits,
    canIChangeGuidePrivacy: edits,
  };
}

/**
 * View history (specification): people see their own views, admins all, and those of a document.
 * The format of the two dates is not public: UNIX seconds.
 */
const VIEW_HISTORY: readonly Route[] = [
  route("account", "GET /user_view_history/user/:userid{[0-9]+}", (call) => {
    const userid = Number(call.parameter("userid"));
    if (!call.caller.admin && userid !== call.caller.userid) throw forbidden("You may not see what others have read.");
    return viewsOf(call, (row) => row["userid"] === userid);
  }),
  route("admin", "GET /user_view_history/:doctype{(?:guide|wiki)}/:docid", (call) => {
    const [type, docid] = [call.parameter("doctype").toUpperCase(), call.parameter("docid")];
    return viewsOf(call, (row) => row["doc_type"] === type && row["docid"] === docid);
  }),
];

async function viewsOf(call: AccountCall, isAsked: (row: Answer) => boolean): Promise<Reply> {
  await call.beforeList();
  const from = wholeNumber(call.query, "start_date") ?? 0;
  const to = wholeNumber(call.query, "end_date") ?? Number.POSITIVE_INFINITY;
  const isBetween = ({ date }: Answer) => typeof date === "number" && date >= from && date <= to;
  const rows = call.site.rows.viewHistory.all().filter((row) => isAsked(row) && isBetween(row));
  return ok(pageOfRows(call, rows).map((row) => without(row, ["viewid"])));
}

const BODY = z.strictObject({ langid: z.string().optional() });
const HOUR = 3600;
const COMPLETED = "/guides/:guideid{[0-9]+}/completed";

/** Completed guides (facts, 2.5 and 4.3): once per guide and person, without dates. */
const COMPLETIONS: readonly Route[] = [
  route("account", `PUT ${COMPLETED}`, (call) => setCompleted(call, true)),
  route("account", `DELETE ${COMPLETED}`, (call) => setCompleted(call, false)),
  route("account", "GET /user/completions", (call) => completionsOf(call, call.caller.userid)),
  route("anyone", "GET /users/:userid{[0-9]+}/completions", (call) =>
    completionsOf(call, Number(call.parameter("userid"))),
  ),
];

function setCompleted(call: AccountCall, completed: boolean): Reply {
  const guide = guideOf(call);
  const { langid } = checked(BODY, call.json());
  const translated = langid === undefined || langid === guide.langid;
  if (!translated && !call.site.guides.has(guideKey(guide.guideid, langid))) throw notFound("No such translation.");
  if (completed && !guide.completedBy.includes(call.caller.userid)) countCompletion(call);
  const others = guide.completedBy.filter((userid) => userid !== call.caller.userid);
  const completedBy = completed ? [...others, call.caller.userid] : others;
  call.site.guides.set(guideKey(guide.guideid), { ...guide, completedBy });
  return NO_CONTENT;
}

/** Throws 420 for too many in an hour (facts, 1.3). */
function countCompletion({ site, caller }: AccountCall): void {
  const now = site.now();
  const times = (site.completionTimes.get(caller.userid) ?? []).filter((time) => time > now - HOUR);
  if (times.length >= site.settings.completionsPerHour) {
    throw new ServiceError(420, { message: "You complete guides too quickly." });
  }
  site.completionTimes.set(caller.userid, [...times, now]);
}

/** Hidden guides are left out after paging: a page can be short before the end (facts, 1.2). */
async function completionsOf(call: Call, userid: number): Promise<Reply> {
  await call.beforeList();
  const { site, query } = call;
  const list = [...site.guides]
    .filter(([key, guide]) => key === guideKey(guide.guideid) && guide.completedBy.includes(userid))
    .map(([, guide]) => guide)
    .toSorted((one, other) => one.guideid - other.guideid);
  const page = paged(list, query).filter((guide) => !guide.deleted && maySee(guide, call.caller));
  return ok(page.map((guide) => guideSummary(site, guide)));
}

const ONE = "/user/favorites/guides/:guideid{[0-9]+}";

/** Favourite guides (facts, 2.5). */
const FAVORITES: readonly Route[] = [
  route("account", "GET /user/favorites/guides", (call) => favoritesOf(call, call.caller.userid)),
  route("anyone", "GET /users/:userid{[0-9]+}/favorites/guides", (call) =>
    favoritesOf(call, Number(call.parameter("userid"))),
  ),
  route("account", `PUT ${ONE}`, add),
  route("account", `DELETE ${ONE}`, remove),
];

/** `{date, guide}`, newest first, without hidden guides. */
async function favoritesOf(call: Call, userid: number): Promise<Reply> {
  await call.beforeList();
  const rows = call.site.rows.favorites
    .all()
    .filter((row) => row["userid"] === userid)
    .toSorted((one, other) => (numberAt(other, "date") ?? 0) - (numberAt(one, "date") ?? 0))
    .flatMap((row): readonly Answer[] => {
      const guide = call.site.guides.get(guideKey(Number(row["guideid"])));
      if (guide === undefined || guide.deleted || !maySee(guide, call.caller)) return [];
      return [{ date: row["date"], guide: guideSummary(call.site, guide) }];
    });
  return ok(paged(rows, call.query));
}

/** A second time is no error and keeps the date. */
function add(call: AccountCall): Reply {
  const { langid } = checked(BODY, call.json());
  const guide = guideOf(call);
  const translated = langid === undefined || langid === guide.langid;
  if (!translated && !call.site.guides.has(guideKey(guide.guideid, langid))) throw notFound("No such translation.");
  if (favoriteOf(call.site, call.caller.userid, guide.guideid) === undefined) {
    call.site.rows.favorites.put({ userid: call.caller.userid, guideid: guide.guideid, date: call.site.now() });
  }
  return NO_CONTENT;
}

function remove(call: AccountCall): Reply {
  const row = favoriteOf(call.site, call.caller.userid, Number(call.parameter("guideid")));
  if (row !== undefined) call.site.rows.favorites.remove(Number(row["favoriteid"]));
  return NO_CONTENT;
}

/** Collections of guides (facts, 9); a row names its guides by id. */
const COLLECTIONS: readonly Route[] = [route("anyone", "GET /collections", listCollections)];

async function listCollections(call: Call): Promise<Reply> {
  await call.beforeList();
  const { site } = call;
  return ok(
    paged(site.rows.collections.all(), call.query).map((row) => ({
      ...row,
      guides: listAt(row, "guides").flatMap((guideid) => {
        const guide = site.guides.get(guideKey(Number(guideid)));
        return guide?.deleted === false && maySee(guide, call.caller) ? [guideSummary(site, guide)] : [];
      }),
    })),
  );
}

export const GUIDE_USE_ROUTES: readonly Route[] = [
  ...family("viewers", VIEWERS),
  ...family("user_view_history", VIEW_HISTORY, "not-ifixit"),
  ...family("completions", COMPLETIONS),
  ...family("favorites", FAVORITES),
  ...family("collections", COLLECTIONS),
];
