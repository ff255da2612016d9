import type { Context, Operation, Receipt, Survey } from "../../core/contracts.js";
import type { Call } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Client } from "../http/client.js";
import type { Abilities } from "./capabilities.js";
import type { PageTitles } from "./find-deleted.js";
import type { GuideTitles } from "./guide-titles.js";
import type { People } from "./people.js";

/** What every write needs beside its call. */
export interface WriteContext {
  readonly client: Client;
  readonly texts: Texts;
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  readonly onExisting: "adopt" | "update" | "fail";
  /** Whether a guide that is new here may be one of the same title that is there and not ours. */
  readonly match: "none" | "title";
  readonly titles: GuideTitles;
  readonly pages: PageTitles;
  /** How long to wait between two looks at a video that the site converts; milliseconds. */
  readonly pollEvery: number;
  /** How long such a video is waited for; milliseconds. */
  readonly readyWithin: number;
  /**
   * The site is where the content came from: copies of its images in the account's media manager,
   * by the image's id. null: another site.
   */
  readonly copies: Map<number, Promise<number>> | null;
  /** Characters that a line of a step may have. */
  lineLength(): number;
  /** Does the site take translations of pages? null: unknown. */
  takesPages(): boolean | null;
  /** From now on no translation of a page is planned or sent. */
  refusePages(): void;
  survey(): Survey;
  /** The highest guide id that was ever seen there. */
  highestGuide(): number;
  /** Takes what an answer with a whole guide tells of the site: what it takes, its highest id. */
  learn(guide: unknown): void;
  readonly abilities: Abilities;
  people(): People;
}

/** One operation at work. */
export interface Work<C extends Call = Call> {
  readonly desk: WriteContext;
  readonly operation: Operation;
  readonly call: C;
  readonly context: Context;
  readonly signal: AbortSignal;
  /**
   * Collects what the write could not carry. `about`: the missing key that it names, of which
   * nothing more is said then.
   */
  readonly report: (issue: Omit<Issue, "key">, about?: Key) => void;
}

/** Does the write, or finds that it was done. */
export type Handler<C extends Call> = (work: Work<C>) => Promise<Omit<Receipt, "issues">>;

/** Where the goal of a reference is, as far as it is known now. */
export type LinkTarget =
  | { readonly id: string }
  /** It will have an id later: until then an absolute link to the old site stands. */
  | { readonly later: true; readonly address: string | undefined }
  /** It is at the source and never moves. */
  | { readonly never: true; readonly address: string | undefined }
  /** It is not at the source either. */
  | { readonly absent: true; readonly address: string | undefined };

export type TextKind = "line" | "page";

/** What a rewrite did. */
export interface Rewritten {
  readonly text: string;
  readonly missing: readonly Key[];
  /** References whose goal never moves, or is nowhere: what became of each. */
  readonly dangling: readonly {
    readonly key: string;
    readonly message: string;
    /** `--dangling fail`: the text must not be sent. */
    readonly failed: boolean;
    /** It stands as it stood: nothing is lost. */
    readonly kept: boolean;
  }[];
}

/**
 * The reference pass, given by the composition root: what refers to what is read by
 * `transforms/references`, which `api` doesn't know.
 */
export interface Texts {
  keysIn(text: string, where: TextKind): readonly Key[];
  /**
   * Characters that the text may have; a temporary link that would make it longer gives way to its
   * label.
   */
  rewrite(text: string, where: TextKind, goals: ReadonlyMap<Key, LinkTarget>, limit: number | null): Rewritten;
}

/** A text as it is sent now, with every reference that can be pointed home. */
export async function rewriteLinks(
  texts: Texts,
  text: string,
  where: TextKind,
  context: Context,
  limit: number | null,
): Promise<Rewritten> {
  const keys = texts.keysIn(text, where);
  if (keys.length === 0) return texts.rewrite(text, where, NO_GOALS, limit);
  const goals = new Map<Key, LinkTarget>();
  for (const key of keys) goals.set(key, await goalOf(key, context));
  return texts.rewrite(text, where, goals, limit);
}

const NO_GOALS: ReadonlyMap<Key, LinkTarget> = new Map();

async function goalOf(key: Key, context: Context): Promise<LinkTarget> {
  const id = await context.idOf(key);
  if (id !== undefined) return { id };
  const address = await context.addressOf(key);
  if (context.moves(key)) return { later: true, address };
  return (context.isAtSource?.(key) ?? true) ? { never: true, address } : { absent: true, address };
}
