import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { messageOf, UsageError } from "../../core/errors.js";
import { alreadySent } from "../../core/util/already-sent.js";
import type { Pause } from "../../service/http/pause.js";
import { Secret } from "../../service/http/secret.js";
import { COMMON_HEADERS, isOwnHost } from "../components/http.js";
import { LIVE_POLICY, type LiveFacts, type LiveState, liveBodyHtml, livePage } from "./live-page.js";

interface LiveViewOptions {
  /**
   * How the run stands now; is asked only while somebody looks, at most once a second. Must be
   * cheap.
   */
  readonly facts: () => LiveFacts;
  readonly pause: Pause;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /** Is told what went wrong, for people at the terminal. */
  readonly tell: (problem: string) => void;
}

/** How a run ended, for who still looks. */
interface LiveEnd {
  readonly words: string;
  /** What the page shows from then on; absent: what it showed last. */
  readonly html?: string;
}

/** A page on this machine that shows a run while it is on. */
export interface LiveView {
  /** `http://127.0.0.1:PORT/?token=…`: who has it can pause the run. */
  readonly url: string;
  /** The token that stands in the address. */
  readonly token: Secret;
  /**
   * Tells the end and closes everything; waits for no browser longer than a quarter of a second.
   */
  close(end: LiveEnd): Promise<void>;
}

/** Milliseconds between two pages. */
const TELL_EVERY = 1000;
const PATIENCE = 250;

/** Shows a run on this machine alone. Throws UsageError when the port is taken or not allowed. */
export async function startLiveView({ facts, pause, port = 0, tell }: LiveViewOptions): Promise<LiveView> {
  const token = new Secret(randomBytes(24).toString("base64url"));
  const viewers = new Viewers();
  let page = { made: Number.NEGATIVE_INFINITY, html: "" };
  let shown = "";
  const state = (): LiveState => (pause.isPaused ? PAUSED : ON);

  /** Several may begin to look in one second: all get the same. */
  function bodyHtml(): string {
    if (Math.abs(performance.now() - page.made) >= TELL_EVERY)
      page = { made: performance.now(), html: liveBodyHtml(facts()) };
    return page.html;
  }

  function show(): void {
    if (viewers.isEmpty) return;
    try {
      const html = bodyHtml();
      if (html !== shown) viewers.tell("page", { ...state(), html });
      shown = html;
    } catch (error) {
      tell(messageOf(error));
      clearInterval(timer);
    }
  }

  const timer = setInterval(show, TELL_EVERY);
  const forget = pause.onChange(() => viewers.tell("state", state()));
  const app = liveApp({
    token,
    viewers,
    tell,
    page: () => livePage(facts(), state()),
    onViewer: () => viewers.tell("page", { ...state(), html: bodyHtml() }),
    pause: pause.pause,
    resume: pause.resume,
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  const quiet = (): void => {
    clearInterval(timer);
    forget();
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      quiet();
      const problem = `The live view can't listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  server.on("error", (error) => tell(error.message));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/?token=${token.reveal()}`,
    token,
    close: async (end) => {
      quiet();
      await viewers.end("over", { state: "over", ...end }, PATIENCE);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}

const ON: LiveState = { state: "on", words: "The run is on." };
const PAUSED: LiveState = {
  state: "paused",
  words: "Paused: no new request goes out. Work that needs none, such as reading files, goes on.",
};

type Environment = { Bindings: HttpBindings };
type Call = Context<Environment>;

/** What the server of a live view is made of. */
interface LiveAppParts {
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
  "/style.css": { place: new URL("../components/style.css", import.meta.url), contentType: "text/css; charset=utf-8" },
  "/icon.svg": { place: new URL("../components/icon.svg", import.meta.url), contentType: "image/svg+xml" },
  "/live.js": { place: new URL("./browser/live.js", import.meta.url), contentType: "text/javascript; charset=utf-8" },
};

/**
 * The live view over HTTP: for this machine's own names, whoever has the token, and pages of its
 * own.
 */
function liveApp(parts: LiveAppParts): Hono<Environment> {
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
  // A page of another site whose name was made to point here (DNS rebinding) sends that site's
  // name.
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

/** Browsers that look; more than any run has. */
const MOST = 16;

/** Those who look at a run, each on a connection that stays open (server-sent events). */
export class Viewers {
  readonly #all = new Set<ServerResponse>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Begins to tell on this connection; false: there are too many already. */
  add(outgoing: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#all.size >= MOST) return false;
    const forget = (): void => void this.#all.delete(outgoing);
    outgoing.on("close", forget).on("error", forget);
    outgoing.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
    outgoing.flushHeaders();
    this.#all.add(outgoing);
    return true;
  }

  /**
   * Who has not yet taken what came before misses this: nobody is waited for, and at most one event
   * lies in memory for each.
   */
  tell(event: string, facts: object): void {
    const frame = frameOf(event, facts);
    for (const outgoing of this.#all) if (!outgoing.writableNeedDrain) outgoing.write(frame);
  }

  /** The last event. Resolves when all have it, or when `patience` (milliseconds) is over. */
  async end(event: string, facts: object, patience: number): Promise<void> {
    const frame = frameOf(event, facts);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    const each = [...this.#all].map(
      (outgoing) =>
        new Promise<void>((resolve) => {
          outgoing.on("close", () => resolve());
          outgoing.end(frame, () => resolve());
        }),
    );
    await Promise.race([Promise.all(each), late]);
    clearTimeout(timer);
  }
}

/** An event as the HTML standard has it (9.2); JSON has no line breaks of its own. */
function frameOf(event: string, facts: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(facts)}\n\n`;
}

/** Of all time, what a question may take: the run is what the machine is for. */
const SHARE = 0.02;

/**
 * Asks only so often that asking takes at most 2 % of the time, and gives the last answer in
 * between. `now`: milliseconds.
 */
export function sparing<T>(ask: () => T, now: () => number = () => performance.now()): () => T {
  let last: { readonly answer: T; readonly until: number } | undefined;
  return () => {
    const begun = now();
    if (last !== undefined && begun < last.until) return last.answer;
    const answer = ask();
    last = { answer, until: begun + (now() - begun) / SHARE };
    return answer;
  };
}
