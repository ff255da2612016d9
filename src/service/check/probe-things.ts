import { isObject } from "../../core/util/json.js";
import type { AskResult } from "./ask.js";

export interface ProbeThing {
  readonly what: "guide" | "upload";
  readonly title: string;
  /** Another title that it may have: a site may use that of a translation for the guide itself. */
  readonly otherTitle?: string;
  /** null: the answer was lost, or never came. */
  id: number | null;
  address: string;
  /** The last answer that showed it whole, with its revision. */
  json: unknown;
  isRefused: boolean;
}

export function saysOf({ status, message }: AskResult): string {
  if (status === null) return message ?? "no answer came";
  return message === null ? `answered ${status}` : `answered ${status}: ${message}`;
}

/** The site surely did nothing. A 5xx or a proxy's 408 may come after the work. */
export function isRefusal({ status }: AskResult): boolean {
  if (status === 408) return false;
  return status !== null && ((status >= 400 && status < 500) || (status >= 300 && status < 400));
}

export function thingOf(what: ProbeThing["what"], title: string, root: string): ProbeThing {
  return { what, title, id: null, address: new URL(root).origin, json: undefined, isRefused: false };
}

export function note(thing: ProbeThing, reply: AskResult, id: unknown, address: (id: number) => string): void {
  thing.isRefused = isRefusal(reply);
  if (reply.status === null || reply.status >= 300 || typeof id !== "number") return;
  const url = isObject(reply.json) ? reply.json["url"] : undefined;
  Object.assign(thing, { id, json: reply.json, address: typeof url === "string" ? url : address(id) });
}

export function isNamed({ title, otherTitle }: ProbeThing, name: unknown): boolean {
  return name === title || (otherTitle !== undefined && name === otherTitle);
}

export function idIn({ json }: AskResult, name: string): unknown {
  return isObject(json) ? (json[name] ?? json["id"]) : undefined;
}

const TITLE = "guideferry probe, delete me, ";
const FILE = "guideferry-probe-";
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\d\.?\d*Z$/;

/** File names have the time of the start plus at most so many milliseconds. */
export const MOST_FILES = 200;

/** The names of a probe's items; the milliseconds make them unique. */
export interface ProbeNames {
  readonly title: string;
  /** The title of the translation, which a site may use for the guide itself. */
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

/** Only a title with a complete time: people may write about probes. */
export function isProbeTitle(title: unknown): title is string {
  return typeof title === "string" && title.startsWith(TITLE) && STAMP.test(title.slice(TITLE.length));
}

export function isProbeFile(name: unknown): name is string {
  return (
    typeof name === "string" && name.startsWith(FILE) && STAMP.test(name.slice(FILE.length).replace(/\.png$/i, ""))
  );
}
