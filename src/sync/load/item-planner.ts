import type { FitContext, FitPolicy } from "../../../transforms/fit/context.js";
import { fitGuide, fitWiki } from "../../../transforms/fit/fit.js";
import type { Ledger, Target } from "../../core/contracts.js";
import type { Transform } from "../../core/formats.js";
import type { Issue } from "../../core/model/issue.js";
import type { GuideItem, Item, WikiItem } from "../../core/model/item.js";
import { type Key, wikiOf } from "../../core/model/key.js";
import type { Loaded, Operation } from "../../core/writing.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import { isPersonal } from "../people/source-people.js";
import { transformed } from "./transform-preview.js";
import { isTranslation } from "./translation-key.js";

export interface Prepared {
  readonly item: Item;
  /** The item before the fit rules. */
  readonly whole: Item;
  readonly issues: readonly Issue[];
  /** Why the site would refuse it; empty: it does not. */
  readonly refused: readonly Issue[];
}

/** An item that the site takes, with all its operations, done ones included. */
export interface PlannedPiece extends Prepared {
  readonly loaded: Loaded;
  readonly operations: readonly Operation[];
}

interface PlannerParts {
  readonly workspace: { readonly items: ItemReader };
  readonly transforms: readonly Transform[];
  readonly ledger: Pick<Ledger, "loaded">;
  readonly target: Pick<Target, "plan">;
}

type Fit = FitContext | "origin";

interface FitFacts {
  readonly fit: Fit;
  readonly fitting?: ReadonlySet<Key>;
}

/**
 * Says what an item of the workspace is sent as: after the user's transforms, the fit rules, and as
 * operations of the target. One item may become several pieces, or none.
 */
export class ItemPlanner {
  readonly #parts: PlannerParts;
  readonly #fit: Fit;
  readonly #fitting: ReadonlySet<Key>;

  /** `fitting`: items that `fit` leaves as they are, as the check found. Default: unknown. */
  constructor(parts: PlannerParts, { fit, fitting = new Set() }: FitFacts) {
    this.#parts = parts;
    this.#fit = fit;
    this.#fitting = fitting;
  }

  prepare(item: Item): readonly Prepared[] {
    return this.#under(item, this.#fit);
  }

  async prepared(key: Key): Promise<readonly Prepared[]> {
    const item = await this.#parts.workspace.items.get(key);
    return item === undefined ? [] : this.prepare(item);
  }

  async *planned(key: Key): AsyncIterable<PlannedPiece> {
    for (const piece of await this.prepared(key))
      if (piece.refused.length === 0) yield { ...piece, ...(await this.plan(piece.item)) };
  }

  async plan(piece: Item): Promise<Pick<PlannedPiece, "loaded" | "operations">> {
    const loaded = await this.#parts.ledger.loaded(piece.key);
    return { loaded, operations: this.#parts.target.plan(piece, loaded) };
  }

  async *operations(key: Key): AsyncIterable<Operation> {
    for await (const { operations } of this.planned(key)) yield* operations;
  }

  /** The pieces under each other policy that makes the item fit, the least lossy policy first. */
  *underOtherPolicies(item: Item): Iterable<OtherPolicy> {
    const fit = this.#fit;
    if (fit === "origin") return;
    for (const policy of LEAST_LOSSY_FIRST) {
      if (policy === fit.policy) continue;
      const prepared = this.#under(item, { ...fit, policy });
      if (prepared.every(({ refused }) => refused.length === 0)) yield { policy, prepared };
    }
  }

  /** The least lossy `--fit` that makes a refused item fit; null: there is none. */
  optionFor(item: Item): string | null {
    for (const { policy } of this.underOtherPolicies(item)) return `--fit ${policy}`;
    return null;
  }

  #under(item: Item, fit: Fit): readonly Prepared[] {
    const { items, issues } = transformed(item, this.#parts.transforms);
    const isFitting = fit === this.#fit && this.#fitting.has(item.key);
    return items.map((each, index) => (isFitting ? unchanged(each) : fitted(each, index === 0 ? issues : [], fit)));
  }
}

interface OtherPolicy {
  readonly policy: FitPolicy;
  readonly prepared: readonly Prepared[];
}

const LEAST_LOSSY_FIRST = ["split", "trim"] as const satisfies readonly FitPolicy[];

function fitted(item: Item, issues: readonly Issue[], fit: Fit): Prepared {
  // The origin site accepted it once. Its answer to the edit shows what it no longer accepts.
  if (fit === "origin") return { ...unchanged(item), issues };
  if (isPersonal(item.key) && fit.isThere?.(item.key) !== true)
    return { item, whole: item, issues, refused: [personal(item.key, fit.isNobody?.(item.key) === true)] };
  if (item.kind === "guide") {
    const guide = isTranslation(item.key) ? onlyTexts(item) : item;
    return combined(guide, issues, fitGuide(guide, fit));
  }
  if (item.kind === "category" || item.kind === "wiki") return combined<WikiItem>(item, issues, fitWiki(item, fit));
  return { ...unchanged(item), issues };
}

function unchanged(item: Item): Prepared {
  return { item, whole: item, issues: [], refused: [] };
}

function combined<I extends GuideItem | WikiItem>(
  item: I,
  issues: readonly Issue[],
  result: { readonly item: I | undefined; readonly issues: readonly Issue[]; readonly refused: readonly Issue[] },
): Prepared {
  return { item: result.item ?? item, whole: item, issues: [...issues, ...result.issues], refused: result.refused };
}

/** A row of a map that drops a person leaves the page out on purpose. */
function personal(key: Key, isNobody: boolean): Issue {
  const common = { code: "personal-page", key, path: "" } as const;
  if (isNobody)
    return {
      ...common,
      level: "note",
      message: "It is not sent: it is about a person or team that a map leaves out.",
    };
  const map = wikiOf(key).namespace === "TEAM" ? "--team-map" : "--user-map";
  return {
    ...common,
    level: "loss",
    message:
      "It is not sent: it is about a user or team that has no match on the target. The title of such a page is an id, and the same id is another person there.",
    remedy: `Name the match with ${map} FILE. A row with an empty "new" leaves the page out on purpose. The workspace has the complete page.`,
    takenInBy: `${map} FILE`,
  };
}

/** Only the texts of a translation are written. Its guide reports the other losses. */
function onlyTexts(item: GuideItem): GuideItem {
  const { body } = item;
  const nothing = { flags: [], tags: [], documents: [], parts: [], tools: [], prerequisites: [], releases: [] };
  const nobody = { author: null, viewers: null, comments: [] };
  const noMedia = { image: null, introductionVideo: null, featuredDocument: null };
  const steps = body.steps.map((step) => ({ ...step, media: { type: "none" } as const, comments: [] }));
  return { ...item, media: [], body: { ...body, ...nothing, ...nobody, ...noMedia, archived: false, steps } };
}
