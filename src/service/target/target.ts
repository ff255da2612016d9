import type { Context, Target } from "../../core/contracts.js";
import { resultOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { isMediaKey, type Key, kindOf } from "../../core/model/key.js";
import type { Operation, PeopleMaps, Receipt } from "../../core/writing.js";
import type { Ask } from "../check/ask.js";
import type { Client } from "../http/client.js";
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
import { rehearse } from "./rehearse.js";
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
