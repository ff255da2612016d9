import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { errorXml } from "../views/xml/xml-element.js";
import type { Call, Reply, Route } from "./route.js";
import { badRequest, forbidden, invalidLogin, ServiceError } from "./service-error.js";
import { callerOf } from "./session.js";

/** A request that found its route. */
export interface Arrival {
  readonly request: Request;
  readonly parameter: (name: string) => string;
  readonly beforeList: () => Promise<void>;
}

/** Signs the caller in, reads the body, runs the route, and makes an answer of whatever comes. */
export async function handle(route: Route, site: Site, arrival: Arrival): Promise<Response> {
  try {
    return answerReply(arrival.request, await run(route, site, arrival));
  } catch (error) {
    if (error instanceof ServiceError) return answerFailure(arrival.request, error);
    throw error;
  }
}

/** A reply as JSON, indented when the query has `pretty`, or as the XML that it carries. */
export function answerReply(request: Request, reply: Reply): Response {
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

/** An error; as XML for a request that asked for XML (facts, 1.1). */
export function answerFailure(
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
  const text = route.takesBytes === true ? "" : await request.text();
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
