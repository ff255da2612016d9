import { z } from "zod";
import { checked } from "../../server/check.js";
import { type AccountCall, created, ok, type Reply, type Route } from "../../server/route.js";
import { forbidden, invalidValue, notFound } from "../../server/service-error.js";
import { type Answer, textAt } from "../../state/answer.js";
import type { UserRecord } from "../../state/user.js";
import { renderText } from "../../views/render-text.js";
import { lightUser, privateUser } from "../../views/user-view.js";

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

/** Fields that only an admin may change, and of them those that are kept apart from what others see. */
const OF_ADMINS = ["email", "employee_id", "sso_userid", "enabled"];
const PRIVATE = ["email", "employee_id", "sso_userid"];

/** Changing and making people; bodies and answers are inferred (facts, 2.5: only the paths are public). */
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
