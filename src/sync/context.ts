import { resizedOf } from "../../transforms/fit/resized-key.js";
import { idUnder, isUnder } from "../service/target/wiki-title.js";
import type { Context } from "../core/contracts.js";
import { type Key, kindOf } from "../core/model/key.js";
import type { LoadJob } from "./load-job.js";
import type { LoadMap } from "./load-map.js";
import { lastingAddress, storedMedia } from "./media-facts.js";

/** What a target may ask that does not hang on the operation. */
export type SharedContext = Omit<Context, "begin" | "keep">;

/**
 * Answered by the ledger, the workspace and the map.
 *
 * @param unsent media that turned out not to come, with null where the target takes none of their kind: these do not move
 */
export function contextOf(
  job: LoadJob,
  map: LoadMap,
  unsent: ReadonlyMap<Key, unknown> = new Map<Key, unknown>(),
): SharedContext {
  const { ledger, workspace } = job;
  return {
    idOf: async (key) => ((await stands(job, key)) ? await ledger.idOf(key) : undefined) ?? personAt(job, key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: (key) => map.moving.has(resizedOf(key)?.of ?? key) && unsent.get(key) !== null,
    isAtSource: (key) => isAtSource(job, key),
    addressOf: (key) => fileAtSource(job, key),
    bytes: (sha256) => workspace.media.open(sha256),
    namesPart: (title) => ledger.namesPart(title),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/** Of other things than guides and pages nothing is known. */
export function isAtSource({ workspace }: Pick<LoadJob, "workspace">, key: Key): boolean {
  return !PAGES.has(kindOf(key)) || workspace.items.isAtSource(key);
}

const PAGES: ReadonlySet<string> = new Set(["guide", "category", "wiki"]);

/** Pages have addresses that follow from their keys. */
async function fileAtSource({ workspace }: LoadJob, key: Key): Promise<string | undefined> {
  if (!MEDIA.has(kindOf(key))) return undefined;
  const item = await storedMedia(workspace, key);
  return item === undefined ? undefined : lastingAddress(item);
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

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
