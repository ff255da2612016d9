import { isObject } from "../../core/util/json.js";
import type { AskResult } from "./ask.js";

/** Something that a probe sent a create for. */
export interface ProbeThing {
  readonly what: "guide" | "upload";
  readonly title: string;
  /** Another title it may have: a site may take that of a translation for the guide's own. */
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
export function saysOf({ status, message }: AskResult): string {
  if (status === null) return message ?? "no answer came";
  return message === null ? `answered ${status}` : `answered ${status}: ${message}`;
}

/** After these the site did nothing. A 5xx or a proxy's 408 may come after the work. */
export function isRefusal({ status }: AskResult): boolean {
  if (status === 408) return false;
  return status !== null && ((status >= 400 && status < 500) || (status >= 300 && status < 400));
}

/** Something that is about to be made. */
export function thingOf(what: ProbeThing["what"], title: string, root: string): ProbeThing {
  return { what, title, id: null, address: new URL(root).origin, json: undefined, isRefused: false };
}

/** Takes down what the answer to a create tells. */
export function note(thing: ProbeThing, told: AskResult, id: unknown, address: (id: number) => string): void {
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
export function idIn({ json }: AskResult, name: string): unknown {
  return isObject(json) ? (json[name] ?? json["id"]) : undefined;
}

const TITLE = "guideferry probe, delete me, ";
const FILE = "guideferry-probe-";
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\d\.?\d*Z$/;

/** File names hold the time of the start plus at most so many milliseconds. */
export const MOST_FILES = 200;

/** The names of a probe's things; the milliseconds tell two probes apart. */
export interface ProbeNames {
  readonly title: string;
  /** The title of the translation, which a site may put in the place of the guide's own. */
  readonly translated: string;
  readonly file: string;
}

export function probeNames(now: Date): ProbeNames {
  const stamp = now.toISOString();
  const other = new Date(now.getTime() + 1).toISOString();
  return {
    title: `${TITLE}${stamp}`,
    translated: `${TITLE}${other}`,
    file: `${FILE}${stamp.replaceAll(/[:.]/g, "")}.png`,
  };
}

/** File names of further uploads, each with a later time. */
export function fileNames({ title }: Pick<ProbeNames, "title">): () => string {
  let time = Date.parse(title.slice(TITLE.length));
  return () => {
    time += 1;
    return probeNames(new Date(time)).file;
  };
}

/** Only a title with a whole time behind it: somebody may write about our probes. */
export function isProbeTitle(title: unknown): title is string {
  return typeof title === "string" && title.startsWith(TITLE) && STAMP.test(title.slice(TITLE.length));
}

export function isProbeFile(name: unknown): name is string {
  return (
    typeof name === "string" && name.startsWith(FILE) && STAMP.test(name.slice(FILE.length).replace(/\.png$/i, ""))
  );
}
