import { badRequest, invalidLogin, invalidValue, missingField } from "../rules.js";
import type { UserRecord } from "../site/records.js";
import type { FamilyName } from "../site/settings.js";
import type { Site } from "../site/site.js";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface Call {
  readonly site: Site;
  /** The account of the token; undefined for an anonymous request. */
  readonly caller: UserRecord | undefined;
  readonly parameter: (name: string) => string;
  readonly query: URLSearchParams;
  /**
   * The parsed JSON body; `{}`: none. Throws 400 when it is not JSON. The body is read before the
   * handler runs, so that no other request comes between the check of a write and its change.
   */
  readonly json: () => unknown;
  /** The raw body of routes that take bytes; null for others. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly headers: Headers;
  /** Runs the function of tests that change a list while it is read. */
  readonly beforeList: () => Promise<void>;
}

export interface AccountCall extends Call {
  readonly caller: UserRecord;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown;
  /** Sent unchanged instead of JSON. */
  readonly xml?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteFacts {
  readonly method: Method;
  readonly path: string;
  /** The handler reads the body itself, as a stream. */
  readonly takesBytes?: boolean;
  /** `not-ifixit`: an ifixit site answers 404, the others have the path. */
  readonly served?: "not-ifixit";
  /** If the family is disabled, the path answers 404 or 405. */
  readonly family?: FamilyName;
}

export type Route =
  | (RouteFacts & {
      /** `login` also works on a private site, without a token. */
      readonly access: "anyone" | "login";
      run(call: Call): Reply | Promise<Reply>;
    })
  | (RouteFacts & {
      /** `account`: any login, else 401. `admin`: 403 for other accounts. */
      readonly access: "account" | "admin";
      run(call: AccountCall): Reply | Promise<Reply>;
    });

type Handler<C extends Call> = (call: C) => Reply | Promise<Reply>;
type More = Pick<RouteFacts, "takesBytes" | "served">;

/** The route of `METHOD /path`. */
export function route(access: "anyone" | "login", call: string, run: Handler<Call>, more?: More): Route;
export function route(access: "account" | "admin", call: string, run: Handler<AccountCall>, more?: More): Route;
export function route(access: Route["access"], call: string, run: Handler<AccountCall>, more: More = {}): Route {
  const [method, path = ""] = call.split(" ");
  return { method: method as Method, path, access, run, ...more } as Route;
}

export function family(name: FamilyName, routes: readonly Route[], served?: "not-ifixit"): readonly Route[] {
  return routes.map((one) => ({ ...one, family: name, ...(served === undefined ? {} : { served }) }));
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}

export const NO_CONTENT: Reply = { status: 204 };

const MOST_OF_A_PAGE = 200;
const USUAL_PAGE = 20;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Default 0 and 20; a limit above 200 is lowered, not refused (facts, 1.2). Else 422. */
export function pageOf(query: URLSearchParams): Page {
  const limit = wholeNumber(query, "limit") ?? USUAL_PAGE;
  const offset = wholeNumber(query, "offset") ?? 0;
  if (limit < 1) throw invalidValue("limit", "limit must be at least 1");
  return { offset, limit: Math.min(limit, MOST_OF_A_PAGE) };
}

export function paged<T>(list: readonly T[], query: URLSearchParams): readonly T[] {
  const { offset, limit } = pageOf(query);
  return list.slice(offset, offset + limit);
}

/** A non-negative whole number; undefined when the parameter is absent; 422 for other values. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidValue(name, `${name} must be a non-negative integer`);
  return Number(text);
}

/** `order`: `ASC`, the default, or `DESC`; the given list is ascending. */
export function ordered<T>(list: readonly T[], query: URLSearchParams): readonly T[] {
  const order = (query.get("order") ?? "ASC").toUpperCase();
  if (order !== "ASC" && order !== "DESC") throw invalidValue("order", "order must be ASC or DESC");
  return order === "ASC" ? list : list.toReversed();
}

/** A flag counts by its presence: `name=false` enables it too (facts, 1.1). */
export function hasFlag(query: URLSearchParams, name: string): boolean {
  return query.has(name);
}

export function isTrue(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && !["false", "0"].includes(text.toLowerCase());
}

/** The token of a write: only in the query (facts, 4.3). 422 for none, or not a number. */
export function revisionOf(query: URLSearchParams): number {
  const revision = wholeNumber(query, "revisionid");
  if (revision === undefined) throw missingField("revisionid");
  return revision;
}

/** JSON or XML, any letter case; 400 for another type. */
export function answerType(query: URLSearchParams): "JSON" | "XML" {
  const type = (query.get("type") ?? "JSON").toUpperCase();
  if (type !== "JSON" && type !== "XML") throw badRequest("Invalid type provided in the query: JSON or XML");
  return type;
}

export type AuthorizationKind = "none" | "api" | "bearer" | "other";

export function authorizationKind(headers: Headers): AuthorizationKind {
  const scheme = headers.get("authorization")?.split(" ")[0]?.toLowerCase();
  if (scheme === undefined) return "none";
  return scheme === "api" || scheme === "bearer" ? scheme : "other";
}

/** The account of the request's token; undefined without a token; 401 for a wrong or ended one. */
export function callerOf(site: Site, headers: Headers): UserRecord | undefined {
  if (!headers.has("authorization")) return undefined;
  const user = site.users.get(liveSession(site, tokenOf(headers))?.userid ?? -1);
  if (user === undefined) throw invalidLogin();
  return user;
}

/** `Authorization: api <token>` or `Bearer <token>`; 401 for other values. */
export function tokenOf(headers: Headers): string {
  const token = /^(?:api|bearer) +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (token === undefined) throw invalidLogin();
  return token;
}

function liveSession(site: Site, token: string) {
  const session = site.tokens.get(token);
  return session !== undefined && (session.ends === null || session.ends > site.clock()) ? session : undefined;
}
