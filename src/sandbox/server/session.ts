import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { invalidLogin } from "./service-error.js";

/** How a request says who it is. Never the token itself. */
export type AuthorizationKind = "none" | "api" | "bearer" | "other";

/** The kind of the `Authorization` header. */
export function authorizationKind(headers: Headers): AuthorizationKind {
  const scheme = headers.get("authorization")?.split(" ")[0]?.toLowerCase();
  if (scheme === undefined) return "none";
  return scheme === "api" || scheme === "bearer" ? scheme : "other";
}

/** The account of the request's token; undefined without a token; 401 for a token that is wrong or dead. */
export function callerOf(site: Site, headers: Headers): UserRecord | undefined {
  if (!headers.has("authorization")) return undefined;
  const user = site.users.get(liveSession(site, tokenOf(headers))?.userid ?? -1);
  if (user === undefined) throw invalidLogin();
  return user;
}

/** The token of the header `Authorization: api <token>` or `Bearer <token>`; 401 for anything else. */
export function tokenOf(headers: Headers): string {
  const token = /^(?:api|bearer) +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (token === undefined) throw invalidLogin();
  return token;
}

function liveSession(site: Site, token: string) {
  const session = site.tokens.get(token);
  return session !== undefined && (session.ends === null || session.ends > site.clock()) ? session : undefined;
}
