import type { Context } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";

/** Where the goal of a reference is, as far as it is known now. */
export type Goal =
  | { readonly id: string }
  /** It will have an id later: until then an absolute link to the old site stands. */
  | { readonly later: true; readonly address: string | undefined }
  /** It is at the source and never moves. */
  | { readonly never: true; readonly address: string | undefined }
  /** It is not at the source either. */
  | { readonly absent: true; readonly address: string | undefined };

export type Where = "line" | "page";

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

/** The reference pass, given by the composition root: what refers to what is read by `transforms/references`, which `api` doesn't know. */
export interface Texts {
  keysIn(text: string, where: Where): readonly Key[];
  /** Characters that the text may have; a temporary link that would make it longer gives way to its label. */
  rewrite(text: string, where: Where, goals: ReadonlyMap<Key, Goal>, limit: number | null): Rewritten;
}

/** A text as it is sent now, with every reference that can be pointed home. */
export async function textHome(
  texts: Texts,
  text: string,
  where: Where,
  context: Context,
  limit: number | null,
): Promise<Rewritten> {
  const keys = texts.keysIn(text, where);
  if (keys.length === 0) return texts.rewrite(text, where, NO_GOALS, limit);
  const goals = new Map<Key, Goal>();
  for (const key of keys) goals.set(key, await goalOf(key, context));
  return texts.rewrite(text, where, goals, limit);
}

const NO_GOALS: ReadonlyMap<Key, Goal> = new Map();

async function goalOf(key: Key, context: Context): Promise<Goal> {
  const id = await context.idOf(key);
  if (id !== undefined) return { id };
  const address = await context.addressOf(key);
  if (context.moves(key)) return { later: true, address };
  return (context.isAtSource?.(key) ?? true) ? { never: true, address } : { absent: true, address };
}
