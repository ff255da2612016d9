import { idUnder, isUnder } from "../api/target/wiki-title.js";
import type { Context } from "../contracts.js";
import { type Key, kindOf } from "../model/key.js";
import type { LoadJob } from "./load-job.js";
import type { LoadMap } from "./load-map.js";

/** What a target may ask that does not hang on the operation. */
export type SharedContext = Omit<Context, "begin" | "keep">;

/** Answered by the ledger, the workspace and the map. */
export function contextOf(job: LoadJob, map: LoadMap): SharedContext {
  const { ledger, workspace } = job;
  return {
    idOf: async (key) => ((await stands(job, key)) ? await ledger.idOf(key) : undefined) ?? personAt(job, key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: (key) => map.moving.has(key),
    // Pages have addresses that follow from their keys; media that don't move are not in the workspace.
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.open(sha256),
    namesPart: (title) => ledger.namesPart(title),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/** Texts lead to people who are at the target, whether we send the page about them or not: the site has one of everybody. */
function personAt({ people }: LoadJob, key: Key): string | undefined {
  return idUnder(key, people.pages.get(key));
}

/** A page that is to have another title than it was made under is not at the target before it stands there under that one. */
async function stands({ ledger, outlook }: LoadJob, key: Key): Promise<boolean> {
  if (kindOf(key) !== "category" && kindOf(key) !== "wiki") return true;
  const written = await ledger.written(key);
  return written === undefined || isUnder(written, outlook.titles.get(key));
}
