import { type Issue, REFERENCE_DANGLING } from "../core/model/issue.js";
import type { Key } from "../core/model/key.js";
import { isFinal, reasonOf } from "./extract-errors.js";
import type { MediaFailure } from "./extract-media.js";
import { remedyAt } from "./remedies.js";

/** The issue of an item that lacks a medium which belongs to it. */
export function missingMedia(key: Key, { use, error }: MediaFailure): Issue {
  return {
    code: "media-missing",
    level: "error",
    key,
    path: use.path,
    message: `${use.key} could not be fetched: ${reasonOf(error)}`,
    remedy: isFinal(error)
      ? "Put it right at the source, or take it out of the content there."
      : "Run the extract again.",
  };
}

/** The issue of an item with a medium at an address that must not be asked: what lies there is lost, and nothing failed. */
export function refusedMedia(key: Key, { use, error }: MediaFailure): Issue {
  return {
    code: "media-refused",
    level: "loss",
    key,
    path: use.path,
    message: `${use.key} is not taken: ${reasonOf(error)}`,
    remedy:
      "Correct the address at the source, or allow its host with --allow-private-media, then run the extract again.",
  };
}

/** The issue of a text that refers to what the source itself has not: no failure, it has been so before. */
export function danglingMedia(key: Key, { use }: MediaFailure): Issue {
  return {
    code: REFERENCE_DANGLING,
    level: "note",
    key,
    path: use.path,
    message: `The text refers to ${use.key}, which the source does not know.`,
    remedy: "Take the reference out at the source, if it matters.",
  };
}

/** All that one item lacks, as a line of the list of failures: what happened, and what to do. */
export function describeFailures(failures: readonly MediaFailure[]): {
  readonly reason: string;
  readonly remedy: string;
} {
  const reasons = failures.map(({ use, error }) => `${use.key} (${use.path}): ${reasonOf(error)}`);
  const worst = failures.find(({ error }) => !isFinal(error)) ?? failures[0];
  return { reason: reasons.join("\n"), remedy: remedyAt("source", worst?.error) };
}
