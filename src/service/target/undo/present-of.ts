import type { Body } from "../../../core/contracts.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { leftDigest } from "../../wire/write/compared.js";
import { writable } from "../../wire/write/writable.js";
import { asJson, stepsIn } from "../as-left.js";
import { listOf } from "./list-of.js";

/** A thing as it stands at the target now. */
export interface Present {
  readonly id: string;
  /** Comparable with `Written.left`. */
  readonly digest: string;
  readonly body: Body;
  /** As the site told it. */
  readonly json: unknown;
  /** Of a guide: its steps by id, in order. */
  readonly steps: ReadonlyMap<string, Present>;
  /** Of a category: the titles below it. */
  readonly children: readonly string[];
  /** Of a category: the public guides in it. */
  readonly guides: readonly string[];
  /** Of a guide: the comments on it and on its steps. */
  readonly comments: readonly string[];
}

/** What an answer with a guide or page tells of it. */
export function presentOf(key: Key, id: string, json: unknown): Present {
  const compared = kindOf(key) === "guide" ? "guide" : "wiki";
  const steps = compared === "guide" ? stepsIn(json).map(stepOf) : [];
  const { children, guides, comments } = asJson(json);
  return {
    id,
    digest: leftDigest(compared, json),
    body: writable(compared, json),
    json,
    steps: new Map(steps.map((step) => [step.id, step])),
    children: listOf(children).map(titleOf),
    guides: listOf(guides).map((guide) => String(asJson(guide)["guideid"])),
    comments: [...commentsIn(comments), ...steps.flatMap((step) => step.comments)],
  };
}

/** Replies hang below the comment that they answer (api-facts 7). */
export function commentsIn(comments: unknown): readonly string[] {
  return listOf(comments).flatMap((comment) => {
    const { commentid, replies } = asJson(comment);
    return [String(commentid), ...commentsIn(replies)];
  });
}

function stepOf(step: Readonly<Record<string, unknown>>): Present {
  const id = String(step["stepid"]);
  return {
    id,
    digest: leftDigest("step", step),
    body: writable("step", step),
    json: step,
    steps: new Map(),
    children: [],
    guides: [],
    comments: commentsIn(step["comments"]),
  };
}

/** Strings in old data (api-facts 8.3). */
function titleOf(child: unknown): string {
  return typeof child === "string" ? child : String(asJson(child)["title"]);
}
