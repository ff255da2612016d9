import type { Context, Operation, Receipt, Rehearsed } from "../../contracts.js";
import type { Answer, Client, SendCall } from "../client.js";
import type { Desk } from "./parts.js";

type Json = Readonly<Record<string, unknown>>;

/** What may be asked by a write that is only rehearsed: the others would leave something behind. */
type RehearsalContext = Omit<Context, "begin" | "keep" | "remember">;

/**
 * Does a write through its own handler, at a site that is made up: it sends nothing, takes everything, and gives new things
 * ids that nothing has yet. So what it counts is what the handler sends.
 */
export async function rehearse(
  desk: Desk,
  operation: Operation,
  context: RehearsalContext,
  perform: (desk: Desk, operation: Operation, context: Context, signal: AbortSignal) => Promise<Receipt>,
): Promise<Rehearsed> {
  const site = new MadeUpSite(desk, await stepsBefore(operation, context));
  const receipt = await perform(
    // What a made-up site answers tells nothing of the real one.
    { ...desk, client: site, learn: () => undefined },
    operation,
    { ...context, begin: nothing, keep: nothing, remember: nothing },
    NEVER.signal,
  );
  return { writes: site.writes, receipt };
}

const nothing = (): Promise<void> => Promise.resolve();
const NEVER = new AbortController();

/** The answer to a step's creation is the whole guide, so it has to know the steps that were there. */
async function stepsBefore({ call }: Operation, context: RehearsalContext): Promise<readonly string[]> {
  if (call.verb !== "save-step") return [];
  const steps = (await context.written(call.guide))?.facts["steps"];
  return Array.isArray(steps) ? steps.map(String) : [];
}

/** Higher than any id of a site, and with no more digits than texts are measured with. */
let lastId = 9_000_000;

/** Sites put them on by themselves (api-facts 4.8). */
const FLAGS_OF_NEW_GUIDES = ["GUIDE_USER_CONTRIBUTED", "GUIDE_IN_PROGRESS"];

class MadeUpSite implements Client {
  readonly root: string;
  readonly #steps: readonly string[];
  readonly #author: number | null;
  writes = 0;

  constructor({ client, survey }: Desk, steps: readonly string[]) {
    this.root = client.root;
    this.#steps = steps;
    this.#author = survey().identity.account?.id ?? null;
  }

  async get(): Promise<Answer> {
    return answer({ isReady: true });
  }

  async send({ method, path, json }: SendCall): Promise<Answer> {
    this.writes += 1;
    const [folder, ...rest] = path.split("/");
    return answer({ ...(json as Json | undefined), ...this.#named(method, folder ?? "", rest) });
  }

  /** What an answer says of the thing itself. */
  #named(method: string, folder: string, rest: readonly string[]): Json {
    const [id, part, partId] = rest;
    const isNew = method === "POST";
    if (folder === "wikis") return isNew ? {} : { title: decodeURIComponent(part ?? "") };
    if (folder !== "guides") return { id: newId() };
    if (part !== "steps") {
      const facts = { guideid: id ?? newId(), steps: [], author: { userid: this.#author } };
      return isNew ? { ...facts, flags: FLAGS_OF_NEW_GUIDES } : facts;
    }
    if (!isNew) return { stepid: partId };
    const steps = [...this.#steps, newId()].map((stepid) => ({ stepid, guideid: id }));
    return { guideid: id, steps };
  }
}

function newId(): number {
  lastId += 1;
  return lastId;
}

function answer(json: Json): Answer {
  return { status: 200, json, text: "" };
}
