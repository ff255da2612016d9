import {
  ArchiveError,
  ConflictError,
  ConnectionError,
  DocumentError,
  EXIT,
  FerryError,
  SafetyLimitError,
  SignInError,
  StatusError,
  StoppedError,
  WorkspaceError,
} from "../core/errors.js";
import type { Control } from "./control.js";

/** Going on would fail in the same way, or was asked not to. */
export function endsRun(error: unknown, { abort }: Pick<Control, "abort">): boolean {
  if (abort.aborted) return true;
  if (error instanceof SignInError || error instanceof StoppedError || error instanceof SafetyLimitError) return true;
  // A full disk or one that refuses; a single item that can't be stored or read is that item's
  // failure.
  return error instanceof WorkspaceError && error.exitCode !== EXIT.someFailed && error.exitCode !== EXIT.unexpected;
}

const FINAL_STATUSES: readonly number[] = [403, 404, 410];

/** The same request fails again until somebody changes something at the site. */
export function isFinal(error: unknown): boolean {
  if (error instanceof StatusError) return FINAL_STATUSES.includes(error.status);
  return error instanceof FerryError && !(error instanceof ConnectionError) && !error.retriable;
}

export type FailedAt = "source" | "target";

/** For errors of one sort at either side; "": only to try again. */
interface Remedy extends Readonly<Record<FailedAt, string>> {
  readonly isFor: (error: unknown) => boolean;
}

const AT_SITE = "Look at it at the site with the account of the extract, and correct it there";
const LATER = "The site may be overloaded or have a fault of its own: `guideferry check SITE` says whether it answers";
const DAMAGED = "Its archive is damaged: repair the repository (guideferry repair REPO SITE)";
const UNREADABLE =
  "What lies of it in the workspace can't be used, and the message says why: an extract reads again what is damaged there";
const DEFECT = "This is a defect of guideferry; please report it with what --debug shows";

/** The first match counts. */
const REMEDIES: readonly Remedy[] = [
  { isFor: (error) => error instanceof DocumentError, ...both("Correct the document") },
  {
    isFor: (error) => error instanceof ConflictError,
    source: AT_SITE,
    target: "Compare both sides (guideferry plan --text): leave it as it is there, or give --on-conflict update",
  },
  {
    isFor: hasStatus(403),
    source: AT_SITE,
    target:
      "Have the account of the target given this right, or use another one; `guideferry check SITE` says what it may",
  },
  {
    isFor: hasStatus(404, 410),
    source: AT_SITE,
    target: "What it hangs on is not at the target any more: a run looks for it again, and makes it anew",
  },
  {
    isFor: hasStatus(413),
    source: AT_SITE,
    target:
      "It is too large for the target: make it smaller at the source and extract it again, or have the limit of the site raised",
  },
  {
    isFor: hasStatus(400, 409, 415, 422),
    source: AT_SITE,
    target:
      "The site refuses what is sent, and the message says why: correct it at the source and extract it again, or change it on the way (--fit, --type-map, --category-map, --transform)",
  },
  {
    isFor: (error) => error instanceof ConnectionError || (error instanceof StatusError && isPassing(error)),
    ...both(LATER),
  },
  { isFor: (error) => error instanceof ArchiveError, ...both(DAMAGED) },
  { isFor: (error) => error instanceof WorkspaceError, source: "", target: UNREADABLE },
  { isFor: (error) => !(error instanceof FerryError), ...both(DEFECT) },
  { isFor: isFinal, source: AT_SITE, target: "Remove the cause, which the message names" },
];

/**
 * What a person can do; the error's own message says what happened. `again`: how to try again;
 * default: the same command or a retry.
 */
export function remedyAt(
  side: FailedAt,
  error: unknown,
  again = "run the same command again, or: guideferry retry",
): string {
  const words = REMEDIES.find(({ isFor }) => isFor(error))?.[side] ?? "";
  return words === "" ? `${again.charAt(0).toUpperCase()}${again.slice(1)}` : `${words}; then ${again}`;
}

function both(words: string): Readonly<Record<FailedAt, string>> {
  return { source: words, target: words };
}

function hasStatus(...statuses: readonly number[]): Remedy["isFor"] {
  return (error) => error instanceof StatusError && statuses.includes(error.status);
}

function isPassing({ status }: StatusError): boolean {
  return status === 408 || status === 429 || status >= 500;
}
