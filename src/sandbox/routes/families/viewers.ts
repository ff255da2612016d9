import { mustEdit } from "../../rules/rights.js";
import { type AccountCall, type Call, created, ok, type Reply, type Route } from "../../server/route.js";
import { notFound } from "../../server/service-error.js";
import { type Answer, without } from "../../state/answer.js";
import { type GuideRecord, guideKey } from "../../state/guide.js";
import { lightUser } from "../../views/user-view.js";
import { guideOrForbidden } from "../find-guide.js";

const GUIDE = "/guides/:guideid{[0-9]+}";
const USER = `${GUIDE}/users/:userid{[0-9]+}`;
const TEAM = `${GUIDE}/teams/:teamid{[0-9]+}`;

/** Who sees a private guide (facts, 4.7); switched off under granular permissions. */
export const VIEWERS: readonly Route[] = [
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
