import type { Body, Receipt, Written } from "../../../core/contracts.js";
import { FerryError, StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import type { Issue } from "../../../core/model/issue.js";
import type { Key } from "../../../core/model/key.js";
import { writable } from "../../wire/write/writable.js";
import { asJson, wikiAsLeft } from "../as-left.js";
import { tellAdopted } from "../existing-adopted.js";
import { edit, openIf } from "../guarded.js";
import { factsOfCreate } from "../merge/standing-apart.js";
import type { Handler, Work } from "../parts.js";
import { pathOf, titleAtTarget } from "../paths.js";
import { wikiBody } from "../wiki-body.js";
import { formerIds, idUnder, nowUnder, underTitle } from "../wiki-title.js";

type SaveWiki = CallOf<"save-wiki">;
type Json = Readonly<Record<string, unknown>>;

/** Creates a page, changes ours, or deals with one that was there before as `--on-existing` says. */
export const saveWiki: Handler<SaveWiki> = async (work) => {
  const { call, context } = work;
  const given = givenTitle(call);
  const known = await context.written(call.wiki);
  const { written, missing, ...rest } = await saveUnder(work, underTitle(known, given));
  const saved = nowUnder(given, written, known);
  for (const former of formerIds(saved)) work.report(leftBehind(saved.id, former));
  return { written: [saved], missing, ...rest };
};

/** The title that a transform gave the page, or undefined. */
export function givenTitle({ given, fields }: SaveWiki): string | undefined {
  return given === true ? fields.title : undefined;
}

/** `before`: what is known of the page under the title that it is to have. */
async function saveUnder(work: Work<SaveWiki>, before: Written | undefined): Promise<Saved> {
  const { desk, call } = work;
  if (before?.adopted === true && desk.onExisting === "adopt") return { written: before, missing: [] };
  const said: (() => void)[] = [];
  const later: Work["report"] = (issue, about) => void said.push(() => work.report(issue, about));
  const { json, missing } = await wikiBody({ ...work, report: later }, call.fields, before);
  const saved = await saveBody(work, before, { json, missing });
  // Of a page that is only linked to nothing is sent, and nothing is lost.
  if (!saved.written.adopted) for (const say of said) say();
  return saved;
}

async function saveBody(
  work: Work<SaveWiki>,
  before: Written | undefined,
  { json, missing }: { readonly json: Json; readonly missing: readonly Key[] },
): Promise<Saved> {
  const { desk, call, context, signal } = work;
  if (before !== undefined) {
    const existed = before.adopted ? { ...before, facts: { ...before.facts, existed: true } } : before;
    return { ...(await change(work, existed, json)), missing };
  }
  const { identity } = desk.survey();
  const language = call.fields.language === identity.language ? {} : { langid: call.fields.language };
  const body = { namespace: call.fields.namespace, title: call.fields.title, ...json, ...language };
  await context.begin({ sent: body, missing });
  try {
    const { json: answer } = await desk.client.send(
      { method: "POST", path: "wikis", json: body, create: true },
      signal,
    );
    const facts = factsOfCreate("wiki", json, answer);
    return { written: wikiAsLeft(call.wiki, answer, undefined, facts), missing };
  } catch (error) {
    // 422 is also the answer to a title that is taken (api-facts 8.1); only a look tells.
    const existing = error instanceof StatusError && error.status === 422 ? await readWiki(work) : undefined;
    if (existing === undefined) throw error;
    const saved = await existed(work, existing, json);
    return { ...saved, missing: saved.written.adopted ? [] : missing };
  }
}

interface Saved extends Pick<Receipt, "open" | "apart"> {
  readonly written: Written;
  readonly missing: readonly Key[];
}

function leftBehind(id: string, former: string): Omit<Issue, "key"> {
  return {
    code: "old-title-left",
    level: "note",
    path: "title",
    message: `An earlier run made it as ${former}. The service can't rename a page, so it is ${id} now, and ${former} still stands there, with nothing of ours that leads to it.`,
    remedy: `Delete ${former} by hand, unless you mean to go back to that title.`,
  };
}

/** The page under the title of a call, or undefined. */
export async function readWiki(work: Work<SaveWiki>): Promise<unknown> {
  const path = pathOf(work.call.wiki, idUnder(work.call.wiki, givenTitle(work.call)));
  const answer = await work.desk.client.get(path, { expect: [404] }, work.signal);
  return answer.status === 404 ? undefined : answer.json;
}

async function existed(work: Work<SaveWiki>, existing: unknown, wanted: Json): Promise<Omit<Saved, "missing">> {
  const { desk, call } = work;
  const found = wikiAsLeft(call.wiki, existing, undefined);
  if (desk.onExisting === "fail") {
    throw new FerryError(
      `${work.operation.label} exists at ${desk.client.root} already and is not ours. Choose --on-existing adopt (use it as it is) or update (put the source's content over it).`,
    );
  }
  const standing = { id: found.id, body: writable("wiki", existing) };
  if (await isMadeBesideGuide(work, found, existing)) {
    const { json } = await wikiBody(work, call.fields, found);
    await work.context.keep(call.wiki, standing, json);
    return change(work, found, json);
  }
  if (desk.onExisting === "update") {
    const { json } = await wikiBody(work, call.fields, found);
    await work.context.keep(call.wiki, standing, json);
    return change(work, { ...found, facts: { ...found.facts, existed: true } }, json);
  }
  await work.context.keep(call.wiki, standing);
  tellAdopted(work, "page", standing.body, wanted);
  return { written: { ...found, adopted: true } };
}

/**
 * Did the site make this page when a guide of ours that names it was written? Then it is ours to fill. It is empty still, and, where the
 * site names its author, of this account.
 */
async function isMadeBesideGuide(
  { call, context, desk }: Work<SaveWiki>,
  found: Written,
  existing: unknown,
): Promise<boolean> {
  if (call.fields.namespace !== "ITEM" || !isEmptyPage(found.body ?? {})) return false;
  const { author } = asJson(existing);
  const authorId = typeof author === "object" ? asJson(author)["userid"] : author;
  const account = desk.survey().identity.account?.id;
  if (typeof authorId === "number" && account !== undefined && authorId !== account) return false;
  return (await context.namesPart?.(titleAtTarget(call.wiki, found.id))) === true;
}

/** A page's body, in the names of writing, that says nothing but its title. */
export function isEmptyPage({ contents, description, image, documents, info, suppliers, flags }: Body): boolean {
  const texts = [contents, description].every((text) => text === undefined || text === "");
  const lists = [documents, info, suppliers, flags].every((list) => !Array.isArray(list) || list.length === 0);
  return texts && lists && (image ?? null) === null;
}

async function change(work: Work<SaveWiki>, before: Written, json: Json): Promise<Omit<Saved, "missing">> {
  const path = pathOf(work.call.wiki, before.id);
  const patch = {
    method: "PATCH",
    path,
    json,
    written: before,
    compared: "wiki",
    headPath: path,
  } as const;
  const edited = await edit(work, patch);
  return { written: wikiAsLeft(work.call.wiki as Key, edited.json, before, edited.facts), ...openIf(edited) };
}
