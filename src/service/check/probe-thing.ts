import { isObject } from "../wire/place.js";
import type { Told } from "./ask.js";

/** Something that a probe sent a create for. */
export interface ProbeThing {
  readonly what: "guide" | "upload";
  readonly title: string;
  /** Another one that it may have come by: a site may take that of a translation for the guide's own. */
  readonly otherTitle?: string;
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

/** Something that is about to be made. */
export function thingOf(what: ProbeThing["what"], title: string, root: string): ProbeThing {
  return { what, title, id: null, address: new URL(root).origin, json: undefined, isRefused: false };
}

/** Takes down what the answer to a create tells. */
export function note(thing: ProbeThing, told: Told, id: unknown, address: (id: number) => string): void {
  thing.isRefused = isRefusal(told);
  if (told.status === null || told.status >= 300 || typeof id !== "number") return;
  const url = isObject(told.json) ? told.json["url"] : undefined;
  Object.assign(thing, { id, json: told.json, address: typeof url === "string" ? url : address(id) });
}

/** Has a thing of the site the name of this one? */
export function isNamed({ title, otherTitle }: ProbeThing, name: unknown): boolean {
  return name === title || (otherTitle !== undefined && name === otherTitle);
}

/** The number that an answer gives a thing. */
export function idIn({ json }: Told, name: string): unknown {
  return isObject(json) ? (json[name] ?? json["id"]) : undefined;
}
