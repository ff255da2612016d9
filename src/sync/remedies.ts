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

/** Does the error end the run? Other items would fail in the same way, or a person stopped it. */
export function endsRun(error: unknown, { abort }: Pick<Control, "abort">): boolean {
  if (abort.aborted) return true;
  if (error instanceof SignInError || error instanceof StoppedError || error instanceof SafetyLimitError) return true;
  // A full or failing disk. An item that can't be stored or read is a failure of this item only.
  return error instanceof WorkspaceError && error.exitCode !== EXIT.someFailed && error.exitCode !== EXIT.unexpected;
}

const FINAL_STATUSES: readonly number[] = [403, 404, 410];

/** Does the same request fail until somebody changes something on the site? */
export function isFinal(error: unknown): boolean {
  if (error instanceof StatusError) return FINAL_STATUSES.includes(error.status);
  return error instanceof FerryError && !(error instanceof ConnectionError) && !error.retriable;
}

export type FailedAt = "source" | "target";

/** Remedies for one sort of error on both sides; "": only try again. */
interface Remedy extends Readonly<Record<FailedAt, string>> {
  readonly isFor: (error: unknown) => boolean;
}

const AT_SITE = "Check it on the source with the account of the extract, and correct it there";
const LATER = "The site may be overloaded or have a problem. Check with `guideferry check SITE` whether it answers";
const DAMAGED = "Its archive is damaged. Repair the repository (guideferry repair REPO SITE)";
const UNREADABLE =
  "The workspace has no usable copy of it, for the reason in the message. Extract it again, which replaces what is damaged";
const DEFECT = "This is a defect of guideferry. Please report it with the output of --debug";

/** The first match counts. */
const REMEDIES: readonly Remedy[] = [
  { isFor: (error) => error instanceof DocumentError, ...both("Correct the document") },
  {
    isFor: (error) => error instanceof ConflictError,
    source: AT_SITE,
    target:
      "Compare both sites (guideferry plan --text). Keep the remote edit, or overwrite it with --on-conflict update",
  },
  {
    isFor: hasStatus(403),
    source: AT_SITE,
    target:
      "Ask an admin to give the account of the target this right, or use another account. `guideferry check SITE` shows the rights of an account",
  },
  {
    isFor: hasStatus(404, 410),
    source: AT_SITE,
    target: "Something that it needs was deleted on the target. The next run recreates it",
  },
  {
    isFor: hasStatus(413),
    source: AT_SITE,
    target:
      "It is too large for the target. Make it smaller at the source and extract it again, or ask an admin to raise the limit of the site",
  },
  {
    isFor: hasStatus(400, 409, 415, 422),
    source: AT_SITE,
    target:
      "The site refuses the content, for the reason in the message. Correct it at the source and extract it again, or change it during the load (--fit, --type-map, --category-map, --transform)",
  },
  {
    isFor: (error) => error instanceof ConnectionError || (error instanceof StatusError && isPassing(error)),
    ...both(LATER),
  },
  { isFor: (error) => error instanceof ArchiveError, ...both(DAMAGED) },
  { isFor: (error) => error instanceof WorkspaceError, source: "", target: UNREADABLE },
  { isFor: (error) => !(error instanceof FerryError), ...both(DEFECT) },
  { isFor: isFinal, source: AT_SITE, target: "Remove the cause in the message" },
];

/**
 * What a person can do. The error message says what happened. `again`: how to try again; default:
 * the same command or a retry.
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
