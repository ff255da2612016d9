import type { FamilyName } from "../state/family.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** What a route's handler gets: the request, read once, and the site that it works on. */
export interface Call {
  readonly site: Site;
  /** The account that the token belongs to; undefined for an anonymous request. */
  readonly caller: UserRecord | undefined;
  /** A path parameter, URL-decoded. */
  readonly parameter: (name: string) => string;
  readonly query: URLSearchParams;
  /**
   * The parsed JSON body; `{}` when there is none. Throws 400 when it is not JSON. The body was read before the handler
   * runs, so that a write looks at the site and changes it in one go, with no other request in between.
   */
  readonly json: () => unknown;
  /** The raw body of routes that take bytes; null for others. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly headers: Headers;
  /** Runs the hook of tests that move a list while somebody pages through it. */
  readonly beforeList: () => Promise<void>;
}

/** A request that needs a login and has one. */
export interface AccountCall extends Call {
  readonly caller: UserRecord;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; undefined sends no body. */
  readonly body?: unknown;
  /** Sent as it is instead of JSON. */
  readonly xml?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteFacts {
  readonly method: Method;
  /** Relative to the API root, in the router's notation. */
  readonly path: string;
  /** The handler reads the body itself, as a stream. */
  readonly takesBytes?: boolean;
  /** `not-ifixit`: an ifixit site answers 404, the others have the path. */
  readonly served?: "not-ifixit";
  /** Where the family is switched off, the path answers 404 or 405. */
  readonly family?: FamilyName;
}

/** One method of one path. */
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

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function created(body: unknown): Reply {
  return { status: 201, body };
}

export const NO_CONTENT: Reply = { status: 204 };
