import { ordered, paged, wholeNumber } from "../server/query.js";
import { type Call, ok, type Reply, type Route } from "../server/route.js";
import { invalidValue, notFound } from "../server/service-error.js";
import { flagView } from "../views/flag-view.js";
import { fullUser, lightUser } from "../views/user-view.js";

const LAST_OFFSET_OF_USERS = 1000;

/** The site itself, its people, teams and tags (facts, 2.5, 4.6, 9). */
export const SITE_ROUTES: readonly Route[] = [
  { method: "GET", path: "/sites/info", access: "anyone", run: siteInfo },
  { method: "GET", path: "/tags", access: "anyone", run: listTags },
  { method: "GET", path: "/users", access: "anyone", run: listUsers },
  { method: "GET", path: "/users/:userid{[0-9]+}", access: "anyone", run: readUser },
  {
    method: "GET",
    path: "/teams",
    access: "anyone",
    run: (call) => ok([...call.site.teams.values()].map((team) => team.loaded)),
  },
  { method: "GET", path: "/teams/:teamid{[0-9]+}", access: "anyone", run: readTeam },
  { method: "GET", path: "/user", access: "account", run: (call) => ok(fullUser(call.site, call.caller, true)) },
  {
    method: "GET",
    path: "/user/flags",
    access: "account",
    run: ({ site }) =>
      ok({ guide: Object.fromEntries(site.settings.settableFlags.map((flagid) => [flagid, flagView(site, flagid)])) }),
  },
];

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

async function listUsers(call: Call): Promise<Reply> {
  await call.beforeList();
  const offset = wholeNumber(call.query, "offset") ?? 0;
  if (call.site.settings.dialect === "ifixit" && offset > LAST_OFFSET_OF_USERS) {
    throw invalidValue("offset", `offset must be at most ${LAST_OFFSET_OF_USERS}`);
  }
  const users = [...call.site.users.values()]
    .filter((user) => user.loaded["enabled"] !== false)
    .toSorted((one, other) => one.userid - other.userid);
  return ok(paged(ordered(users, call.query), call.query).map((user) => lightUser(call.site, user.userid)));
}

function readUser(call: Call): Reply {
  const user = call.site.users.get(Number(call.parameter("userid")));
  if (user === undefined) throw notFound("User not found.");
  return ok(fullUser(call.site, user, user.userid === call.caller?.userid));
}

/** The members, not a team object (facts, 9). */
function readTeam(call: Call): Reply {
  const team = call.site.teams.get(Number(call.parameter("teamid")));
  if (team === undefined) throw notFound("Team not found.");
  return ok(team.members.map((userid) => lightUser(call.site, userid)));
}
