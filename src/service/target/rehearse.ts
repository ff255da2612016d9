import type { Context } from "../../core/contracts.js";
import { wholeGuideOf } from "../../core/model/call.js";
import { idsIn, type JsonObject } from "../../core/util/json.js";
import type { Operation, Receipt, Rehearsed, SentWrite } from "../../core/writing.js";
import type { Answer, Client, SendCall } from "../http/client.js";
import { MADE_UP } from "../wire/compared-fields.js";
import type { WriteContext } from "./context.js";

/** The omitted methods would change the ledger. */
type RehearsalContext = Omit<Context, "begin" | "keep" | "remember">;

/**
 * Runs a write through its own handler against a made-up site that accepts everything, so that it
 * counts what the handler sends.
 */
export async function rehearse(
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
