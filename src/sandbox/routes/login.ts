import { randomBytes } from "node:crypto";
import { z } from "zod";
import { checked } from "../server/check.js";
import { type AccountCall, type Call, created, NO_CONTENT, type Reply, type Route } from "../server/route.js";
import { badRequest, invalidLogin } from "../server/service-error.js";
import { tokenOf } from "../server/session.js";
import { fullUser } from "../views/user-view.js";

/** Signing in and out (facts, 2.1 and 2.2). */
export const LOGIN: readonly Route[] = [
  { method: "POST", path: "/user/token", access: "login", run: signIn },
  { method: "DELETE", path: "/user/token", access: "account", run: signOut },
];

const CREDENTIALS = z.strictObject({ email: z.string(), password: z.string() });

/** The application id is looked at before the password (facts, 2.1). */
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
