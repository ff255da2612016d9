import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { UsageError } from "../../core/errors.js";
import { badRequest, forbidden, invalidLogin, ServiceError } from "../rules.js";
import type { UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { errorXml } from "../views/xml.js";
import { applyFault, type FaultPlan, type SeenRequest } from "./faults.js";
import {
  type AuthorizationKind,
  authorizationKind,
  type Call,
  callerOf,
  type Method,
  type Reply,
  type Route,
} from "./route.js";

export const API_ROOT = "/api/2.0";

type Environment = { Bindings: HttpBindings; Variables: { seen: SeenRequest } };

export interface AppParts {
  /** Undefined until the site is loaded; an earlier request gets 503. */
  readonly site: () => Site | undefined;
  readonly routes: readonly Route[];
  readonly files: (site: Site, request: Request) => Promise<Response | undefined>;
  readonly faults: FaultPlan;
  readonly recorder: Recorder;
  readonly rateLimit: RateLimit | undefined;
  /** Milliseconds, for the rate limit. */
  readonly clock: () => number;
  readonly closing: AbortSignal;
}

export function createApp(parts: AppParts): Hono<Environment> {
  const app = new Hono<Environment>();
  const limiter = createLimiter(parts.rateLimit, parts.clock);
  app.use("*", async (context, next) => {
    const seen = seenRequest(context);
    const note = parts.recorder.arrive({
      ...seen,
      authorization: authorizationKind(context.req.raw.headers),
      hasAppId: context.req.header("x-app-id") !== undefined,
      received: Number(context.req.header("content-length") ?? 0),
    });
    context.set("seen", { ...seen, number: note.number });
    const fault = await parts.faults.next(context.get("seen"));
    const wait = seen.isApi ? limiter() : undefined;
    const answer = async () => {
      await next();
      return context.res;
    };
    const exchange = { bindings: context.env, answer, closing: parts.closing };
    const work = () => (wait === undefined ? answer() : tooMany(context.req.raw, wait, parts.rateLimit));
    const response = await (fault === undefined ? work() : applyFault(fault, exchange));
    context.res = undefined;
    context.res = response;
    const status = response.headers.has("x-hono-already-sent") ? undefined : response.status;
    note.finish({ status, fault: fault?.kind, sent: Number(response.headers.get("content-length") ?? 0) });
  });
  app.onError((error, context) => {
    const body = { message: `The sandbox failed: ${error.stack ?? error.message}` };
    return answerReply(context.req.raw, { status: 500, body });
  });
  register(app, parts);
  return app;
}

/** First every method of every path, then 405 for the other methods, then paths outside the API. */
function register(app: Hono<Environment>, parts: AppParts): void {
  for (const route of parts.routes) {
    app.on(route.method, API_ROOT + route.path, async (context, next) => {
      const site = parts.site();
      if (site === undefined) return answerFailure(context.req.raw, STARTING);
      if (!fitsDialect(route, site) || disabledStatus(route, site) !== undefined) return next();
      return handle(route, site, {
        request: context.req.raw,
        parameter: (name) => context.req.param(name) ?? "",
        beforeList: () => parts.faults.listed(context.get("seen")),
      });
    });
  }
  for (const path of new Set(parts.routes.map((route) => route.path))) {
    app.all(API_ROOT + path, (context, next) => {
      const site = parts.site();
      const served = parts.routes.filter((route) => route.path === path && fitsDialect(route, site));
      const known = served.filter((route) => disabledStatus(route, site) !== 404);
      if (known.length === 0) return next();
      const asked = known.filter(({ method }) => method === context.req.method);
      if (asked.some((route) => disabledStatus(route, site) === 501))
        return answerFailure(context.req.raw, new ServiceError(501, { message: "Not implemented" }));
      const enabled = known.filter((route) => disabledStatus(route, site) === undefined);
      return answerFailure(context.req.raw, new ServiceError(405, { message: "Method not allowed" }), allowed(enabled));
    });
  }
  app.all("*", async (context) => {
    const site = parts.site();
    const file = site === undefined ? undefined : await parts.files(site, context.req.raw);
    return file ?? answerFailure(context.req.raw, new ServiceError(404, { message: "Endpoint not found" }));
  });
}

const STARTING = new ServiceError(503, { message: "The sandbox is still loading its site" });

function fitsDialect(route: Route, site: Site | undefined): boolean {
  return route.served === undefined || site?.settings.dialect !== "ifixit";
}

/** The answer of a disabled family; undefined: it is not disabled. */
function disabledStatus(route: Route, site: Site | undefined): 404 | 405 | 501 | undefined {
  return route.family === undefined ? undefined : site?.settings.disabled.get(route.family);
}

function allowed(routes: readonly Route[]): Readonly<Record<string, string>> {
  const methods = new Set<Method>(routes.map((route) => route.method));
  return { allow: [...methods].join(", ") };
}

function seenRequest(context: Context<Environment>): Omit<SeenRequest, "number"> & { number: number } {
  const url = new URL(context.req.url);
  const isApi = url.pathname.startsWith(`${API_ROOT}/`);
  const path = isApi ? url.pathname.slice(API_ROOT.length) : url.pathname;
  return { number: 0, method: context.req.method, path, query: url.search.slice(1), isApi };
}

function tooMany(request: Request, wait: number, limit: RateLimit | undefined): Response {
  const seconds = String(Math.ceil(wait / 1000));
  const headers = limit?.retryAfter === false ? {} : { "retry-after": seconds };
  return answerFailure(request, new ServiceError(429, { message: "Too many requests" }), headers);
}

interface Arrival {
  readonly request: Request;
  readonly parameter: (name: string) => string;
  readonly beforeList: () => Promise<void>;
}

async function handle(route: Route, site: Site, arrival: Arrival): Promise<Response> {
  try {
    return answerReply(arrival.request, await run(route, site, arrival));
  } catch (error) {
    if (error instanceof ServiceError) return answerFailure(arrival.request, error);
    throw error;
  }
}

/** A reply as JSON, indented when the query has `pretty`, or as its XML. */
function answerReply(request: Request, reply: Reply): Response {
  const headers = new Headers(reply.headers);
  if (reply.xml !== undefined) {
    headers.set("content-type", "application/xml; charset=utf-8");
    return new Response(reply.xml, { status: reply.status, headers });
  }
  if (reply.body === undefined) return new Response(null, { status: reply.status, headers });
  const pretty = new URL(request.url).searchParams.has("pretty");
  const json = JSON.stringify(reply.body, null, pretty ? 4 : undefined);
  headers.set("content-type", "application/json; charset=utf-8");
  headers.set("content-length", String(Buffer.byteLength(json)));
  return new Response(json, { status: reply.status, headers });
}

/** An error; as XML for a request for XML (facts, 1.1). */
function answerFailure(
  request: Request,
  error: ServiceError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const asked = new URL(request.url).searchParams.get("type")?.toUpperCase();
  if (asked !== "XML") return answerReply(request, { status: error.status, body: error.body, headers });
  const message = (error.body as { readonly message?: string }).message ?? error.message;
  return answerReply(request, { status: error.status, xml: errorXml(message), headers });
}

async function run(route: Route, site: Site, arrival: Arrival): Promise<Reply> {
  const { request } = arrival;
  const caller = callerOf(site, request.headers);
  if (caller === undefined && site.settings.private && route.access !== "login") throw invalidLogin();
  // For a body, the adapter makes a whole Request, which costs a third of a GET's answer.
  const text = route.takesBytes === true || request.method === "GET" ? "" : await request.text();
  const call: Call = {
    site,
    caller,
    parameter: arrival.parameter,
    query: new URL(request.url).searchParams,
    json: () => parsed(text),
    stream: route.takesBytes === true ? request.body : null,
    headers: request.headers,
    beforeList: arrival.beforeList,
  };
  if (route.access === "anyone" || route.access === "login") return route.run(call);
  return route.run({ ...call, caller: mustBeIn(caller, route.access) });
}

function mustBeIn(caller: UserRecord | undefined, access: "account" | "admin"): UserRecord {
  if (caller === undefined) throw invalidLogin();
  if (access === "admin" && !caller.admin) throw forbidden("You may not do this.", ["Admin"]);
  return caller;
}

function parsed(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest("Invalid JSON");
    throw error;
  }
}

export interface Listening {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Ends its connections, also those that wait for an answer. */
  close(): Promise<void>;
}

/** On 127.0.0.1; port 0 uses a free one. Throws UsageError for a port that can't be used. */
export async function listen(app: ReturnType<typeof createApp>, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = `The sandbox cannot listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

/** A request to a sandbox, in order of arrival. */
export interface RecordedRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  /** Relative to the API root (`/guides/12`), else the path of the origin (`/media/…`). */
  readonly path: string;
  readonly query: string;
  readonly isApi: boolean;
  /** Arrival in UNIX milliseconds with a fraction: steps of the monotonic clock. */
  readonly at: number;
  /** The kind of sign-in; the token is never kept. */
  readonly authorization: AuthorizationKind;
  readonly hasAppId: boolean;
  /** The answer's status; undefined while there is none, also after a reset. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
  /** Bytes of the request's body, and of the answer's as far as its length is known. */
  readonly received: number;
  readonly sent: number;
}

interface Recorder {
  readonly recorded: readonly RecordedRequest[];
  arrive(request: Omit<RecordedRequest, "number" | "at" | "status" | "fault" | "sent">): {
    readonly number: number;
    finish(outcome: Partial<Pick<RecordedRequest, "status" | "fault" | "sent">>): void;
  };
}

export function createRecorder(): Recorder {
  const recorded: RecordedRequest[] = [];
  return {
    recorded,
    arrive: (request) => {
      const number = recorded.length + 1;
      const at = performance.timeOrigin + performance.now();
      recorded.push({ ...request, number, at, status: undefined, fault: undefined, sent: 0 });
      return {
        number,
        finish: (outcome) => {
          const before = recorded[number - 1];
          if (before !== undefined) recorded[number - 1] = { ...before, ...outcome };
        },
      };
    },
  };
}

interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
  readonly retryAfter?: boolean;
}

/**
 * Counts a request; returns the milliseconds to wait if it is above the limit. Refused requests do
 * not count. `clock`: milliseconds.
 */
function createLimiter(limit: RateLimit | undefined, clock: () => number): () => number | undefined {
  let taken: number[] = [];
  return () => {
    if (limit === undefined) return undefined;
    const now = clock();
    taken = taken.filter((at) => at > now - limit.perMs);
    const oldest = taken[0];
    if (taken.length >= limit.requests && oldest !== undefined) return oldest + limit.perMs - now;
    taken.push(now);
    return undefined;
  };
}
