import { mustEdit, mustModerate } from "../rules/rights.js";
import { paged } from "../server/query.js";
import { type AccountCall, type Call, created, ok, type Reply, type Route } from "../server/route.js";
import { notFound } from "../server/service-error.js";
import { type Answer, without } from "../state/answer.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import { guideView } from "../views/guide-view.js";
import { lightUser } from "../views/user-view.js";
import { alphabetically, withoutTag, withTag } from "../writes/tag-writes.js";
import { guideOf, guideOrForbidden } from "./find-guide.js";

const GUIDE = "/guides/:guideid{[0-9]+}";
const USER = `${GUIDE}/users/:userid{[0-9]+}`;
const TEAM = `${GUIDE}/teams/:teamid{[0-9]+}`;

/** What hangs on a guide and stands outside of its object: tags, viewers, releases (facts, 4.6, 4.7, 6.1). */
export const GUIDE_RELATIONS: readonly Route[] = [
  { method: "GET", path: `${GUIDE}/tags`, access: "anyone", run: (call) => ok(guideOrForbidden(call).tags) },
  { method: "PUT", path: `${GUIDE}/tag`, access: "account", run: (call) => setTags(call, true) },
  { method: "DELETE", path: `${GUIDE}/tag`, access: "account", run: (call) => setTags(call, false) },
  {
    method: "GET",
    path: `${GUIDE}/users`,
    access: "anyone",
    run: (call) => ok(userList(call, guideOrForbidden(call))),
  },
  { method: "PUT", path: USER, access: "account", run: (call) => setViewer(call, "users", true) },
  { method: "DELETE", path: USER, access: "account", run: (call) => setViewer(call, "users", false) },
  {
    method: "GET",
    path: `${GUIDE}/teams`,
    access: "anyone",
    run: (call) => ok(teamList(call, guideOrForbidden(call))),
  },
  { method: "PUT", path: TEAM, access: "account", run: (call) => setViewer(call, "teams", true) },
  { method: "DELETE", path: TEAM, access: "account", run: (call) => setViewer(call, "teams", false) },
  { method: "GET", path: "/guides/releases", access: "anyone", dialect: "dozuki", run: listReleases },
  {
    method: "GET",
    path: `${GUIDE}/releases`,
    access: "anyone",
    dialect: "dozuki",
    run: (call) => ok(guideOf(call).releases),
  },
];

/** Tags make no revision and need none; the answer is the guide, which carries no tags (facts, 4.6). */
function setTags(call: AccountCall, add: boolean): Reply {
  mustModerate(call.caller);
  const guide = guideOf(call);
  const tags = add
    ? withTag(call.site, guide.tags, call.json()).toSorted(alphabetically)
    : withoutTag(guide.tags, call.json());
  return ok(guideView(call.site, store(call, { ...guide, tags }), call.caller));
}

function setViewer(call: AccountCall, kind: "users" | "teams", add: boolean): Reply {
  const guide = guideOrForbidden(call);
  mustEdit(guide, call.caller);
  const id = Number(call.parameter(kind === "users" ? "userid" : "teamid"));
  const table = kind === "users" ? call.site.users : call.site.teams;
  if (add && !table.has(id)) throw notFound(kind === "users" ? "User not found." : "Team not found.");
  const others = guide.viewers[kind].filter((one) => one !== id);
  const changed = store(call, { ...guide, viewers: { ...guide.viewers, [kind]: add ? [...others, id] : others } });
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

/** An object, not an array (facts, 6.1); of the guides that the caller sees. */
function listReleases(call: Call): Reply {
  const guides = [...call.site.guides.values()].filter(
    (guide) => !guide.deleted && (guide.public || call.caller?.admin),
  );
  return ok({
    releases: paged(
      guides.flatMap((guide) => guide.releases),
      call.query,
    ),
  });
}

function store(call: Call, guide: GuideRecord): GuideRecord {
  call.site.guides.set(guideKey(guide.guideid), guide);
  return guide;
}
