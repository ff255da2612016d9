import type { Body, Written } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Compared } from "../wire/write/compared.js";

type Json = Readonly<Record<string, unknown>>;

/** An edit of something that carries a revision. */
export interface Edit {
  readonly method: "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly json: Json;
  /** The same in the names of writing, where the call's own body is another: `{ public: true }`. Default: `json`. */
  readonly sends?: Body;
  /** The call's own body for what a merge says has to be sent, where `sends` is given. Default: `json` as it is. */
  readonly jsonOf?: (send: Body) => Json;
  /** What we know of it from our own last write. */
  readonly written: Written;
  readonly compared: Compared;
  /** Does it take the thing itself away, so that 404 is the wanted end? There is nothing to merge then. Default false. */
  readonly goneIsDone?: boolean;
  /** Is the resource in a 409 body already as this edit would make it? Default: it carries what is sent. */
  readonly isDone?: (current: unknown) => boolean;
  /** Is it still as we left it? Asked beside the digest of what can be compared. */
  readonly isUntouched?: (current: unknown) => boolean;
  /** An order: the ids of our steps in it, which both sides agree on then, whatever others stand between them. */
  readonly agreed?: readonly string[];
  /** Where the present revision can be asked for when our last answer had none (api-facts 8.2). */
  readonly headPath?: string;
}

/** What an edit left. */
export interface Edited {
  /** The resource as it is now. */
  readonly json: unknown;
  /** Facts of the thing that a merge needs the next time. */
  readonly facts: Body;
  /** A part of it was left as somebody else has it, and nobody has resolved that. */
  readonly open: boolean;
  /** See Receipt. */
  readonly apart: readonly Omit<Issue, "key">[] | undefined;
}
