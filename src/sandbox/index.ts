import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { createEditor, type Editor, type TrainingEditor, trainingEditor } from "./editor.js";
import { loadPeople, loadSite, openFolder } from "./load/load-site.js";
import { contentBytes, contentType } from "./media-bytes.js";
import { type SandboxOptions, settingsFrom } from "./options.js";
import { COMMENT_ROUTES } from "./routes/comments.js";
import { GUIDE_USE_ROUTES } from "./routes/guide-use.js";
import { GUIDE_ROUTES } from "./routes/guides.js";
import { MEDIA_ROUTES } from "./routes/media.js";
import { PEOPLE_ROUTES } from "./routes/people.js";
import { RELEASE_ROUTES } from "./routes/releases.js";
import { ROW_ROUTES } from "./routes/rows.js";
import { SITE_ROUTES } from "./routes/site.js";
import { TRAINING_ROUTES } from "./routes/training.js";
import { WIKI_ROUTES } from "./routes/wikis.js";
import {
  API_ROOT,
  type AppParts,
  createApp,
  createRecorder,
  type Listening,
  listen,
  type RecordedRequest,
} from "./server/app.js";
import { createFaultPlan, type Faults } from "./server/faults.js";
import { type Answer, isAnswer } from "./site/answer.js";
import type { Content } from "./site/records.js";
import type { RowKindName } from "./site/rows.js";
import { emptySite, type Site } from "./site/site.js";
import { namedState, type SiteState, siteState } from "./site-state.js";
import { createUploadFolder, type UploadFolder } from "./writes/media.js";

export type { Editor, TrainingEditor as Training } from "./editor.js";
export type { SandboxOptions } from "./options.js";
export type { RecordedRequest } from "./server/app.js";
export type { Decision, Fault, FaultPlace, Faults, SeenRequest } from "./server/faults.js";
export type { RowKindName } from "./site/rows.js";
export type { FamilyName, TrainingSettings } from "./site/settings.js";
export type { TrainingJob, TrainingPlace } from "./site/training-jobs.js";
export type { SiteState } from "./site-state.js";

const ROUTES: AppParts["routes"] = [
  ...ROW_ROUTES,
  ...SITE_ROUTES,
  ...GUIDE_ROUTES,
  ...GUIDE_USE_ROUTES,
  ...RELEASE_ROUTES,
  ...COMMENT_ROUTES,
  ...WIKI_ROUTES,
  ...MEDIA_ROUTES,
  ...PEOPLE_ROUTES,
  ...TRAINING_ROUTES,
];

/** A running embedded site. */
export interface Sandbox {
  /** The API root: `http://127.0.0.1:PORT/api/2.0`. */
  readonly url: string;
  readonly origin: string;
  /** Another origin with `mediaOrigin: "other-port"`. */
  readonly mediaOrigin: string;
  readonly token: string;
  /** For `POST /user/token`. */
  readonly credentials: { readonly email: string; readonly password: string; readonly userid: number };
  readonly faults: Faults;
  readonly recorded: readonly RecordedRequest[];
  /** The whole content as plain data, with the site's own numbers. */
  state(): SiteState;
  /** The same with names instead of numbers, so that two sites can be compared. */
  namedState(): SiteState;
  /** All rows of a family of the service without described fields. */
  rows(kind: RowKindName): readonly Answer[];
  /** Another person who works on the site. */
  readonly edit: Editor;
  readonly training: TrainingEditor;
  /** A token of another person. Throws for an unknown userid. */
  tokenOf(userid: number): string;
  /** Ends every session, also the one of `token`. */
  expireTokens(): void;
  /** Ends all connections and deletes uploads. */
  close(): Promise<void>;
}

/** Throws SiteFolderError for an unreadable folder, UsageError for a port in use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const closing = new AbortController();
  // Every stalled request listens to it.
  setMaxListeners(0, closing.signal);
  const faults = createFaultPlan();
  const recorder = createRecorder();
  const uploads = createUploadFolder();
  let site: Site | undefined;
  const clock = options.now ?? performance.now.bind(performance);
  const files: AppParts["files"] = async (at, request) => (await trainingPage(at, request)) ?? mediaFile(at, request);
  const parts = { site: () => site, files, faults, recorder, clock, closing: closing.signal };
  const api = await listen(createApp({ ...parts, routes: ROUTES, rateLimit: options.rateLimit }), options.port ?? 0);
  const servers = [api];
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all(servers.map((server) => server.close()));
    await uploads.remove();
  };
  try {
    if (options.mediaOrigin === "other-port") {
      servers.push(await listen(createApp({ ...parts, routes: [], rateLimit: undefined }), 0));
    }
    site = fillSite(options, servers, uploads);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...describe(site, options), faults, recorded: recorder.recorded, close };
}

/** Runs when the addresses of the servers are known. */
function fillSite(options: SandboxOptions, servers: readonly Listening[], uploads: UploadFolder): Site {
  // Absolute, since files are read later, and the process may change its folder.
  const path = options.site === undefined ? undefined : resolve(options.site);
  const folder = path === undefined ? { file: {}, firstGuide: {} } : openFolder(path);
  const site = emptySite({
    settings: settingsFrom(options, folder.file, folder.firstGuide),
    origin: servers[0]?.origin ?? "",
    mediaOrigin: servers.at(-1)?.origin ?? "",
    clock: options.now ?? Date.now,
    uploadFolder: uploads.path,
  });
  if (path !== undefined) loadSite(site, path, folder.file);
  if (options.people !== undefined) loadPeople(site, options.people);
  return site;
}

function describe(site: Site, options: SandboxOptions): Omit<Sandbox, "faults" | "recorded" | "close"> {
  const credentials = addAccount(site, options.account ?? {});
  const signIn = (userid: number, token: string): string => {
    const ends = options.tokenLifetime === undefined ? null : site.clock() + options.tokenLifetime;
    site.tokens.set(token, { userid, ends });
    return token;
  };
  const token = signIn(credentials.userid, options.token ?? newToken());
  return {
    url: site.origin + API_ROOT,
    origin: site.origin,
    mediaOrigin: site.mediaOrigin,
    token,
    credentials,
    state: () => siteState(site),
    namedState: () => namedState(site),
    rows: (kind) => site.rows[kind].all(),
    edit: createEditor(site),
    training: trainingEditor(site),
    tokenOf: (userid) => {
      if (!site.users.has(userid)) throw new Error(`The sandbox has no user ${userid}.`);
      return signIn(userid, newToken());
    },
    expireTokens: () => site.tokens.clear(),
  };
}

function newToken(): string {
  return randomBytes(16).toString("hex");
}

function addAccount(site: Site, account: NonNullable<SandboxOptions["account"]>): Sandbox["credentials"] {
  const userid = account.userid ?? Math.max(0, ...site.users.keys()) + 1;
  const username = account.username ?? "Sandbox Admin";
  const known = site.users.get(userid)?.loaded ?? {};
  site.users.set(userid, { userid, username, admin: account.admin ?? true, loaded: known });
  const email = account.email ?? "admin@sandbox.example";
  const password = account.password ?? "sandbox-password";
  site.accounts.set(email, { password, userid });
  return { email, password, userid };
}

interface Served {
  readonly content: Content;
  readonly type: string;
  readonly guid: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * Answers `GET` of a medium: `/media/<guid>.<rendition>` and the page of a document. Every
 * rendition has the original's bytes. Ranges and ETags work as on a CDN. Undefined for other paths.
 */
async function mediaFile(site: Site, request: Request): Promise<Response | undefined> {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/static/")) return respond(request, placeholder(pathname));
  const guid = /^\/(?:media|Document)\/([^/.]+)/.exec(pathname)?.[1] ?? "";
  // An encoding of a video has a name after its guid.
  const medium = mediumOf(site, guid) ?? mediumOf(site, guid.replace(/(_[A-Z0-9]+)+$/, ""));
  return medium === undefined ? undefined : respond(request, { ...medium, type: contentType(nameOf(medium)) });
}

/** Whose files were asked for, by guid; a search through all media of a large site takes long. */
const FOUND = new WeakMap<Site, Map<string, () => StoredMedium | undefined>>();

function mediumOf(site: Site, guid: string): StoredMedium | undefined {
  if (guid === "") return undefined;
  const medium = FOUND.get(site)?.get(guid)?.();
  // Anything may have been uploaded, exchanged or deleted since then.
  return medium?.guid === guid ? medium : foundAgain(site).get(guid)?.();
}

function foundAgain(site: Site): Map<string, () => StoredMedium | undefined> {
  const { images, videos, documents, encodings } = site.media;
  const found = new Map<string, () => StoredMedium | undefined>();
  for (const guid of encodings.keys()) found.set(guid, () => encodings.get(guid));
  // The first of equal guids counts.
  for (const table of [documents, videos, images])
    for (const [id, { guid }] of [...table].reverse()) found.set(guid, () => table.get(id));
  FOUND.set(site, found);
  return found;
}

type StoredMedium = Omit<Served, "type"> & { readonly filename: string };

function respond(request: Request, served: Served): Response {
  const whole = sizeOf(served);
  const etag = `"${served.guid}"`;
  const headers = new Headers({ "content-type": served.type, "accept-ranges": "bytes", etag });
  const match = request.headers.get("if-match");
  if (match !== null && match !== etag && match !== "*") return new Response(null, { status: 412, headers });
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const condition = request.headers.get("if-range");
  const range = condition === null || condition === etag ? request.headers.get("range") : null;
  const asked = rangeOf(range, whole);
  if (asked === "unsatisfiable") {
    headers.set("content-range", `bytes */${whole}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = asked ?? { start: 0, end: whole - 1 };
  headers.set("content-length", String(end - start + 1));
  if (asked !== undefined) headers.set("content-range", `bytes ${start}-${end}/${whole}`);
  return new Response(bodyOf(served, start, end, whole), { status: asked === undefined ? 200 : 206, headers });
}

/** One range of bytes; any other value is ignored (RFC 9110, 14.2). */
function rangeOf(header: string | null, whole: number): { start: number; end: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") return { start: Math.max(0, whole - Number(to)), end: whole - 1 };
  const end = to === "" ? whole - 1 : Math.min(Number(to), whole - 1);
  return Number(from) > end ? "unsatisfiable" : { start: Number(from), end };
}

function sizeOf(served: Served): number {
  return served.content.from === "file" ? statSync(served.content.path).size : contentBytes(served).length;
}

function bodyOf(
  served: Served,
  start: number,
  end: number,
  whole: number,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (whole === 0) return null;
  if (served.content.from === "generator") return new Uint8Array(contentBytes(served).subarray(start, end + 1));
  return Readable.toWeb(createReadStream(served.content.path, { start, end })) as ReadableStream<Uint8Array>;
}

function nameOf(medium: { readonly content: Content; readonly filename: string }): string {
  if (medium.content.from === "file") return medium.content.path;
  return `generated.${medium.content.make}`;
}

function placeholder(pathname: string): Served {
  return {
    content: { from: "generator", make: "png", seed: pathname },
    type: "image/png",
    guid: "placeholder",
    width: 56,
    height: 56,
  };
}

const PAGE = /^\/external-training-modules\/(?:imports\/(\d+)\/preview|(\d+)\/play)$/;

/**
 * The pages of launch links. That of the preview of a cmi5 course is an error, though it has a link
 * (training modules, 1.2). Undefined for other paths.
 */
async function trainingPage(site: Site, request: Request): Promise<Response | undefined> {
  const [, importid, moduleid] = PAGE.exec(new URL(request.url).pathname) ?? [];
  if (importid === undefined && moduleid === undefined) return undefined;
  const imported = site.rows.moduleImports.get(Number(importid));
  if (importid !== undefined && imported?.["status"] !== "complete") return page(404, "There is no such preview.");
  if (imported?.["learningStandard"] === "CMI5") return page(500, "This course can not be previewed.");
  const isPlayable = importid !== undefined || isAnswer(site.rows.modules.get(Number(moduleid))?.["current"]);
  return isPlayable ? page(200, "The course plays here.") : page(404, "There is no such course.");
}

function page(status: number, text: string): Response {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response(`<!doctype html><title>Course</title><p>${text}</p>`, { status, headers });
}
