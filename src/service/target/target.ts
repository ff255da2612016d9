import type { Context, Target } from "../../core/contracts.js";
import { resultOf, wholeGuideOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { isMediaKey, type Key, kindOf } from "../../core/model/key.js";
import { idsIn, type JsonObject } from "../../core/util/json.js";
import type { Operation, PeopleMaps, Receipt, Rehearsed, SentWrite } from "../../core/writing.js";
import type { Ask } from "../check/ask.js";
import type { Answer, Client, SendCall } from "../http/client.js";
import { MADE_UP } from "../wire/compared-fields.js";
import { Knowledge } from "./capabilities.js";
import type { Work, WriteContext } from "./context.js";
import { guideLike, nameAtTarget } from "./existing.js";
import { absentOf, PageTitles } from "./find-deleted.js";
import { GuideTitles } from "./guide-titles.js";
import { pathOf } from "./identity.js";
import { lossesOf } from "./losses.js";
import { applyWork, findWork, onlyLinks } from "./operations.js";
import { planItem } from "./plan.js";
import type { OutputOptions, PlanOptions } from "./planned-operation.js";
import type { SiteTexts } from "./texts.js";
import { createLimitsTrial, createPageTrial, createTrial } from "./trials.js";

export interface TargetOptions {
  readonly name: string;
  readonly client: Client;
  /** For probes. Default: no probes. */
  readonly ask?: Ask;
  readonly texts: SiteTexts;
  /** The policy for an item with a remote edit. Default `skip`. */
  readonly onConflict?: WriteContext["onConflict"];
  /** The policy for an existing page of somebody else. Default `adopt`. */
  readonly onExisting?: WriteContext["onExisting"];
  /** May a new guide link to an existing one with the same title? Default `none`. */
  readonly match?: WriteContext["match"];
  /** Matches of people of the source. Default: by unique name. */
  readonly people?: PeopleMaps;
  readonly output: OutputOptions;
  /** Are translations that were deleted at the source deleted on the target? Default false. */
  readonly deleteRemoved?: boolean;
  /** In the name of the account. Default false. */
  readonly postComments?: boolean;
  /** First pause between two requests for a video conversion, in milliseconds. Default 1000. */
  readonly pollEvery?: number;
  /** Longest wait for a video conversion, in milliseconds. Default 15 minutes. */
  readonly readyWithin?: number;
  /** The target is the origin site: images are copied there and not uploaded. Default false. */
  readonly toOrigin?: boolean;
}

/** Milliseconds; the vendor's exerciser waits up to 5 minutes for a tiny file (api-facts 5.2). */
const READY_WITHIN = 15 * 60_000;

const NO_MAPS: PeopleMaps = { users: [], teams: [] };

/** A site of the service as a target. Call `survey` first. */
export function createTarget(options: TargetOptions): Target {
  const known = new Knowledge(options.client, options.people ?? NO_MAPS);
  const counted = countWrites(options);
  const { trial, takesTranslations } = createTrial(counted.client, counted.ask);
  const pages = createPageTrial(counted.client.root, counted.ask);
  const limits = createLimitsTrial(counted.client.root, counted.ask, () => known.survey);
  const site: WriteContext = {
    lineLength: limits.lineLength,
    takesPages: pages.taken,
    refusePages: () => pages.trial.decide(false),
    client: counted.client,
    texts: options.texts,
    onConflict: options.onConflict ?? "skip",
    onExisting: options.onExisting ?? "adopt",
    match: options.match ?? "none",
    pages: new PageTitles(),
    titles: new GuideTitles(() => known.survey.identity.account?.admin === true),
    pollEvery: options.pollEvery ?? 1000,
    readyWithin: options.readyWithin ?? READY_WITHIN,
    copies: options.toOrigin === true ? new Map() : null,
    survey: () => known.survey,
    abilities: known.abilities,
    people: () => known.people,
    highestGuide: () => known.highestGuide,
    learn: (guide) => known.learn(guide),
  };
  const planning: PlanOptions = {
    output: options.output,
    mediaIn: (text, where) => options.texts.mediaIn(text, where),
    people: site.people,
    onExisting: site.onExisting,
    postsComments: options.postComments === true,
    deletesRemoved: options.deleteRemoved === true,
    takesTranslations,
    takesPages: pages.taken,
  };
  return {
    name: options.name,
    survey: (signal) => known.read(signal),
    directory: () => known.people.directory,
    losses: (item) =>
      lossesOf(item, {
        people: known.people,
        postsComments: options.postComments === true,
        takesTranslations: takesTranslations(),
        takesPages: pages.taken() !== false,
      }),
    translations: trial,
    pageTranslations: pages.trial,
    limits: limits.trial,
    holds: (key, id, signal) => holds(options.client, key, id, signal),
    match: (item, context, signal) => guideLike({ site, context, signal, label: item.key }, item),
    namesakes: async (item, context, signal) =>
      site.match === "title" ? [] : site.titles.like(site.client, await nameAtTarget(item.body, context), signal),
    onlyLinks: (operation, context, signal) => onlyLinks(site, operation, context, signal),
    absent: (things, signal) =>
      absentOf({ client: options.client, admin: known.survey.identity.account?.admin === true }, things, signal),
    plan: (item, loaded) => planItem(item, loaded, planning),
    apply: (operation, context, signal) => apply(site, operation, context, signal),
    rehearse: (operation, context) => rehearse(site, operation, context, apply),
    writes: counted.writes,
    find: async (operation, mark, context, signal) => {
      let found = true;
      const receipt = await withIssues(site, operation, context, signal, async (work) => {
        const result = await findWork(work, mark);
        found = result !== undefined;
        return result ?? { written: [], missing: [] };
      });
      return found ? receipt : undefined;
    },
  };
}

function apply(site: WriteContext, operation: Operation, context: Context, signal: AbortSignal): Promise<Receipt> {
  return withIssues(site, operation, context, signal, applyWork);
}

function countWrites({ client, ask }: TargetOptions) {
  let writes = 0;
  const send: Client["send"] = (call, signal) => {
    writes += 1;
    return client.send(call, signal);
  };
  const asked: Ask = (call, signal) => {
    if ((call.method ?? "GET") !== "GET") writes += 1;
    if (ask === undefined) throw new TypeError("this target has no way to send a request of a probe");
    return ask(call, signal);
  };
  return { client: { ...client, send }, ask: ask === undefined ? undefined : asked, writes: () => writes };
}

/** Unused media are answered 403, but exist (api-facts 5.1). */
async function holds(client: Client, key: Key, id: string, signal: AbortSignal): Promise<boolean> {
  const { status } = await client.get(pathOf(key, id), { expect: [403, 404] }, signal);
  return status === 200 || (status === 403 && isMediaKey(key));
}

async function withIssues(
  site: WriteContext,
  operation: Operation,
  context: Context,
  signal: AbortSignal,
  perform: (work: Work) => Promise<Omit<Receipt, "issues">>,
): Promise<Receipt> {
  const issues: Issue[] = [];
  const named = new Set<Key>();
  const report = (issue: Omit<Issue, "key">, about?: Key): void => {
    if (about !== undefined) named.add(about);
    issues.push({ ...issue, key: operation.item, path: pathWithin(operation, issue.path) });
  };
  const receipt = await perform({ site, operation, call: operation.call, context, signal, report });
  // An item outside this load is reported at its reference.
  for (const key of receipt.missing) if (!named.has(key) && context.moves(key)) report(waiting(key));
  const { apart, ...rest } = receipt;
  const reported = apart?.map((issue) => ({ ...issue, path: pathWithin(operation, issue.path) }));
  return { ...rest, issues, ...(reported === undefined ? {} : { apart: reported }) };
}

/** Reported until the target has the key. */
function waiting(key: Key): Omit<Issue, "key"> {
  return {
    code: "reference-waiting",
    level: "loss",
    path: "",
    message: `It refers to ${key}, which is not on the target. Until it is there, the reference is a link to the old site or is left out.`,
    remedy: "Load the link target, then run the same command again: the reference then points to the target.",
  };
}

/** By the step's key, since its position changes. */
function pathWithin({ call }: Operation, path: string): string {
  const result = resultOf(call);
  return result !== undefined && kindOf(result) === "step" ? `${result}.${path}` : path;
}

/** The omitted methods would change the ledger. */
type RehearsalContext = Omit<Context, "begin" | "keep" | "remember">;

/**
 * Runs a write through its own handler against a made-up site that accepts everything, so that it
 * counts what the handler sends.
 */
async function rehearse(
  site: WriteContext,
  operation: Operation,
  context: RehearsalContext,
  perform: (site: WriteContext, operation: Operation, context: Context, signal: AbortSignal) => Promise<Receipt>,
): Promise<Rehearsed> {
  const madeUp = new MadeUpSite(site, await stepsBefore(operation, context), await looksThere(operation, context));
  const receipt = await perform(
    // Answers of a made-up site show nothing about the real one.
    { ...site, client: madeUp, learn: () => undefined },
    operation,
    { ...context, begin: nothing, keep: nothing, ...madeUpMemos(site, operation, context) },
    NEVER.signal,
  );
  return { writes: madeUp.sent.length, sent: madeUp.sent, receipt };
}

/** Memos of a dry run: a reply needs its comment, a translated step its translation. */
const MEMOS = new WeakMap<WriteContext, Map<string, string>>();

/** Other memos are facts of the real site. */
const MADE_UP_MEMOS = /\/comment\/\d+$|^guide\/\d+@[^/]+$/;

/** A write doesn't see the memos of its own dry run. */
function madeUpMemos(
  site: WriteContext,
  { id }: Operation,
  { recall }: RehearsalContext,
): Pick<Context, "remember" | "recall"> {
  const memos = MEMOS.get(site) ?? new Map<string, string>();
  MEMOS.set(site, memos);
  return {
    remember: async (name, value) => {
      if (MADE_UP_MEMOS.test(name)) memos.set(name, value);
    },
    recall: async (name) => (await recall(name)) ?? (name === id ? undefined : memos.get(name)),
  };
}

const nothing = (): Promise<void> => Promise.resolve();
const NEVER = new AbortController();

/** Most answers show the whole guide with its steps. */
async function stepsBefore({ call }: Operation, context: RehearsalContext): Promise<readonly string[]> {
  if (!("guide" in call) || call.guide === null) return [];
  return idsIn((await context.written(call.guide))?.facts["steps"]);
}

/** Only the site knows whether it has a guide with the same title. */
async function looksThere({ call }: Operation, context: RehearsalContext): Promise<boolean> {
  const guide = wholeGuideOf(call);
  if (guide === undefined) return false;
  const written = await context.written(guide);
  return written === undefined || written.adopted;
}

/** Above any id of a site, with no more digits than texts are measured with. */
let lastId = 9_000_000;

/** Set by sites themselves (api-facts 4.8). */
const FLAGS_OF_NEW_GUIDES = ["GUIDE_USER_CONTRIBUTED", "GUIDE_IN_PROGRESS"];

class MadeUpSite implements Client {
  readonly root: string;
  readonly #steps: readonly string[];
  readonly #author: number | null;
  readonly #there: Client | undefined;
  readonly sent: SentWrite[] = [];

  constructor({ client, survey }: WriteContext, steps: readonly string[], looksThere: boolean) {
    this.#there = looksThere ? client : undefined;
    this.root = client.root;
    this.#steps = steps;
    this.#author = survey().identity.account?.id ?? null;
  }

  async get(...asked: Parameters<Client["get"]>): Promise<Answer> {
    if (this.#there !== undefined) return this.#there.get(...asked);
    return answer({ isReady: true, wikiid: SOME_WIKI });
  }

  async send({ method, path, json, query }: SendCall): Promise<Answer> {
    this.sent.push({ method, path, json });
    const [folder, ...rest] = path.split("/");
    const language = query?.["langid"] === undefined ? {} : { langid: query["langid"] };
    return answer({
      ...language,
      ...(json as JsonObject | undefined),
      ...this.#named(method, folder ?? "", rest, json),
    });
  }

  /** The facts of the item itself in an answer. */
  #named(method: string, folder: string, rest: readonly string[], sent: unknown): JsonObject {
    const [id, part, partId] = rest;
    const isNew = method === "POST";
    if (folder === "wikis") return isNew ? {} : { title: decodeURIComponent(part ?? "") };
    if (folder === "comments") return { commentid: newId() };
    if (folder !== "guides") return { id: newId() };
    if (part !== "steps") {
      const facts = { guideid: id ?? newId(), author: { userid: this.#author } };
      if (isNew) return { ...facts, steps: [], flags: FLAGS_OF_NEW_GUIDES };
      return { ...facts, steps: this.#ordered(sent).map((stepid) => ({ stepid })) };
    }
    if (!isNew) return { stepid: partId };
    const steps = [...this.#steps, newId()].map((stepid) => ({ stepid, guideid: id, [MADE_UP]: true }));
    return { guideid: id, steps };
  }

  #ordered(sent: unknown): readonly unknown[] {
    const { stepids } = { stepids: undefined, ...(sent as JsonObject | undefined) };
    return Array.isArray(stepids) ? stepids : this.#steps;
  }
}

const SOME_WIKI = 9_000_000;

function newId(): number {
  lastId += 1;
  return lastId;
}

function answer(json: JsonObject): Answer {
  return { status: 200, json: { ...json, [MADE_UP]: true }, text: "" };
}
