import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { messageOf, UsageError } from "../core/errors.js";
import { alreadySent } from "../core/util/already-sent.js";
import { Secret } from "../service/http/secret.js";
import { assetFile } from "../web/components/asset-files.js";
import { COMMON_HEADERS, isOwnHost, isSameToken, listenLocally } from "../web/components/http.js";
import { secondWords } from "../web/components/words.js";
import { type Choice, fleetPage, tasksPage } from "../web/fleet/pages.js";
import {
  ACTIONS,
  FLEET_POLICY,
  type FleetAction,
  type FleetFacts,
  type PageState,
  signInPage,
} from "../web/fleet/parts.js";
import { type TaskDetail, taskPage, unknownTaskPage } from "../web/fleet/task-page.js";
import { Viewers } from "../web/report/live-view.js";
import type { FleetDatabase } from "./database.js";
import type { JobQueue } from "./jobs.js";
import { type ExplainExit, FleetReader } from "./overview.js";
import { cancelTask, pauseTask, resumeTask, retryTask } from "./tasks.js";

export interface FleetUiOptions {
  readonly database: FleetDatabase;
  readonly jobs: JobQueue;
  readonly explain: ExplainExit;
  /** 0: a free one. */
  readonly port: number;
  /** The address of this machine on which it listens; another one than its own needs a proxy. */
  readonly host: string;
  /** `https://fleet.example`: where a proxy with TLS shows the pages; null: this machine only. */
  readonly publicAddress: string | null;
  /** For the form to sign in; null: each printed address signs in once. */
  readonly token: Secret | null;
  /** Prints an address that signs in, whenever the one before was used. */
  readonly announce: (address: string) => void;
  /** Called with problems for the terminal. */
  readonly report: (problem: string) => void;
}

export interface FleetUi {
  readonly port: number;
  close(): Promise<void>;
}

/** Milliseconds between two looks at the database. */
const LOOK_EVERY = 2000;
/** Milliseconds after which pages are loaded again although nothing changed: they show ages. */
const AGES_EVERY = 20_000;
const PATIENCE = 250;
const SHORTEST_TOKEN = 16;

/**
 * Serves the operators' pages of a fleet. Throws UsageError when the port is taken, for an address
 * that other machines reach without TLS, and for a short token.
 */
export async function startFleetUi(options: FleetUiOptions): Promise<FleetUi> {
  const { database, explain, port, host, announce, report } = options;
  const address = checkAddress(options);
  const viewers = new Viewers();
  const store = new FactStore(new FleetReader(database, explain), report);
  const door = new Door(options.token, address !== null);
  let isLooking = false;
  let sent = { at: 0, text: "" };
  const look = async (): Promise<void> => {
    if (viewers.isEmpty || isLooking) return;
    isLooking = true;
    try {
      const { facts, away } = await store.current();
      const text = JSON.stringify({ ...facts, now: 0, away });
      if (text === sent.text && performance.now() - sent.at < AGES_EVERY) return;
      sent = { at: performance.now(), text };
      viewers.send("changed", {});
    } catch (error) {
      report(messageOf(error));
    } finally {
      isLooking = false;
    }
  };
  await store.current();
  // A moment later than the last state is too old.
  const timer = setInterval(look, LOOK_EVERY + 50);
  let origin = "";
  const invite = (): void => {
    announce(door.asks ? origin : `${origin}/sign-in?token=${door.invitation()}`);
  };
  const onViewer = (): void => {
    sent = { at: 0, text: "" };
  };
  const app = fleetApp({ ...options, address, viewers, store, door, invite, onViewer });
  const name = "The page of the fleet";
  const server = await listenLocally({ fetch: app.fetch, port, host, name, report }).catch((error) => {
    clearInterval(timer);
    throw error;
  });
  if (!door.isSecure) door.cookieName = `guideferry-fleet-${server.port}`;
  origin = address ?? `http://127.0.0.1:${server.port}`;
  invite();
  return {
    port: server.port,
    close: async () => {
      clearInterval(timer);
      await viewers.end("end", {}, PATIENCE);
      await server.close();
    },
  };
}

/** The origin of the public address; null: there is none. */
function checkAddress({ host, publicAddress, token }: FleetUiOptions): string | null {
  if (token !== null && token.reveal().length < SHORTEST_TOKEN) {
    throw new UsageError(
      `The token of the page of the fleet is shorter than ${SHORTEST_TOKEN} characters. Make one: openssl rand -hex 24`,
    );
  }
  if (publicAddress === null) {
    if (/^(?:127(?:\.\d+){3}|::1|localhost)$/.test(host)) return null;
    throw new UsageError(
      `With --host ${host} other machines reach the page, and a token would pass the network unencrypted. Put a proxy with TLS ` +
        "before it, and give its address: --public-address https://fleet.example",
    );
  }
  const url = URL.canParse(publicAddress) ? new URL(publicAddress) : undefined;
  if (url?.protocol === "https:" && url.pathname === "/" && url.search === "" && url.username === "") return url.origin;
  throw new UsageError(
    `"${publicAddress}" is no address for --public-address. Give the origin alone, with TLS: https://fleet.example`,
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The facts of all viewers, read at most once in LOOK_EVERY, and after an action. */
class FactStore {
  readonly #reader: FleetReader;
  readonly #report: (problem: string) => void;
  #facts: FleetFacts | undefined;
  #read = Number.NEGATIVE_INFINITY;
  #away: string | null = null;
  /** A large fleet takes a tenth of the time at most. */
  #pause = LOOK_EVERY;
  #reading: Promise<void> | undefined;
  readonly #details = new Map<string, Promise<TaskDetail | undefined>>();

  constructor(reader: FleetReader, report: (problem: string) => void) {
    this.#reader = reader;
    this.#report = report;
  }

  /** The last state, and why there is no newer one. Throws FleetDatabaseError without one. */
  async current(): Promise<{ readonly facts: FleetFacts; readonly away: string | null }> {
    if (performance.now() - this.#read >= this.#pause) {
      this.#reading ??= this.#load().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    if (this.#facts === undefined) throw new Error("the state of the fleet was not read");
    return { facts: this.#facts, away: this.#away };
  }

  /** A task without its runs; reads again for one that may be new. undefined: there is none. */
  async find(id: string): Promise<TaskDetail | undefined> {
    await this.current();
    if (this.#reader.knownTask(id) === undefined && UUID.test(id)) {
      this.forget();
      await this.current();
    }
    return this.#reader.knownTask(id);
  }

  /** A task with its runs, read as often as the facts. undefined: there is none. */
  async task(id: string, run: string | undefined): Promise<TaskDetail | undefined> {
    const known = await this.find(id);
    if (known === undefined || this.#away !== null) return known;
    const key = `${id} ${run ?? ""}`;
    const reading = this.#details.get(key) ?? this.#reader.readTask(id, run).catch(() => known);
    this.#details.set(key, reading);
    return reading;
  }

  /** The next page shows what an action changed. */
  forget(): void {
    this.#read = Number.NEGATIVE_INFINITY;
  }

  async #load(): Promise<void> {
    this.#details.clear();
    const begun = performance.now();
    try {
      this.#facts = await this.#reader.read();
      this.#away = null;
      this.#pause = Math.max(LOOK_EVERY, 10 * (performance.now() - begun));
    } catch (error) {
      if (this.#facts === undefined) throw error;
      if (this.#away === null) this.#report(messageOf(error));
      this.#away = `The database does not answer. This page shows the state of ${secondWords(this.#facts.now / 1000)}.`;
    }
    this.#read = performance.now();
  }
}

interface Session {
  /** In each form of its pages. */
  readonly formToken: string;
  /** By performance.now(). */
  readonly until: number;
}

/** Milliseconds after which a person signs in again. */
const SESSION_TIME = 12 * 60 * 60 * 1000;
const MOST_SESSIONS = 200;
/** Milliseconds that a wrong token waits for its answer, and how many wait at most. */
const REFUSAL_TIME = 1000;
const MOST_REFUSALS = 10;

/** Who may look: addresses that work once or the permanent token, and the sessions. */
class Door {
  /** Cookies are not of a port, so that each server on this machine has its own name. */
  cookieName = "__Host-guideferry-fleet";
  /** A proxy with TLS stands before the page. */
  readonly isSecure: boolean;
  readonly #token: Secret | null;
  #invitation = new Secret(newSecret());
  /** By the digest of the cookie, so that a lookup tells nothing of its value. */
  readonly #sessions = new Map<string, Session>();
  #refusals = 0;

  constructor(token: Secret | null, isSecure: boolean) {
    this.#token = token;
    this.isSecure = isSecure;
  }

  /** There is a permanent token, which a form asks for. */
  get asks(): boolean {
    return this.#token !== null;
  }

  invitation(): string {
    return this.#invitation.reveal();
  }

  /** The cookie of a new session; null: the token is wrong, or too many wrong ones wait. */
  async signIn(given: string): Promise<string | null> {
    // Nothing is compared then, so that many at once are no faster.
    if (this.#refusals >= MOST_REFUSALS) return null;
    if (!isSameToken(given, (this.#token ?? this.#invitation).reveal())) {
      this.#refusals += 1;
      await new Promise((resolve) => setTimeout(resolve, REFUSAL_TIME));
      this.#refusals -= 1;
      return null;
    }
    this.#invitation = new Secret(newSecret());
    const cookie = newSecret();
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= MOST_SESSIONS) this.#sessions.delete(oldest);
    this.#sessions.set(digestOf(cookie), { formToken: newSecret(), until: performance.now() + SESSION_TIME });
    return cookie;
  }

  session(cookie: string): Session | undefined {
    const session = this.#sessions.get(digestOf(cookie));
    if (session === undefined || performance.now() < session.until) return session;
    this.signOut(cookie);
    return undefined;
  }

  signOut(cookie: string): void {
    this.#sessions.delete(digestOf(cookie));
  }
}

function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

type Environment = { Bindings: HttpBindings; Variables: { session: Session } };
type Call = Context<Environment>;

interface AppParts extends Pick<FleetUiOptions, "database" | "jobs" | "report"> {
  readonly address: string | null;
  readonly viewers: Viewers;
  readonly store: FactStore;
  readonly door: Door;
  /** Prints the next address that signs in. */
  readonly invite: () => void;
  /** Its page may be older than what others were told. */
  readonly onViewer: () => void;
}

const HEADERS = {
  ...COMMON_HEADERS,
  // Without it browsers send no origin along with a form.
  "referrer-policy": "same-origin",
  "content-security-policy": `${FLEET_POLICY}; frame-ancestors 'none'`,
  "cache-control": "no-store",
};

/** Public: these files contain no data of the fleet. */
const FILES: Readonly<Record<string, { readonly asset: string; readonly contentType: string }>> = {
  "/style.css": { asset: "components/style.css", contentType: "text/css; charset=utf-8" },
  "/icon.svg": { asset: "components/icon.svg", contentType: "image/svg+xml" },
  "/live.js": { asset: "report/browser/live.js", contentType: "text/javascript; charset=utf-8" },
};

function fleetApp(parts: AppParts): Hono<Environment> {
  const { viewers, store, door, database } = parts;
  const app = new Hono<Environment>();
  app.use("*", async (call, next) => refusal(call, parts) ?? (await next()));
  for (const [path, { asset, contentType }] of Object.entries(FILES)) {
    app.get(path, async (call) =>
      call.body(await readFile(assetFile(asset), "utf8"), 200, { ...HEADERS, "content-type": contentType }),
    );
  }
  app.get("/sign-in", (call) => signIn(call, parts, call.req.query("token") ?? "", "/"));
  app.post("/sign-in", async (call) => {
    const { token = "", back = "/" } = await fieldsOf(call);
    return signIn(call, parts, token, back);
  });
  app.use("*", async (call, next) => {
    const session = door.session(cookieOf(call, door));
    if (session === undefined) return signInForm(call, parts, null, pathOf(call));
    call.set("session", session);
    return next();
  });
  const pageOf = async (call: Call, html: (facts: FleetFacts, page: PageState) => string): Promise<Response> => {
    const { facts, away } = await store.current();
    const page = {
      place: database.place,
      away,
      formToken: call.get("session").formToken,
      notice: noticeOf(call),
      path: pathOf(call),
    };
    return call.html(html(facts, page), 200, HEADERS);
  };
  app.get("/", (call) => pageOf(call, (facts, page) => fleetPage(facts, choiceOf(call), page)));
  app.get("/tasks", (call) => pageOf(call, (facts, page) => tasksPage(facts, choiceOf(call), page)));
  app.get("/tasks/:id", async (call) => {
    const task = await store.task(call.req.param("id"), call.req.query("run"));
    return pageOf(call, (facts, page) =>
      task === undefined ? unknownTaskPage(page) : taskPage(task, facts.now, page),
    );
  });
  app.get("/events", (call) => {
    if (call.req.method !== "GET") return call.body(null, 200, HEADERS);
    if (!viewers.add(call.env.outgoing, HEADERS))
      return call.text("Too many browser windows show this fleet. Close one and reload this page.\n", 503, HEADERS);
    parts.onViewer();
    return alreadySent();
  });
  app.post("/actions", (call) => act(call, parts));
  app.post("/sign-out", async (call) => {
    const { form = "" } = await fieldsOf(call);
    if (!isSameToken(form, call.get("session").formToken)) return forged(call);
    door.signOut(cookieOf(call, door));
    return moved(call, "/");
  });
  app.notFound((call) => call.text("Page not found.\n", 404, HEADERS));
  app.onError((error, call) => {
    parts.report(`${call.req.path}: ${error.message}`);
    return call.text(
      "This page cannot be shown because of a defect in guideferry. The fleet works on.\n",
      500,
      HEADERS,
    );
  });
  return app;
}

/** undefined: the request is allowed. */
function refusal(call: Call, { address }: AppParts): Response | undefined {
  const { req } = call;
  const host = req.header("host");
  // With DNS rebinding the page of another site sends that site's name.
  if (!isOwnHost(host) && (address === null || host !== new URL(address).host))
    return call.text("The Host header of this request does not name this page.\n", 421, HEADERS);
  if (req.method === "GET" || req.method === "HEAD") return undefined;
  if (req.method !== "POST") return call.text("Method not allowed.\n", 405, { ...HEADERS, allow: "GET, HEAD, POST" });
  const origin = req.header("origin");
  // A proxy may pass on another host than the one of the public address.
  if (origin !== undefined && (origin === address || (isOwnHost(host) && origin === `http://${host}`)))
    return undefined;
  return call.text("Only this page may send this request.\n", 403, HEADERS);
}

async function signIn(call: Call, parts: AppParts, given: string, back: string): Promise<Response> {
  const { door, store, invite } = parts;
  // Of this process: an address whose token was used leads whoever used it to the page.
  if (door.session(cookieOf(call, door)) !== undefined) return moved(call, ownPath(back));
  if (given === "") return signInForm(call, parts, null, back);
  // A permanent token must not stand in an address, which browsers and proxies keep.
  const cookie = door.asks && call.req.method !== "POST" ? null : await door.signIn(given);
  if (cookie === null) return signInForm(call, parts, "This token is not right, or was used already.", back);
  const facts = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_TIME / 1000}${door.isSecure ? "; Secure" : ""}`;
  call.header("set-cookie", `${door.cookieName}=${cookie}; ${facts}`);
  store.forget();
  if (!door.asks) invite();
  return moved(call, ownPath(back));
}

function signInForm(
  call: Call,
  { door }: AppParts,
  problem: string | null,
  back: string,
): Response | Promise<Response> {
  return call.html(signInPage({ asks: door.asks, problem, back: ownPath(back) }), 403, HEADERS);
}

/** "": there is none. */
function cookieOf({ req }: Call, { cookieName }: Door): string {
  const all = (req.header("cookie") ?? "").split("; ");
  return all.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? "";
}

/** Bytes of a form. */
const LONGEST_FORM = 1_000_000;

/** The fields of a form; none of another body, or of one with an unknown or too large length. */
async function fieldsOf({ req }: Call): Promise<Readonly<Record<string, string>>> {
  const length = Number(req.header("content-length") ?? Number.NaN);
  const isForm = (req.header("content-type") ?? "").startsWith("application/x-www-form-urlencoded");
  if (!isForm || !(length <= LONGEST_FORM)) return {};
  return Object.fromEntries(new URLSearchParams(await req.text()));
}

function moved(call: Call, path: string): Response {
  return call.body(null, 303, { ...HEADERS, location: path });
}

function forged(call: Call): Response {
  return call.text("This form is not of your session. Reload the page, and do it again.\n", 403, HEADERS);
}

/** Pauses, resumes, cancels or retries tasks, and returns to the page of the form. */
async function act(call: Call, { database, jobs, store, report }: AppParts): Promise<Response> {
  const { form = "", ask = "", tasks = "", back = "/" } = await fieldsOf(call);
  if (!isSameToken(form, call.get("session").formToken)) return forged(call);
  const found = await Promise.all(tasks.split(" ").map((id) => store.find(id)));
  const ids = found.flatMap((task) => task?.id ?? []);
  const path = new URL(ownPath(back), "http://localhost");
  const change = Object.hasOwn(CHANGES, ask) ? CHANGES[ask as FleetAction] : undefined;
  if (change === undefined || ids.length === 0) return call.text("This form is not complete.\n", 400, HEADERS);
  try {
    for (const id of ids) await change(database, jobs, id);
    path.searchParams.set("said", ask);
  } catch (error) {
    report(messageOf(error));
    path.searchParams.set("said", "failed");
  }
  store.forget();
  return moved(call, `${path.pathname}${path.search}`);
}

const CHANGES: Readonly<
  Record<FleetAction, (database: FleetDatabase, jobs: JobQueue, task: string) => Promise<unknown>>
> = {
  pause: (database, _jobs, task) => pauseTask(database, task),
  resume: (database, _jobs, task) => resumeTask(database, task),
  cancel: cancelTask,
  retry: retryTask,
};

/** The address has the name of what was done, never its words. */
function noticeOf({ req }: Call): string | null {
  const said = req.query("said") ?? "";
  if (said === "failed") return "The database does not answer, so not all of it was done. Try again when it does.";
  return Object.hasOwn(ACTIONS, said) ? ACTIONS[said as FleetAction][1] : null;
}

/** The path of a page with its query, without what an action said. */
function pathOf({ req }: Call): string {
  const { pathname, searchParams } = new URL(req.url);
  searchParams.delete("said");
  return ownPath(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ""}`);
}

/** A path of these pages; anything else leads to the first one. */
function ownPath(path: string): string {
  return /^\/(?:tasks(?:\/[0-9a-f-]+)?)?(?:\?[\w=&%+.*-]*)?$/.test(path) ? path : "/";
}

function choiceOf({ req }: Call): Choice {
  const from = Number(req.query("from") ?? 0);
  return {
    find: (req.query("find") ?? "").slice(0, 200),
    state: (req.query("state") ?? "").slice(0, 20),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
  };
}
