import type { Context } from "../../core/contracts.js";

/** A comment that we posted. */
export interface Posted {
  /** At the target. */
  readonly id: number;
  /** What it is about, as the service addresses it: `guide/12`. */
  readonly place: string;
  /** A digest of the text that it had at the source. */
  readonly text: string;
}

type Memos = {
  readonly context: Pick<Context, "remember" | "recall">;
  readonly operation: { readonly id: string };
};

/** Notes that an operation posted a comment, and that this comment is the operation's. */
export async function notePosted({ context, operation }: Memos, { id, place, text }: Posted): Promise<void> {
  await context.remember(operation.id, [id, place, text].join(" "));
  await context.remember(ownerMemo(id), operation.id);
}

/** What an operation posted; undefined: nothing. */
export async function noteOfPosted({ context, operation }: Memos): Promise<Posted | undefined> {
  const [id = "", place = "", text = ""] = ((await context.recall(operation.id)) ?? "").split(" ");
  return id === "" ? undefined : { id: Number(id), place, text };
}

/** Is a comment at the target the work of an operation that we know? */
export async function isKnown(context: Memos["context"], id: number): Promise<boolean> {
  return ((await context.recall(ownerMemo(id))) ?? "") !== "";
}

function ownerMemo(id: number): string {
  return `comment/${id}`;
}
