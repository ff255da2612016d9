import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { JSX } from "hono/jsx/jsx-runtime";
import { FerryError, messageOf, UsageError } from "../../../core/errors.js";
import { alreadySent } from "../../../core/util/already-sent.js";
import { isOwnHost } from "../../components/http.js";
import { assetOf } from "../assets.js";
import type { OpenLibrary } from "../library.js";
import { renderPage } from "../pages/render-page.js";
import type { RenderPage } from "../pages/scope.js";
import type { MakeSearchFiles } from "../search/search-files.js";
import { makeServedSearch } from "../search/served-search.js";
import { answerMedia, answerText, etagOf, type KnownTypes, PAGE_HEADERS } from "./answers.js";
import { type OpenTime, OpenTimes, WaitingRoom } from "./open-times.js";

/** What a reader is started with. */
interface ReaderOptions {
  readonly library: Omit<OpenLibrary, "kind">;
  /** Default: renderPage. */
  readonly render?: RenderPage;
  /** The id of the time that is opened first. Default: the last one, whichever that is by then. */
  readonly first?: string;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /**
   * Stands in every address, so that no other account of this machine can read: letters, digits,
   * `-` and `_`. Default: none.
   */
  readonly token?: string;
  /** Default: makeServedSearch. */
  readonly makeSearch?: MakeSearchFiles;
  /** Is told what went wrong, for people at the terminal. Default: nobody is. */
  readonly tell?: (problem: string) => void;
}

/** A reader that takes requests. */
export interface Reader {
  /** `http://127.0.0.1:PORT/`, with a token `http://127.0.0.1:PORT/<token>/`. */
  readonly url: string;
  /** Ends all connections and all reading; the library stays open, which is the caller's. */
  close(): Promise<void>;
}

/**
 * Serves the pages of a library on this machine alone. Throws UsageError when the port is taken or
 * not allowed.
 */
export async function startReader(options: ReaderOptions): Promise<Reader> {
  const { library, render = renderPage, makeSearch = makeServedSearch, port = 0, tell = () => undefined } = options;
  const first = (): string => options.first ?? library.find().id;
  const waiting = new WaitingRoom();
  const times = new OpenTimes({ library, makeSearch, tell, giveWay: () => waiting.empty() });
  const address = new OwnAddress(options.token);
  const app = createApp({
    address,
    times,
    render,
    first,
    waiting,
    tell,
    library,
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = `The reader can't listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  // Whoever opens the address finds it there; what goes wrong is told to who asks for a page.
  times.use(first(), async () => undefined).catch(() => undefined);
  return {
    url: `http://127.0.0.1:${taken}${address.to("/")}`,
    close: async () => {
      times.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

/** Of what is named by its content. */
const LASTING = "private, max-age=31536000, immutable";

/** What the reader's server is made of. */
interface AppParts {
  readonly times: OpenTimes;
  readonly render: RenderPage;
  /** The id of the time that is opened first. */
  readonly first: () => string;
  /** What lies encrypted on the disk a browser may not keep in the clear. */
  readonly library: Pick<OpenLibrary, "isEncrypted">;
  readonly waiting: WaitingRoom;
  readonly address: OwnAddress;
  /** Is told what went wrong, for people at the terminal. */
  readonly tell: (problem: string) => void;
}

/**
 * The pages of a library over HTTP. It only reads, and answers nobody but this machine's own names,
 * and who knows its address.
 */
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
    await parts.times.refresh();
    return redirect(call, address.to(`/at/${parts.first()}/index.html`));
  });
  app.get(address.to("/assets/:name"), (call) => answerAsset(call, address));
  app.get(address.to("/at/:time/assets/:name"), (call) => answerAsset(call, address));
  app.get(address.to("/at/:time"), toFirst);
  app.get(address.to("/at/:time/"), toFirst);
  app.get(
    address.to("/at/:time/media/:name"),
    // A film may take long, and needs nothing of its time but where it lies.
    async (call) => {
      const shelf = await withShelf(parts, call);
      return shelf === undefined ? noTime(call, parts) : answerContent(call, shelf, parts, types);
    },
  );
  app.get(
    address.to("/at/:time/search/:name"),
    withTime(parts, (call, time) => answerSearch(call, time, parts)),
  );
  app.get(
    address.to("/at/:time/*"),
    (_call, next) => parts.waiting.during(() => parts.times.refresh()).then(next),
    withTime(parts, (call, time) => answerPage(call, time, parts)),
  );
  app.notFound((call) => notFound(call, address));
  app.onError((error, call) => failure(call, error, parts));
  return app;
}

/** undefined: the request may go on. */
function refusal(call: Call, address: OwnAddress): Response | undefined {
  if (!isOwnHost(call.req.header("host")))
    return call.text("This address is no name of this machine.\n", 421, PAGE_HEADERS);
  if (!address.has(call.req.path))
    return call.text("Open the whole address that guideferry printed when it started.\n", 403, PAGE_HEADERS);
  if (call.req.method === "GET" || call.req.method === "HEAD") return undefined;
  return call.text("Nothing can be changed here.\n", 405, { ...PAGE_HEADERS, allow: "GET, HEAD" });
}

function withTime(parts: AppParts, answer: (call: Call, time: OpenTime) => Promise<Response>) {
  return async (call: Call): Promise<Response> => {
    const id = call.req.param("time") ?? "";
    const answered = await parts.waiting.during(() => parts.times.use(id, (time) => answer(call, time)));
    return answered ?? noTime(call, parts);
  };
}

function withShelf({ times, waiting }: AppParts, call: Call): Promise<OpenTime["shelf"] | undefined> {
  return waiting.during(() => times.use(call.req.param("time") ?? "", async ({ shelf }) => shelf));
}

function noTime(call: Call, { address }: AppParts): Response {
  return notFound(call, address, "This library has no such time.");
}

async function answerPage(call: Call, time: OpenTime, { render, library, address }: AppParts): Promise<Response> {
  const path = pathIn(call, address);
  if (path !== "index.html") await time.catalogue.listed;
  const { status, html } = await render(time, path);
  const cacheControl = library.isEncrypted ? "no-store" : "no-cache";
  return answerText(call.req.raw, html, { status, contentType: "text/html; charset=utf-8", cacheControl });
}

/** The address inside of the time, as the page that links it wrote it. */
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
  shelf: OpenTime["shelf"],
  parts: AppParts,
  types: KnownTypes,
): Promise<Response> {
  const [, sha256] = /^([0-9a-f]{64})(?:\.[a-z0-9_]{1,10})?$/.exec(call.req.param("name") ?? "") ?? [];
  const medium = sha256 === undefined ? undefined : await shelf.medium(sha256);
  if (sha256 === undefined || medium === undefined)
    return notFound(call, parts.address, "No such file is in this library.");
  const { incoming, outgoing } = call.env;
  const cacheControl = parts.library.isEncrypted ? "no-store" : LASTING;
  try {
    return await answerMedia({ sha256, medium, incoming, outgoing, cacheControl }, types);
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    if (!isGone(error)) parts.tell(`The file ${sha256} broke off: ${messageOf(error)}`);
  }
  return alreadySent();
}

async function answerSearch(call: Call, { search }: OpenTime, { library, address }: AppParts): Promise<Response> {
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

async function answerAsset(call: Call, address: OwnAddress): Promise<Response> {
  const asset = assetOf(call.req.param("name") ?? "");
  if (asset === undefined) return notFound(call, address);
  const text = await readFile(asset.file, "utf8");
  return answerText(call.req.raw, text, { status: 200, contentType: asset.contentType, cacheControl: "no-cache" });
}

function redirect(call: Call, path: string): Response {
  return call.body(null, 302, { ...PAGE_HEADERS, location: path, "cache-control": "no-store" });
}

function notFound(call: Call, address: OwnAddress, why = "There is no such page."): Response {
  const html = plainPage({ title: "Not found", words: [why], address });
  return call.html(html, 404, { ...PAGE_HEADERS, "cache-control": "no-store", etag: etagOf(html) });
}

function failure(call: Call, error: unknown, { tell, address }: AppParts): Response {
  tell(`${address.within(new URL(call.req.url).pathname)}: ${messageOf(error)}`);
  const words =
    error instanceof FerryError
      ? [error.message]
      : ["This is a defect of guideferry.", `${messageOf(error)}. The terminal that guideferry runs in has more.`];
  return call.html(plainPage({ title: "This can't be shown", words, address }), 500, {
    ...PAGE_HEADERS,
    "cache-control": "no-store",
  });
}

/** The browser went away, which it may. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

interface PlainPageProps {
  readonly title: string;
  readonly words: readonly string[];
  readonly address: OwnAddress;
}

/** A page of the server itself, where none of the library can be shown. */
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
            <a href={address.to("/")}>To the first page</a>
          </p>
        </main>
      </body>
    </html>
  );
}

/** The beginning of every address that is answered: whoever reads has to know it. */
class OwnAddress {
  /** `` or `/<token>`. */
  readonly base: string;

  /** `token`: letters, digits, `-` and `_`; undefined: every account of this machine may read. */
  constructor(token: string | undefined) {
    this.base = token === undefined ? "" : `/${token}`;
  }

  /** Takes as long for a token that is nearly right as for any other. */
  has(path: string): boolean {
    if (this.base === "") return true;
    const [, first = ""] = path.split("/", 2);
    return timingSafeEqual(digest(`/${first}`), digest(this.base));
  }

  /** An address below it: `/at/now/index.html`. */
  to(path: string): string {
    return this.base + path;
  }

  /** What stands behind it. */
  within(path: string): string {
    return path.slice(this.base.length);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
