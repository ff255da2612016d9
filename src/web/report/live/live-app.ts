import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Secret } from "../../../service/secret.js";
import { COMMON_HEADERS } from "../../components/common-headers.js";
import { isOwnHost } from "../../components/is-own-host.js";
import { alreadySent } from "../../../core/util/already-sent.js";
import { LIVE_POLICY } from "./live-page.js";
import type { Viewers } from "./viewers.js";

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

/** What the server of a live view is made of. */
export interface LiveAppParts {
  readonly token: Secret;
  readonly viewers: Viewers;
  /** The page as it is now. */
  readonly page: () => string;
  /** Is called for each one that begins to look. */
  readonly onViewer: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Is told what went wrong, for people at the terminal. */
  readonly tell: (problem: string) => void;
}

const HEADERS = {
  ...COMMON_HEADERS,
  "content-security-policy": `${LIVE_POLICY}; frame-ancestors 'none'`,
  "cache-control": "no-store",
};

/** Say nothing of the run, so that they need no token. */
const FILES: Readonly<Record<string, { readonly place: URL; readonly contentType: string }>> = {
  "/style.css": { place: new URL("../../components/style.css", import.meta.url), contentType: "text/css; charset=utf-8" },
  "/icon.svg": { place: new URL("../../components/icon.svg", import.meta.url), contentType: "image/svg+xml" },
  "/live.js": { place: new URL("../browser/live.js", import.meta.url), contentType: "text/javascript; charset=utf-8" },
};

/** The live view over HTTP: for this machine's own names, whoever has the token, and pages of its own. */
export function liveApp(parts: LiveAppParts): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use("*", async (call, next) => refusal(call, parts.token) ?? (await next()));
  app.get("/", (call) => call.html(parts.page(), 200, HEADERS));
  for (const [path, { place, contentType }] of Object.entries(FILES)) {
    app.get(path, async (call) =>
      call.body(await readFile(place, "utf8"), 200, { ...HEADERS, "content-type": contentType }),
    );
  }
  app.get("/events", (call) => openEvents(call, parts));
  app.post("/pause", (call) => changed(call, parts.pause));
  app.post("/resume", (call) => changed(call, parts.resume));
  app.notFound((call) => call.text("There is no such page.\n", 404, HEADERS));
  app.onError((error, call) => {
    parts.tell(`${call.req.path}: ${error.message}`);
    return call.text("This can't be shown: a defect of guideferry. The run goes on.\n", 500, HEADERS);
  });
  return app;
}

/** undefined: the request may go on. */
function refusal(call: Call, token: Secret): Response | undefined {
  const { req } = call;
  const host = req.header("host");
  // A page of another site whose name was made to point here (DNS rebinding) sends that site's name.
  if (!isOwnHost(host)) return call.text("This address is no name of this machine.\n", 421, HEADERS);
  if (!Object.hasOwn(FILES, req.path) && !isToken(req.query("token"), token))
    return call.text("Open the address that guideferry printed, with all of its token.\n", 403, HEADERS);
  if (req.method === "GET" || req.method === "HEAD") return undefined;
  if (req.method !== "POST") return call.text("Not here.\n", 405, { ...HEADERS, allow: "GET, HEAD, POST" });
  if (req.header("origin") === `http://${host}`) return undefined;
  return call.text("Only this page itself may ask for that.\n", 403, HEADERS);
}

/** Takes as long for a token that is nearly right as for any other. */
function isToken(given: string | undefined, token: Secret): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(token.reveal()));
}

function openEvents(call: Call, { viewers, onViewer }: LiveAppParts): Response {
  if (call.req.method !== "GET") return call.body(null, 200, HEADERS);
  if (!viewers.add(call.env.outgoing, HEADERS)) return call.text("Too many look at this run already.\n", 503, HEADERS);
  onViewer();
  return alreadySent();
}

function changed(call: Call, change: () => void): Response {
  change();
  return call.body(null, 204, HEADERS);
}
