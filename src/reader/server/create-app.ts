import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { FerryError } from "../../errors.js";
import { isOwnHost } from "../../pages/is-own-host.js";
import { alreadySent } from "../../util/already-sent.js";
import { assetOf } from "../assets.js";
import type { RenderPage } from "../render.js";
import { answerMedia, type KnownTypes } from "./answer-media.js";
import { answerText, etagOf } from "./answer-text.js";
import type { OpenTime, OpenTimes } from "./open-times.js";
import { plainPage } from "./plain-page.js";
import { PAGE_HEADERS } from "./security-headers.js";
import type { WaitingRoom } from "./waiting-room.js";

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

/** What the reader's server is made of. */
export interface AppParts {
  readonly times: OpenTimes;
  readonly render: RenderPage;
  /** The id of the time that is opened first. */
  readonly first: string;
  /** The content lies encrypted on the disk: a browser may not keep it in the clear. */
  readonly isEncrypted: boolean;
  readonly waiting: WaitingRoom;
  /** Is told what went wrong, for people at the terminal. */
  readonly tell: (problem: string) => void;
}

/** The pages of a library over HTTP. It only reads, and answers nobody but this machine's own names. */
export function createApp(parts: AppParts): Hono<Environment> {
  const app = new Hono<Environment>();
  const types: KnownTypes = new Map();
  app.use("*", async (call, next) => refusal(call) ?? (await next()));
  app.get("/", (call) => redirect(call, `/at/${parts.first}/index.html`));
  app.get("/assets/:name", (call) => answerAsset(call, call.req.param("name")));
  app.get("/at/:time/assets/:name", (call) => answerAsset(call, call.req.param("name")));
  app.get("/at/:time", (call) => redirect(call, `/at/${encodeURIComponent(call.req.param("time"))}/index.html`));
  app.get("/at/:time/", (call) => redirect(call, `/at/${encodeURIComponent(call.req.param("time"))}/index.html`));
  app.get(
    "/at/:time/media/:name",
    withTime(parts, (call, time) => answerContent(call, time, parts, types)),
  );
  app.get("/at/:time/search/:name", withTime(parts, answerSearch));
  app.get(
    "/at/:time/*",
    withTime(parts, (call, time) => parts.waiting.during(() => answerPage(call, time, parts))),
  );
  app.notFound((call) => notFound(call));
  app.onError((error, call) => failure(call, error, parts));
  return app;
}

/** undefined: the request may go on. */
function refusal(call: Call): Response | undefined {
  if (!isOwnHost(call.req.header("host")))
    return call.text("This address is no name of this machine.\n", 421, PAGE_HEADERS);
  if (call.req.method === "GET" || call.req.method === "HEAD") return undefined;
  return call.text("Nothing can be changed here.\n", 405, { ...PAGE_HEADERS, allow: "GET, HEAD" });
}

function withTime(parts: AppParts, answer: (call: Call, time: OpenTime) => Promise<Response>) {
  return async (call: Call): Promise<Response> => {
    const time = await parts.waiting.during(() => parts.times.at(call.req.param("time") ?? ""));
    return time === undefined ? notFound(call, "This library has no such time.") : answer(call, time);
  };
}

async function answerPage(call: Call, time: OpenTime, { render, isEncrypted }: AppParts): Promise<Response> {
  const path = pathIn(call);
  if (path !== "index.html") await time.catalogue.listed;
  const { status, html } = await render(time, path);
  const cacheControl = isEncrypted ? "no-store" : "no-cache";
  return answerText(call.req.raw, html, { status, contentType: "text/html; charset=utf-8", cacheControl });
}

/** The address inside of the time, as the page that links it wrote it. */
function pathIn(call: Call): string {
  const raw = new URL(call.req.url).pathname.split("/").slice(3).join("/");
  try {
    return decodeURIComponent(raw);
  } catch {
    // No page has such an address.
    return raw;
  }
}

async function answerContent(call: Call, { shelf }: OpenTime, parts: AppParts, types: KnownTypes): Promise<Response> {
  const [, sha256] = /^([0-9a-f]{64})(?:\.[a-z0-9_]{1,10})?$/.exec(call.req.param("name") ?? "") ?? [];
  const medium = sha256 === undefined ? undefined : await shelf.medium(sha256);
  if (sha256 === undefined || medium === undefined) return notFound(call, "No such file is in this library.");
  const { incoming, outgoing } = call.env;
  const cacheControl = parts.isEncrypted ? "no-store" : "private, max-age=31536000, immutable";
  try {
    return await answerMedia({ sha256, medium, incoming, outgoing, cacheControl }, types);
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    if (!isGone(error)) parts.tell(`The file ${sha256} broke off: ${messageOf(error)}`);
  }
  return alreadySent();
}

async function answerSearch(call: Call, { search }: OpenTime): Promise<Response> {
  const file = await search?.file(call.req.param("name") ?? "");
  if (file === undefined) return notFound(call);
  const headers = { ...PAGE_HEADERS, "content-type": "text/javascript; charset=utf-8", "cache-control": "no-store" };
  return new Response(new Uint8Array(file.bytes), { headers: { ...headers, "content-encoding": "gzip" } });
}

async function answerAsset(call: Call, name: string): Promise<Response> {
  const asset = assetOf(name);
  if (asset === undefined) return notFound(call);
  const text = await readFile(asset.file, "utf8");
  return answerText(call.req.raw, text, { status: 200, contentType: asset.contentType, cacheControl: "no-cache" });
}

function redirect(call: Call, path: string): Response {
  return call.body(null, 302, { ...PAGE_HEADERS, location: path, "cache-control": "no-store" });
}

function notFound(call: Call, why = "There is no such page."): Response {
  const html = plainPage({ title: "Not found", words: [why], ways: HOME });
  return call.html(html, 404, { ...PAGE_HEADERS, "cache-control": "no-store", etag: etagOf(html) });
}

function failure(call: Call, error: unknown, { tell }: AppParts): Response {
  tell(`${new URL(call.req.url).pathname}: ${messageOf(error)}`);
  const words =
    error instanceof FerryError
      ? [error.message]
      : ["This is a defect of guideferry.", `${messageOf(error)}. The terminal that guideferry runs in has more.`];
  return call.html(plainPage({ title: "This can't be shown", words, ways: HOME }), 500, {
    ...PAGE_HEADERS,
    "cache-control": "no-store",
  });
}

const HOME = [{ href: "/", words: "To the first page" }];

/** The browser went away, which it may. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
