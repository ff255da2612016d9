import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { JSX } from "hono/jsx/jsx-runtime";
import { FerryError, messageOf } from "../../../core/errors.js";
import { alreadySent } from "../../../core/util/already-sent.js";
import { oneBehind } from "../../../core/util/iterables.js";
import { COMMON_HEADERS, isOwnHost, isSameToken, listenLocally } from "../../components/http.js";
import { assetOf } from "../assets.js";
import type { Medium, OpenLibrary } from "../library.js";
import { headOf, type MediaType, mediaTypeOf } from "../media-type.js";
import { renderPage, renderRows } from "../pages/render-page.js";
import type { RenderPage } from "../pages/scope.js";
import { type MakeSearchFiles, searchScript } from "../search/search-index.js";
import { makeServedSearch } from "../search/served-search.js";
import { type OpenSnapshot, OpenSnapshots, PendingPages } from "./open-snapshots.js";

interface ReaderOptions {
  readonly library: Omit<OpenLibrary, "kind">;
  readonly render?: RenderPage;
  /** The id of the snapshot to open first. Default: the last one at each request. */
  readonly first?: string;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /**
   * A part of every address that keeps out other accounts of this machine: letters, digits, `-` and
   * `_`. Default: none.
   */
  readonly token?: string;
  readonly makeSearch?: MakeSearchFiles;
  /** Called with problems for the terminal. Default: not reported. */
  readonly report?: (problem: string) => void;
}

export interface Reader {
  /** `http://127.0.0.1:PORT/`, with a token `http://127.0.0.1:PORT/<token>/`. */
  readonly url: string;
  /** Ends all connections and all reading. The caller closes the library. */
  close(): Promise<void>;
}

/**
 * Serves the pages of a library on 127.0.0.1. Throws UsageError when the port is taken or not
 * allowed.
 */
export async function startReader(options: ReaderOptions): Promise<Reader> {
  const { library, render = renderPage, makeSearch = makeServedSearch, port = 0, report = () => undefined } = options;
  const first = (): string => options.first ?? library.find().id;
  const waiting = new PendingPages();
  const snapshots = new OpenSnapshots({ library, makeSearch, report, giveWay: () => waiting.idle() });
  const address = new OwnAddress(options.token);
  const app = createApp({ address, snapshots, render, first, waiting, report, library });
  const server = await listenLocally({ fetch: app.fetch, port, name: "The reader", report });
  // Opens the first snapshot early; the request for a page reports an error.
  snapshots.use(first(), async () => undefined).catch(() => undefined);
  return {
    url: `http://127.0.0.1:${server.port}${address.to("/")}`,
    close: async () => {
      snapshots.close();
      await server.close();
    },
  };
}

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

const LASTING = "private, max-age=31536000, immutable";

interface AppParts {
  readonly snapshots: OpenSnapshots;
  readonly render: RenderPage;
  readonly first: () => string;
  /** A browser may not cache what is encrypted on the disk. */
  readonly library: Pick<OpenLibrary, "isEncrypted">;
  readonly waiting: PendingPages;
  readonly address: OwnAddress;
  readonly report: (problem: string) => void;
}

/** Read only; answers only to this machine's names and the own address. */
function createApp(parts: AppParts): Hono<Environment> {
  const app = new Hono<Environment>();
  const types: KnownTypes = new Map();
  const { address } = parts;
  const toFirst = (call: Call): Response => {
    const time = encodeURIComponent(call.req.param("time") ?? "");
    return redirect(call, address.to(`/at/${time}/index.html`));
  };
  app.use("*", async (call, next) => refusal(call, address) ?? (await next()));
  app.get(address.to("/"), async (call) => {
    await parts.snapshots.refresh();
    return redirect(call, address.to(`/at/${parts.first()}/index.html`));
  });
  // An address to write by hand or to keep: it always leads to the latest snapshot.
  app.get(address.to("/search"), async (call) => {
    await parts.snapshots.refresh();
    return redirect(call, address.to(`/at/${parts.first()}/search.html${new URL(call.req.url).search}`));
  });
  app.get(address.to("/assets/:name"), (call) => answerAsset(call, address));
  app.get(address.to("/at/:time/assets/:name"), (call) => answerAsset(call, address));
  app.get(address.to("/at/:time"), toFirst);
  app.get(address.to("/at/:time/"), toFirst);
  app.get(
    address.to("/at/:time/media/:name"),
    // A video may take long and needs nothing else of its snapshot.
    async (call) => {
      const snapshot = await withSnapshot(parts, call);
      return snapshot === undefined ? noSnapshot(call, parts) : answerContent(call, snapshot, parts, types);
    },
  );
  app.get(
    address.to("/at/:time/search/:name{list_[a-z0-9_-]+\\.js}"),
    withOpenSnapshot(parts, (call, time) => answerRows(call, time, parts)),
  );
  app.get(
    address.to("/at/:time/search/:name"),
    withOpenSnapshot(parts, (call, time) => answerSearch(call, time, parts)),
  );
  app.get(
    address.to("/at/:time/*"),
    (_call, next) => parts.waiting.during(() => parts.snapshots.refresh()).then(next),
    withOpenSnapshot(parts, (call, time) => answerPage(call, time, parts)),
  );
  app.notFound((call) => notFound(call, address));
  app.onError((error, call) => failure(call, error, parts));
  return app;
}

/** undefined: the request may go on. */
function refusal(call: Call, address: OwnAddress): Response | undefined {
  if (!isOwnHost(call.req.header("host")))
    return call.text("The Host header of this request does not name this machine.\n", 421, PAGE_HEADERS);
  if (!address.has(call.req.path))
    return call.text("Open the complete address that guideferry printed when it started.\n", 403, PAGE_HEADERS);
  if (call.req.method === "GET" || call.req.method === "HEAD") return undefined;
  return call.text("Method not allowed: the reader is read-only.\n", 405, { ...PAGE_HEADERS, allow: "GET, HEAD" });
}

function withOpenSnapshot(parts: AppParts, answer: (call: Call, time: OpenSnapshot) => Promise<Response>) {
  return async (call: Call): Promise<Response> => {
    const id = call.req.param("time") ?? "";
    const answered = await parts.waiting.during(() => parts.snapshots.use(id, (time) => answer(call, time)));
    return answered ?? noSnapshot(call, parts);
  };
}

function withSnapshot({ snapshots, waiting }: AppParts, call: Call): Promise<OpenSnapshot["snapshot"] | undefined> {
  return waiting.during(() => snapshots.use(call.req.param("time") ?? "", async ({ snapshot }) => snapshot));
}

function noSnapshot(call: Call, { address }: AppParts): Response {
  return notFound(call, address, "This archive has no such snapshot.");
}

async function answerPage(call: Call, time: OpenSnapshot, { render, library, address }: AppParts): Promise<Response> {
  const path = pathIn(call, address);
  if (path !== "index.html") await time.catalogue.listed;
  const { status, html } = await render(time, path);
  const cacheControl = library.isEncrypted ? "no-store" : "no-cache";
  return answerText(call.req.raw, html, { status, contentType: "text/html; charset=utf-8", cacheControl });
}

function pathIn(call: Call, address: OwnAddress): string {
  const raw = address.within(new URL(call.req.url).pathname).split("/").slice(3).join("/");
  try {
    return decodeURIComponent(raw);
  } catch {
    // No page has such an address.
    return raw;
  }
}

async function answerContent(
  call: Call,
  snapshot: OpenSnapshot["snapshot"],
  parts: AppParts,
  types: KnownTypes,
): Promise<Response> {
  const [, sha256] = /^([0-9a-f]{64})(?:\.[a-z0-9_]{1,10})?$/.exec(call.req.param("name") ?? "") ?? [];
  const medium = sha256 === undefined ? undefined : await snapshot.medium(sha256);
  if (sha256 === undefined || medium === undefined)
    return notFound(call, parts.address, "This archive has no such file.");
  const { incoming, outgoing } = call.env;
  const cacheControl = parts.library.isEncrypted ? "no-store" : LASTING;
  try {
    return await answerMedia({ sha256, medium, incoming, outgoing, cacheControl }, types);
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    if (!isDisconnect(error)) parts.report(`The transfer of the file ${sha256} was interrupted: ${messageOf(error)}`);
  }
  return alreadySent();
}

async function answerSearch(call: Call, { search }: OpenSnapshot, { library, address }: AppParts): Promise<Response> {
  const file = await search.file(call.req.param("name") ?? "", new URL(call.req.url).search.slice(1));
  if (file === undefined) return notFound(call, address);
  const cacheControl = file.isLasting && !library.isEncrypted ? LASTING : "no-store";
  const headers = {
    ...PAGE_HEADERS,
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": cacheControl,
    "content-encoding": "gzip",
  };
  return new Response(new Uint8Array(file.bytes), { headers });
}

/** All rows of a list; see `renderRows`. */
async function answerRows(call: Call, time: OpenSnapshot, { address }: AppParts): Promise<Response> {
  await time.catalogue.listed;
  const name = (call.req.param("name") ?? "").replace(/\.js$/, "");
  const rows = await renderRows(time, name);
  if (rows === undefined) return notFound(call, address);
  const headers = { ...PAGE_HEADERS, "content-type": "text/javascript; charset=utf-8", "cache-control": "no-store" };
  return call.body(searchScript(name, rows), 200, headers);
}

async function answerAsset(call: Call, address: OwnAddress): Promise<Response> {
  const asset = assetOf(call.req.param("name") ?? "");
  if (asset === undefined) return notFound(call, address);
  const text = await readFile(asset.file, "utf8");
  return answerText(call.req.raw, text, { status: 200, contentType: asset.contentType, cacheControl: "no-cache" });
}

function redirect(call: Call, path: string): Response {
  return call.body(null, 302, { ...PAGE_HEADERS, location: path, "cache-control": "no-store" });
}

function notFound(call: Call, address: OwnAddress, why = "This page does not exist."): Response {
  const html = plainPage({ title: "Not found", words: [why], address });
  return call.html(html, 404, { ...PAGE_HEADERS, "cache-control": "no-store", etag: etagOf(html) });
}

function failure(call: Call, error: unknown, { report, address }: AppParts): Response {
  report(`${address.within(new URL(call.req.url).pathname)}: ${messageOf(error)}`);
  const words =
    error instanceof FerryError
      ? [error.message]
      : ["This is a defect in guideferry.", `${messageOf(error)}. See the terminal where guideferry runs for details.`];
  return call.html(plainPage({ title: "This page cannot be shown", words, address }), 500, {
    ...PAGE_HEADERS,
    "cache-control": "no-store",
  });
}

function isDisconnect(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

interface PlainPageProps {
  readonly title: string;
  readonly words: readonly string[];
  readonly address: OwnAddress;
}

function plainPage(props: PlainPageProps): string {
  return `<!DOCTYPE html>${String(<PlainPage {...props} />)}`;
}

function PlainPage({ title, words, address }: PlainPageProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href={address.to("/assets/style.css")} />
      </head>
      <body>
        <main id="main">
          <h1>{title}</h1>
          {words.map((text) => (
            <p>{text}</p>
          ))}
          <p>
            <a href={address.to("/")}>Go to the start page</a>
          </p>
        </main>
      </body>
    </html>
  );
}

/** The prefix of every address. */
class OwnAddress {
  /** Empty or `/<token>`. */
  readonly base: string;

  /** `token`: undefined lets every account of this machine read. */
  constructor(token: string | undefined) {
    this.base = token === undefined ? "" : `/${token}`;
  }

  /** Takes the same time for every wrong token. */
  has(path: string): boolean {
    if (this.base === "") return true;
    const [, first = ""] = path.split("/", 2);
    return isSameToken(`/${first}`, this.base);
  }

  /** An address below it: `/at/now/index.html`. */
  to(path: string): string {
    return this.base + path;
  }

  within(path: string): string {
    return path.slice(this.base.length);
  }
}

interface MediaRequest {
  readonly sha256: string;
  readonly medium: Medium;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** How long a browser may keep the answer. */
  readonly cacheControl: string;
}

/** Types by content, so that each range request of a video does not read its beginning again. */
type KnownTypes = Map<string, MediaType>;

const MOST_TYPES = 20_000;

/**
 * Streams a medium or a part of it. Throws what reading its beginning throws; a later error cuts
 * the connection and is thrown too.
 */
async function answerMedia(request: MediaRequest, types: KnownTypes): Promise<Response> {
  const { sha256, medium, incoming, outgoing, cacheControl } = request;
  const tag = `"${sha256}"`;
  const kept = { etag: tag, "cache-control": cacheControl };
  if (tagsIn(incoming.headers["if-none-match"]).includes(tag))
    return new Response(null, { status: 304, headers: { ...PAGE_HEADERS, ...kept } });
  const headers = { ...mediaHeaders(await typeOf(request, types)), ...kept };
  const condition = incoming.headers["if-range"];
  const range = condition === undefined || condition === tag ? byteRange(incoming.headers.range, medium.size) : "all";
  if (range === "none")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${medium.size}` } });
  const { start, end } = range === "all" ? { start: 0, end: medium.size } : range;
  const part = range === "all" ? {} : { "content-range": `bytes ${start}-${end - 1}/${medium.size}` };
  const answer = {
    status: range === "all" ? 200 : 206,
    headers: { ...headers, ...part, "content-length": String(end - start) },
  };
  if (incoming.method === "HEAD") return new Response(null, answer);
  const content = await medium.open(range === "all" ? undefined : { start, end });
  outgoing.writeHead(answer.status, answer.headers);
  await pipeline(content, oneBehind, outgoing);
  return alreadySent();
}

async function typeOf({ sha256, medium }: MediaRequest, types: KnownTypes): Promise<MediaType> {
  const known = types.get(sha256);
  if (known !== undefined) return known;
  const type = mediaTypeOf(await headOf(medium));
  if (types.size >= MOST_TYPES) types.clear();
  types.set(sha256, type);
  return type;
}

function tagsIn(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Answers 304 when the browser has the same text. */
function answerText(request: Request, text: string, { status, contentType, cacheControl }: TextAnswer): Response {
  const etag = etagOf(text);
  const headers = { ...PAGE_HEADERS, "content-type": contentType, "cache-control": cacheControl, etag };
  const isKnown = status === 200 && (request.headers.get("if-none-match") ?? "").split(/\s*,\s*/).includes(etag);
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(text, { status, headers });
}

function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/** `all`: no range, or one that is not understood. `none`: outside of the content. */
type AskedRange = { readonly start: number; readonly end: number } | "all" | "none";

/**
 * Reads a single byte range (RFC 9110, 14.1.2); several ranges and other units get the whole, as is
 * allowed.
 */
export function byteRange(header: string | undefined, size: number): AskedRange {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "all";
  if (from === "") return to === "0" || size === 0 ? "none" : { start: Math.max(0, size - Number(to)), end: size };
  const [start, end] = [Number(from), to === "" ? size : Number(to) + 1];
  if (to !== "" && end <= start) return "all";
  return start >= size ? "none" : { start, end: Math.min(end, size) };
}

type Headers = Readonly<Record<string, string>>;

const PAGE_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Pages load only what this server serves: no inline script, no frame. */
const PAGE_HEADERS: Headers = { ...COMMON_HEADERS, "content-security-policy": PAGE_POLICY };

/** Untrusted content that is opened by itself may do nothing. */
const MEDIA_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Many browsers do not show a PDF file in a sandbox; a script in the file reaches no page. */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

function mediaHeaders({ shown, contentType }: MediaType): Headers {
  const policy = shown === "pdf" ? PDF_POLICY : MEDIA_POLICY;
  const disposition = shown === "download" ? "attachment" : "inline";
  return {
    ...COMMON_HEADERS,
    "content-type": contentType,
    "content-security-policy": policy,
    "content-disposition": disposition,
    "accept-ranges": "bytes",
  };
}
