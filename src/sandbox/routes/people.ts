import { z } from "zod";
import { badRequest, checked, forbidden, invalidValue, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  ok,
  ordered,
  paged,
  type Reply,
  type Route,
  wholeNumber,
} from "../server/route.js";
import { type Answer, numberAt, textAt } from "../site/answer.js";
import type { TeamRecord, UserRecord } from "../site/records.js";
import { renderText } from "../views/render.js";
import { flagView, fullUser, lightUser, privateUser } from "../views/summaries.js";

const LAST_OFFSET_OF_USERS = 1000;

/**
 * Fields that a person can be found by beside the userid; only admins may (no rule is public: these
 * are personal data).
 */
const KEYS = { email: "email", sso: "sso_userid", employee_id: "employee_id" } as const;

/** Reading people (facts, 2.3 and 2.5). */
export const USERS: readonly Route[] = [
  { method: "GET", path: "/user", access: "account", run: (call) => ok(privateUser(call.site, call.caller, true)) },
  { method: "GET", path: "/users", access: "anyone", run: listUsers },
  {
    method: "GET",
    path: "/users/search/:search",
    access: "account",
    run: (call) => found(call, (user) => lightUser(call.site, user.userid)),
  },
  {
    method: "GET",
    path: "/users/searchnames/:search",
    access: "account",
    run: (call) => found(call, ({ userid, username }) => ({ userid, username })),
  },
  {
    method: "GET",
    path: "/users/created_users",
    access: "admin",
    run: (call) => {
      const rows = call.site.rows.identities.all().filter((row) => row["created_by"] === call.caller.userid);
      return ok(paged(rows, call.query).map((row) => lightUser(call.site, Number(row["userid"]))));
    },
  },
  ...Object.entries(KEYS).map(
    ([name, field]): Route => ({
      method: "GET",
      path: `/users/${name}/:value`,
      access: "admin",
      run: (call) => ok(privateUser(call.site, userBy(call, field, call.parameter("value")), false)),
    }),
  ),
  { method: "GET", path: "/users/:userid{[0-9]+}", access: "anyone", run: readUser },
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

/** Active accounts whose name or unique name holds the text. */
async function found(call: Call, view: (user: UserRecord) => unknown): Promise<Reply> {
  await call.beforeList();
  const text = call.parameter("search").toLowerCase();
  const users = activeUsers(call).filter((user) =>
    `${user.username}\n${textAt(user.loaded, "unique_username")}`.toLowerCase().includes(text),
  );
  return ok(paged(users, call.query).map(view));
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

/** Lower case, 3 to 30 characters, no hyphen (facts, 2.3). */
const UNIQUE_USERNAME = z.string().regex(/^[a-z0-9][a-z0-9_]{2,29}$/, "3 to 30 of a-z, 0-9 and _");
const PATCH = z
  .strictObject({
    username: z.string().trim().min(1),
    unique_username: UNIQUE_USERNAME,
    summary: z.string(),
    about: z.string(),
    location: z.string(),
    email: z.email(),
    employee_id: z.string(),
    sso_userid: z.string(),
    enabled: z.boolean(),
  })
  .partial();
const BY_EMAILS = z.strictObject({ emails: z.array(z.email()).min(1) });
const UNIQUE = z.strictObject({ unique_usernames: z.array(z.string()).min(1) });

/**
 * Fields that only an admin may change, and of them those that are kept apart from what others see.
 */
const OF_ADMINS = ["email", "employee_id", "sso_userid", "enabled"];
const PRIVATE = ["email", "employee_id", "sso_userid"];

/**
 * Changing and making people; bodies and answers are inferred (facts, 2.5: only the paths are
 * public).
 */
export const USER_WRITES: readonly Route[] = [
  { method: "PATCH", path: "/users/:userid{[0-9]+}", access: "account", run: change },
  { method: "POST", path: "/users/createByEmails", access: "admin", run: createByEmails },
  { method: "POST", path: "/users/unique_usernames", access: "account", run: byUniqueUsernames },
];

function change(call: AccountCall): Reply {
  const { site, caller } = call;
  const user = site.users.get(Number(call.parameter("userid")));
  if (user === undefined) throw notFound("User not found.");
  if (!caller.admin && user.userid !== caller.userid) throw forbidden("You may not change this user.", ["Admin"]);
  const body = checked(PATCH, call.json());
  const refused = Object.keys(body).filter((field) => OF_ADMINS.includes(field));
  if (!caller.admin && refused.length > 0) throw forbidden(`You may not change ${refused.join(", ")}.`, ["Admin"]);
  mustBeUnique(call, user, body.unique_username);
  const { username = user.username, about, ...fields } = body;
  const texts = about === undefined ? {} : { about_raw: about, about_rendered: renderText(site, about) };
  const shown = { ...only(fields, (name) => !PRIVATE.includes(name)), ...texts };
  const changed = { ...user, username, loaded: { ...user.loaded, ...shown } };
  site.users.set(user.userid, changed);
  const hidden = only(fields, (name) => PRIVATE.includes(name));
  if (Object.keys(hidden).length > 0) {
    site.rows.identities.put({ ...site.rows.identities.get(user.userid), userid: user.userid, ...hidden });
  }
  return ok(privateUser(site, changed, user.userid === caller.userid));
}

/** An address that has an account already is refused, with all the others. */
function createByEmails(call: AccountCall): Reply {
  const { site, caller } = call;
  const { emails } = checked(BY_EMAILS, call.json());
  const known = new Set([...site.rows.identities.all().map((row) => row["email"]), ...site.accounts.keys()]);
  const taken = emails.filter((email, index) => known.has(email) || emails.indexOf(email) !== index);
  if (taken.length > 0) throw invalidValue("emails", `there is an account for ${taken.join(", ")}`);
  const users = emails.map((email) => {
    const userid = Math.max(0, ...site.users.keys()) + 1;
    const username = email.slice(0, email.indexOf("@"));
    site.users.set(userid, { userid, username, admin: false, loaded: { join_date: site.now() } });
    site.rows.identities.put({ userid, email, created_by: caller.userid });
    return lightUser(site, userid);
  });
  return created(users);
}

/** The people who bear these names; names that nobody bears are left out. */
function byUniqueUsernames(call: AccountCall): Reply {
  const { unique_usernames } = checked(UNIQUE, call.json());
  const users = [...call.site.users.values()].filter((user) =>
    unique_usernames.includes(textAt(user.loaded, "unique_username")),
  );
  return ok(users.map((user) => lightUser(call.site, user.userid)));
}

function mustBeUnique({ site }: AccountCall, user: UserRecord, name: string | undefined): void {
  const isTaken = [...site.users.values()].some(
    (one) => name !== undefined && one.userid !== user.userid && one.loaded["unique_username"] === name,
  );
  if (isTaken) throw invalidValue("unique_username", `«${name}» is taken`);
}

function only(fields: Answer, isMeant: (name: string) => boolean): Answer {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isMeant(name) && value !== undefined));
}

/** The flags that the caller may set (facts, 2.5). */
export const USER_FLAGS: readonly Route[] = [
  {
    method: "GET",
    path: "/user/flags",
    access: "account",
    run: ({ site }) =>
      ok({ guide: Object.fromEntries(site.settings.settableFlags.map((flagid) => [flagid, flagView(site, flagid)])) }),
  },
];

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

const CATEGORIES = ["badgeGuide", "badgeAnswers", "badgeGeneral", "badgeWorkbench"];

/** Every badge of the site as one person has it, earned ones first (facts, 2.5). */
export const BADGES: readonly Route[] = [
  { method: "GET", path: "/user/badges", access: "account", run: (call) => badgesOf(call, call.caller.userid) },
  {
    method: "GET",
    path: "/users/:userid{[0-9]+}/badges",
    access: "anyone",
    run: (call) => {
      const userid = Number(call.parameter("userid"));
      if (!call.site.users.has(userid)) throw notFound("User not found.");
      return badgesOf(call, userid);
    },
  },
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
