import { wholeNumber } from "../../server/query.js";
import { type AccountCall, type Call, ok, type Reply, type Route } from "../../server/route.js";
import { forbidden, notFound } from "../../server/service-error.js";
import { type Answer, numberAt } from "../../state/answer.js";
import type { TeamRecord } from "../../state/user.js";
import { lightUser } from "../../views/user-view.js";

const MEMBER = "/teams/:teamid{[0-9]+}/users/:userid{[0-9]+}";

/** Teams and their members (facts, 9); neither list has pages. */
export const TEAMS: readonly Route[] = [
  { method: "GET", path: "/teams", access: "anyone", run: listTeams },
  { method: "GET", path: "/teams/:teamid{[0-9]+}", access: "anyone", run: readTeam },
  { method: "PUT", path: MEMBER, access: "account", run: (call) => setMember(call, true) },
  { method: "DELETE", path: MEMBER, access: "account", run: (call) => setMember(call, false) },
];

function listTeams(call: Call): Reply {
  const since = wholeNumber(call.query, "newMemberSince") ?? 0;
  const teams = [...call.site.teams.values()].map((team) => team.loaded);
  return ok(teams.filter((team) => since === 0 || (numberAt(team, "new_member_since") ?? 0) >= since));
}

/** The members, not a team object (facts, 9). */
function readTeam(call: Call): Reply {
  return ok(membersOf(call, teamAt(call)));
}

/** People come and go by themselves, admins move everybody; nobody is sent an invitation here. */
function setMember(call: AccountCall, add: boolean): Reply {
  const team = teamAt(call);
  const userid = Number(call.parameter("userid"));
  if (!call.site.users.has(userid)) throw notFound("User not found.");
  if (!call.caller.admin && call.caller.userid !== userid) throw forbidden("You may not change this team.");
  const others = team.members.filter((member) => member !== userid);
  const changed = { ...team, members: add ? [...others, userid] : others };
  call.site.teams.set(team.teamid, changed);
  return ok(membersOf(call, changed));
}

function teamAt(call: Call): TeamRecord {
  const team = call.site.teams.get(Number(call.parameter("teamid")));
  if (team === undefined) throw notFound("Team not found.");
  return team;
}

function membersOf(call: Call, team: TeamRecord): readonly Answer[] {
  return team.members.map((userid) => lightUser(call.site, userid));
}
