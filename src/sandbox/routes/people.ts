import { badRequest, forbidden, invalidValue, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  family,
  ok,
  ordered,
  paged,
  type Reply,
  type Route,
  route,
  wholeNumber,
} from "../server/route.js";
import { type Answer, numberAt, textAt } from "../site/answer.js";
import type { TeamRecord, UserRecord } from "../site/records.js";
import { flagView, fullUser, lightUser, privateUser } from "../views/summaries.js";

const LAST_OFFSET_OF_USERS = 1000;

/** Further fields to find a person by; for admins only, since these are personal data. */
const KEYS = { email: "email", sso: "sso_userid", employee_id: "employee_id" } as const;

/** Reads of people (facts, 2.3 and 2.5). */
const USERS: readonly Route[] = [
  route("account", "GET /user", (call) => ok(privateUser(call.site, call.caller, true))),
  route("anyone", "GET /users", listUsers),
  route("account", "GET /users/search/:search", found),
  route("account", "GET /users/searchnames/:search", found),
  ...Object.entries(KEYS).map(
    ([name, field]): Route =>
      route("admin", `GET /users/${name}/:value`, (call) =>
        ok(privateUser(call.site, userBy(call, field, call.parameter("value")), false)),
      ),
  ),
  route("anyone", "GET /users/:userid{[0-9]+}", readUser),
];

async function listUsers(call: Call): Promise<Reply> {
  await call.beforeList();
  const offset = wholeNumber(call.query, "offset") ?? 0;
  if (call.site.settings.dialect === "ifixit" && offset > LAST_OFFSET_OF_USERS) {
    throw invalidValue("offset", `offset must be at most ${LAST_OFFSET_OF_USERS}`);
  }
  const since = wholeNumber(call.query, "joinedSince") ?? 0;
  const users = activeUsers(call).filter((user) => (numberAt(user.loaded, "join_date") ?? 0) >= since);
  return ok(paged(ordered(users, call.query), call.query).map((user) => lightUser(call.site, user.userid)));
}

function readUser(call: Call): Reply {
  const user = call.site.users.get(Number(call.parameter("userid")));
  if (user === undefined) throw notFound("User not found.");
  const own = user.userid === call.caller?.userid;
  return ok(own || call.caller?.admin === true ? privateUser(call.site, user, own) : fullUser(call.site, user, own));
}

/** Active accounts with the text in their name or unique name. */
async function found(call: Call): Promise<Reply> {
  await call.beforeList();
  const text = call.parameter("search").toLowerCase();
  const users = activeUsers(call).filter((user) =>
    `${user.username}\n${textAt(user.loaded, "unique_username")}`.toLowerCase().includes(text),
  );
  return ok(paged(users, call.query).map((user) => lightUser(call.site, user.userid)));
}

function activeUsers({ site }: Call): readonly UserRecord[] {
  return [...site.users.values()]
    .filter((user) => user.loaded["enabled"] !== false)
    .toSorted((one, other) => one.userid - other.userid);
}

function userBy({ site }: Call, field: string, value: string): UserRecord {
  const row = site.rows.identities.all().find((one) => String(one[field]).toLowerCase() === value.toLowerCase());
  const account = field === "email" ? site.accounts.get(value) : undefined;
  const user = site.users.get(Number(row?.["userid"] ?? account?.userid));
  if (user === undefined) throw notFound("User not found.");
  return user;
}

/** The flags that the caller may set (facts, 2.5). */
const USER_FLAGS: readonly Route[] = [
  route("account", "GET /user/flags", ({ site }) =>
    ok({ guide: Object.fromEntries(site.settings.settableFlags.map((flagid) => [flagid, flagView(site, flagid)])) }),
  ),
];

const MEMBER = "/teams/:teamid{[0-9]+}/users/:userid{[0-9]+}";

/** Teams and their members (facts, 9); neither list has pages. */
const TEAMS: readonly Route[] = [
  route("anyone", "GET /teams", listTeams),
  route("anyone", "GET /teams/:teamid{[0-9]+}", readTeam),
  route("account", `PUT ${MEMBER}`, (call) => setMember(call, true)),
  route("account", `DELETE ${MEMBER}`, (call) => setMember(call, false)),
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

/** People join and leave by themselves, admins move everybody; the sandbox sends no invitation. */
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

const CATEGORIES = ["badgeGuide", "badgeAnswers", "badgeGeneral", "badgeWorkbench"];

/** Every badge of the site for one person, earned ones first (facts, 2.5). */
const BADGES: readonly Route[] = [
  route("account", "GET /user/badges", (call) => badgesOf(call, call.caller.userid)),
  route("anyone", "GET /users/:userid{[0-9]+}/badges", (call) => {
    const userid = Number(call.parameter("userid"));
    if (!call.site.users.has(userid)) throw notFound("User not found.");
    return badgesOf(call, userid);
  }),
];

function badgesOf({ site, query }: Call, userid: number): Reply {
  const category = query.get("category");
  if (category !== null && !CATEGORIES.includes(category)) {
    throw badRequest(`category must be one of ${CATEGORIES.join(", ")}`);
  }
  const earned = site.rows.earnedBadges.all().filter((row) => row["userid"] === userid);
  const list = site.rows.badges
    .all()
    .filter((badge) => category === null || badge["category"] === category)
    .map((badge): Answer => {
      const own = earned.find((row) => row["badgeid"] === badge["badgeid"]);
      const { times_earned = own === undefined ? 0 : 1, date = null } = own ?? {};
      return { earned: own !== undefined, times_earned, date, badge };
    });
  return ok(paged([...list.filter((row) => row["earned"]), ...list.filter((row) => !row["earned"])], query));
}

export const PEOPLE_ROUTES: readonly Route[] = [
  ...family("users", USERS),
  ...family("user_flags", USER_FLAGS),
  ...family("teams", TEAMS),
  ...family("badges", BADGES),
];
