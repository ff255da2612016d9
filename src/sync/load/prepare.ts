import type { FitContext } from "../../../transforms/fit/context.js";
import { fitGuide, fitWiki } from "../../../transforms/fit/fit.js";
import type { Ledger, Target } from "../../core/contracts.js";
import type { Transform, TransformContext } from "../../core/formats.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { GuideItem, Item, WikiItem } from "../../core/model/item.js";
import { type Key, wikiOf } from "../../core/model/key.js";
import type { Operation } from "../../core/writing.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import { isPersonal } from "../people/source-people.js";
import { isTranslation } from "./translation-key.js";

/** An item ready to be planned. */
export interface Prepared {
  readonly item: Item;
  /** The item before it was made to fit. */
  readonly whole: Item;
  readonly issues: readonly Issue[];
  /** Why the site would refuse it; empty: it would not. */
  readonly refused: readonly Issue[];
}

/** The user's transforms, then the rules of what a site takes. `[]`: a transform dropped it. */
export function prepare(item: Item, transforms: readonly Transform[], fit: FitContext | "home"): readonly Prepared[] {
  const { items, issues } = transformed(item, transforms);
  // What several pieces of one item share is told once.
  return items.map((each, index) => fitted(each, index === 0 ? issues : [], fit));
}

/** Tells what is sent of the items of a workspace. */
export class ItemPlanner {
  readonly #items: ItemReader;
  readonly #transforms: readonly Transform[];
  readonly #ledger: Pick<Ledger, "loaded">;
  readonly #target: Pick<Target, "plan">;
  readonly #fit: FitContext | "home";

  constructor({ workspace, transforms, ledger, target }: PlannerParts, { fit }: { readonly fit: FitContext | "home" }) {
    this.#items = workspace.items;
    this.#transforms = transforms;
    this.#ledger = ledger;
    this.#target = target;
    this.#fit = fit;
  }

  /** What an item is sent as; nothing of one that the workspace does not hold. */
  async prepared(key: Key): Promise<readonly Prepared[]> {
    const item = await this.#items.get(key);
    return item === undefined ? [] : prepare(item, this.#transforms, this.#fit);
  }

  /** All operations of an item, done or not. */
  async *operations(key: Key): AsyncIterable<Operation> {
    const loaded = await this.#ledger.loaded(key);
    for (const { item } of await this.prepared(key)) yield* this.#target.plan(item, loaded);
  }
}

interface PlannerParts {
  readonly workspace: { readonly items: ItemReader };
  readonly transforms: readonly Transform[];
  readonly ledger: Pick<Ledger, "loaded">;
  readonly target: Pick<Target, "plan">;
}

function fitted(item: Item, issues: readonly Issue[], fit: FitContext | "home"): Prepared {
  // The site that it came from took it once; of what it takes no more, its own answer to the edit
  // tells.
  if (fit === "home") return { item, whole: item, issues, refused: [] };
  if (isPersonal(item.key) && fit.isThere?.(item.key) !== true)
    return { item, whole: item, issues, refused: [personal(item.key, fit.isNobody?.(item.key) === true)] };
  if (item.kind === "guide") {
    const guide = isTranslation(item.key) ? onlyTexts(item) : item;
    return combined(guide, issues, fitGuide(guide, fit));
  }
  if (item.kind === "category" || item.kind === "wiki") return combined<WikiItem>(item, issues, fitWiki(item, fit));
  return { item, whole: item, issues, refused: [] };
}

function combined<I extends GuideItem | WikiItem>(
  item: I,
  issues: readonly Issue[],
  result: { readonly item: I | undefined; readonly issues: readonly Issue[]; readonly refused: readonly Issue[] },
): Prepared {
  return { item: result.item ?? item, whole: item, issues: [...issues, ...result.issues], refused: result.refused };
}

/** Whom a map calls nobody was left out on purpose. */
function personal(key: Key, isNobody: boolean): Issue {
  const common = { code: "personal-page", key, path: "" } as const;
  if (isNobody)
    return {
      ...common,
      level: "note",
      message: "It is about somebody whom a map of people calls nobody: it is not sent.",
    };
  const map = wikiOf(key).namespace === "TEAM" ? "--team-map" : "--user-map";
  return {
    ...common,
    level: "loss",
    message:
      "It is about a user or a team whom nobody at the target stands for. Such pages are titled by ids, which mean other people there: it is not sent.",
    remedy: `Say with ${map} who they are there; a row whose "new" is empty leaves the page out on purpose. The page is whole in the workspace.`,
    takenInBy: `${map} FILE`,
  };
}

/**
 * A translation with nothing but what is written of it: its texts. What a site would not take of
 * the rest is told of its guide.
 */
function onlyTexts(item: GuideItem): GuideItem {
  const { body } = item;
  const nothing = { flags: [], tags: [], documents: [], parts: [], tools: [], prerequisites: [], releases: [] };
  const nobody = { author: null, viewers: null, comments: [] };
  const noMedia = { image: null, introductionVideo: null, featuredDocument: null };
  const steps = body.steps.map((step) => ({ ...step, media: { type: "none" } as const, comments: [] }));
  return { ...item, media: [], body: { ...body, ...nothing, ...nobody, ...noMedia, archived: false, steps } };
}

/** What the user's transforms made of an item. */
interface Transformed {
  /** `[]`: a transform dropped it. */
  readonly items: readonly Item[];
  readonly issues: readonly Issue[];
}

/**
 * Takes an item through the transforms, in their order. Throws what a transform throws: a defect of
 * it, told with its name.
 */
export function transformed(item: Item, transforms: readonly Transform[]): Transformed {
  const issues: Issue[] = [];
  const report = (issue: Issue): void => {
    issues.push(issue);
  };
  let items: readonly Item[] = [item];
  for (const transform of transforms) items = items.flatMap((each) => transform(each, report));
  return { items, issues };
}

/** The user's transforms in their order, told what they may ask about the workspace. */
export function composeTransforms(
  chosen: readonly ((context: TransformContext) => Transform)[],
  source: SiteIdentity,
  items: ItemReader,
  lineLength?: () => number,
): readonly Transform[] {
  const titleOf = (key: Key): string | undefined => {
    const entry = items.entry(key);
    return entry?.state === "present" ? entry.title : undefined;
  };
  return chosen.map((make) => make({ source, titleOf, ...(lineLength === undefined ? {} : { lineLength }) }));
}
