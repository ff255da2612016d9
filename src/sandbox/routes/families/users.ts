import { ordered, paged, wholeNumber } from "../../server/query.js";
import { type Call, ok, type Reply, type Route } from "../../server/route.js";
import { invalidValue, notFound } from "../../server/service-error.js";
import { numberAt, textAt } from "../../state/answer.js";
import type { UserRecord } from "../../state/user.js";
import { fullUser, lightUser, privateUser } from "../../views/user-view.js";

const LAST_OFFSET_OF_USERS = 1000;

/** Fields that a person can be found by beside the userid; only admins may (no rule is public: these are personal data). */
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
