import type { Told } from "./ask.js";

/** Something that a probe sent a create for. */
export interface ProbeThing {
  readonly what: "guide" | "upload";
  readonly title: string;
  /** null: the answer was lost, or never came. */
  id: number | null;
  address: string;
  /** The last answer that showed it whole; its revision is in there. */
  json: unknown;
  /** The site refused it: nothing was made. */
  isRefused: boolean;
}

/** `answered 403: You may not do this`, or why no answer came. */
export function saysOf({ status, message }: Told): string {
  if (status === null) return message ?? "no answer came";
  return message === null ? `answered ${status}` : `answered ${status}: ${message}`;
}

/** A site that answers so did nothing. Whatever else comes leaves it open: also a 5xx, or a proxy's 408, may come after the work. */
export function isRefusal({ status }: Told): boolean {
  if (status === 408) return false;
  return status !== null && ((status >= 400 && status < 500) || (status >= 300 && status < 400));
}
