import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Site } from "../state/site.js";
import { applyFault } from "./apply-fault.js";
import type { FaultPlan, SeenRequest } from "./faults.js";
import { answerFailure, answerReply, handle } from "./handle.js";
import type { RateLimit } from "./rate-limit.js";
import { createLimiter } from "./rate-limit.js";
import type { Recorder } from "./recorder.js";
import type { Method, Route } from "./route.js";
import { ServiceError } from "./service-error.js";
import { authorizationKind } from "./session.js";

/** Where the API lives on its origin. */
export const API_ROOT = "/api/2.0";

type Environment = { Bindings: HttpBindings; Variables: { seen: SeenRequest } };

/** What a server is made of. */
export interface AppParts {
  /** Undefined until the site is loaded; a request before that gets 503. */
  readonly site: () => Site | undefined;
  readonly routes: readonly Route[];
  /** Serves what is not API: media. */
  readonly files: (site: Site, request: Request) => Promise<Response | undefined>;
  readonly faults: FaultPlan;
  readonly recorder: Recorder;
  readonly rateLimit: RateLimit | undefined;
  /** Milliseconds, for the rate limit. */
  readonly clock: () => number;
  readonly closing: AbortSignal;
}

/** The HTTP side of a sandbox: record, limit, fault, route. */
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

/** First every method of every path, then "405" for the rest of the methods, then what is no API path. */
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

/** What the route answers because its family is switched off; undefined when it isn't. */
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
