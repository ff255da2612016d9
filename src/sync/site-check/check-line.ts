import { printable } from "../../core/util/printable-text.js";
import type { AskResult } from "../../service/check/ask.js";
import type { Leftover, ListCount, SiteFacts } from "../../service/check/site-facts.js";
import { JsonCursor } from "../../service/wire/json-cursor.js";
import { readAccount } from "../../service/wire/people.js";

/** `unknown`: the site does not say, or was not asked. */
export type CheckState = "ok" | "warning" | "failed" | "unknown";

export interface Verdict {
  readonly state: CheckState;
  readonly what: string;
  readonly todo: string;
  readonly because?: "unreachable" | "sign-in";
}

export interface CheckLine extends Verdict {
  readonly question: string;
}

export const NOT_ASKED = "not checked, since an earlier check failed";
const LONGEST = 600;

export function ok(what: string): Verdict {
  return { state: "ok", what: printable(what, LONGEST), todo: "" };
}

export function warning(what: string, todo: string): Verdict {
  return { state: "warning", what: printable(what, LONGEST), todo: printable(todo, LONGEST) };
}

export function failed(what: string, todo: string, because?: Verdict["because"]): Verdict {
  const verdict = { state: "failed", what: printable(what, LONGEST), todo: printable(todo, LONGEST) } as const;
  return because === undefined ? verdict : { ...verdict, because };
}

export function unknown(what: string, todo = ""): Verdict {
  return { state: "unknown", what: printable(what, LONGEST), todo: printable(todo, LONGEST) };
}

/** The answer for the parsers of the wire. Their issues are not reported here. */
export function cursorOf(reply: AskResult, root: string): JsonCursor {
  const { origin } = new URL(root);
  return new JsonCursor(reply.json, {
    key: "record/site",
    endpoint: `GET ${reply.path}`,
    origin,
    report: () => undefined,
  });
}

export function noAnswer(reply: AskResult | null): Verdict | undefined {
  if (reply === null) return unknown(NOT_ASKED);
  if (reply.status === 200 && reply.json !== undefined) return undefined;
  return unknown(`unknown: ${answerText(reply)}`);
}

/** `GET user/flags: answered 403: You may not do this.` */
export function answerText({ path, status, message }: AskResult): string {
  const what =
    status === null
      ? (message ?? "the site did not answer")
      : `answered ${status}${message === null ? "" : `: ${message}`}`;
  return status === null ? what : `GET ${path} ${what}`;
}

const NOT_OF_THE_SITE: ReadonlySet<string> = new Set(["own guides"]);

export function checkContent({ counts }: SiteFacts): Verdict {
  if (counts.length === 0) return unknown(NOT_ASKED);
  const lists = counts.filter(({ list }) => !NOT_OF_THE_SITE.has(list));
  const what = lists.map(counted).join(", ");
  const broken = lists.find(({ reply, isWhole, rows }) => !isWhole && (reply.status !== 200 || rows === 0));
  if (broken !== undefined) return warning(what, `guideferry could not count everything: ${answerText(broken.reply)}`);
  return ok(what);
}

const NAMES: Readonly<Record<string, string>> = { CATEGORY: "categories", images: "images of this account" };

function counted({ list, rows, isWhole, reply }: ListCount): string {
  const name = NAMES[list] ?? (list === list.toUpperCase() ? `${list} pages` : list);
  if (reply.status !== 200) return `${name}: unknown (${reply.status ?? "no answer"})`;
  return `${isWhole ? "" : "at least "}${rows} ${name}`;
}

/**
 * Only admins get private guides in the list (specification, GET /guides), and no other answer has
 * their number.
 */
export function checkPrivate({ counts, reads, root, signedIn }: SiteFacts): Verdict {
  const guides = counts.find(({ list }) => list === "guides");
  if (guides === undefined || guides.reply.status !== 200) return unknown(NOT_ASKED);
  if (guides.hidden > 0) return ok(`the list includes private guides: ${guides.hidden} of ${guides.rows}`);
  const own = counts.find(({ list }) => list === "own guides")?.hidden ?? 0;
  const todo = "Use the token of an admin: no other list has the private guides of others.";
  if (own > 0) return warning(`the list leaves out private guides; this account has ${own} of its own`, todo);
  const isAdmin = signedIn && reads.user?.status === 200 && readAccount(cursorOf(reads.user, root))?.admin === true;
  if (isAdmin) return ok("the account is an admin, and the list has no private guide");
  return unknown("the list has no private guide, and only admins get them", todo);
}

export function checkLeftovers({ leftovers, leftoversUnseen, counts, signedIn, root }: SiteFacts): Verdict {
  if (counts.length === 0) return unknown(NOT_ASKED);
  const todo = leftovers.map((one) => howToDelete(one, root)).join(" ");
  if (leftovers.length > 0) return warning(`an earlier probe left ${leftovers.map(leftoverText).join("; ")}`, todo);
  if (!signedIn) return unknown("no account is signed in, and probes create private guides");
  if (leftoversUnseen) return unknown("none found, but the lists of this account's guides and images are incomplete");
  return ok("none");
}

export function leftoverText({ what, title, address, why }: Leftover): string {
  return `${what} «${title}» at ${address}${why === null ? "" : ` (${why})`}`;
}

export function howToDelete({ what, id }: Leftover, root: string): string {
  if (what === "guide") return "Delete the guide on the site.";
  if (id === null) return "Delete the image in the media manager of the account on the site, if it is there.";
  return `Run \`guideferry api ${new URL(root).origin} DELETE user/media/images/${id} --write\`.`;
}

export function checkRate({ rate, reads }: SiteFacts): Verdict {
  const early = Object.values(reads).flatMap((reply) => reply?.tooMany ?? [])[0];
  if (rate === null)
    return early === undefined ? unknown("not measured, since an earlier check failed") : tooMany(early, DURING_OTHERS);
  const times = `median ${rate.median} ms, 95 % below ${rate.slow} ms`;
  const speed = rate.rate === null ? "without a limit" : `at ${rate.rate} requests a second`;
  const what = `${rate.answered} of ${rate.planned} reads ${speed}: ${times}`;
  if (rate.tooMany !== undefined)
    return tooMany(rate.tooMany, `after ${rate.answered} of ${rate.planned} reads ${speed}`);
  if (rate.trouble !== null)
    return failed(`the site answered ${rate.answered} of ${rate.planned} reads ${speed}: ${rate.trouble}`, LOWER_RATE);
  if (early !== undefined) return tooMany(early, DURING_OTHERS);
  return ok(`${what}; no 429`);
}

const LOWER_RATE = "Use a lower --rate.";
const DURING_OTHERS = "during the other questions of this check";

function tooMany(asked: number | null, when: string): Verdict {
  const wait = asked === null ? "without a Retry-After" : `with Retry-After: ${Math.round(asked / 1000)} s`;
  return warning(`the site answered 429 ${when}, ${wait}`, LOWER_RATE);
}
