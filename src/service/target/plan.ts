import type { Loaded, Operation } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { planGuide } from "./plan-guide.js";
import { planMedia } from "./plan-media.js";
import type { PlanOptions } from "./plan-options.js";
import { planWiki } from "./plan-wiki.js";

type Planner<I> = (item: I, loaded: Loaded, options: PlanOptions) => readonly Operation[];
type Planners = { readonly [K in Item["kind"]]: Planner<Extract<Item, { kind: K }>> };

/** Records are kept for archives; the service has no write that would take them. */
const PLANNERS: Planners = {
  category: planWiki,
  wiki: planWiki,
  guide: planGuide,
  image: planMedia,
  video: planMedia,
  document: planMedia,
  record: () => [],
};

/** The operations of an item in order, from what the ledger says was loaded before. No I/O; every operation is listed, done or not. */
export function planItem(item: Item, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const planner = PLANNERS[item.kind] as Planner<Item>;
  return planner(item, loaded, options);
}
