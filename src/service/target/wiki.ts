import { FerryError, StatusError } from "../../core/errors.js";
import type { CallOf, WikiFields } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key, Namespace } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { objectIn } from "../../core/util/json.js";
import type { Body, Receipt, Written } from "../../core/writing.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { parentIn } from "../wire/compared-fields.js";
import { writable } from "../wire/writable.js";
import type { Handler, Work } from "./context.js";
import { reportAdopted } from "./existing.js";
import { type Edited, edit, openIf } from "./guarded-write.js";
import { formerIds, idUnder, nowUnder, pathOf, titleAtTarget, underTitle } from "./identity.js";
import { mediaId, mediaIds } from "./media.js";
import { writeText } from "./texts.js";
import { clearing, factsOfCreate, writtenWiki } from "./written-body.js";

type SaveWiki = CallOf<"save-wiki">;

/** Creates a page, edits it, or follows `--on-existing`. */
export const saveWiki: Handler<SaveWiki> = async (work) => {
  const { call, context } = work;
  const given = givenTitle(call);
  const known = await context.written(call.wiki);
  const { written, missing, ...rest } = await saveUnder(work, underTitle(known, given));
  const saved = nowUnder(given, written, known);
  for (const former of formerIds(saved)) work.report(oldTitleLeft(saved.id, former));
  return { written: [saved], missing, ...rest };
};

/** The title from a transform; undefined: none. */
export function givenTitle({ given, fields }: SaveWiki): string | undefined {
  return given === true ? fields.title : undefined;
}

/** `before`: the page under the wanted title. */
async function saveUnder(work: Work<SaveWiki>, before: Written | undefined): Promise<Saved> {
  const { site, call } = work;
  if (before?.adopted === true && site.onExisting === "adopt") return { written: before, missing: [] };
  const reports: (() => void)[] = [];
  const later: Work["report"] = (issue, about) => void reports.push(() => work.report(issue, about));
  const { json, missing } = await wikiBody({ ...work, report: later }, call.fields, before);
  const saved = await saveBody(work, before, { json, missing });
  // Nothing is sent for an adopted page, so nothing is lost.
  if (!saved.written.adopted) for (const say of reports) say();
  return saved;
}

async function saveBody(
  work: Work<SaveWiki>,
  before: Written | undefined,
  { json, missing }: { readonly json: JsonObject; readonly missing: readonly Key[] },
): Promise<Saved> {
  const { site, call, context, signal } = work;
  if (before !== undefined) {
    const existed = before.adopted ? { ...before, facts: { ...before.facts, existed: true } } : before;
    return { ...(await editWiki(work, existed, json)), missing };
  }
  const { identity } = site.survey();
  const language = call.fields.language === identity.language ? {} : { langid: call.fields.language };
  const body = { namespace: call.fields.namespace, title: call.fields.title, ...json, ...language };
  await context.begin({ sent: body, missing });
  try {
    const { json: answer } = await site.client.send(
      { method: "POST", path: "wikis", json: body, create: true },
      signal,
    );
    const facts = factsOfCreate("wiki", json, answer);
    return { written: writtenWiki(call.wiki, answer, undefined, facts), missing };
  } catch (error) {
    // 422 is also the answer to a title that exists (api-facts 8.1); only a read shows it.
    const existing = error instanceof StatusError && error.status === 422 ? await readWiki(work) : undefined;
    if (existing === undefined) throw error;
    const saved = await saveOverExisting(work, existing, json);
    return { ...saved, missing: saved.written.adopted ? [] : missing };
  }
}

interface Saved extends Pick<Receipt, "open" | "apart"> {
  readonly written: Written;
  readonly missing: readonly Key[];
}

function oldTitleLeft(id: string, former: string): Omit<Issue, "key"> {
  return {
    code: "old-title-left",
    level: "note",
    path: "title",
    message: `An earlier run created it as ${former}. The service cannot rename a page, so it is ${id} now. ${former} still exists on the target, and no link that guideferry wrote points to it.`,
    remedy: `Delete ${former} by hand, unless the page will get that title again.`,
  };
}

/** The page with the title of a call, or undefined. */
export async function readWiki(work: Work<SaveWiki>): Promise<unknown> {
  const path = pathOf(work.call.wiki, idUnder(work.call.wiki, givenTitle(work.call)));
  const answer = await work.site.client.get(path, { expect: [404] }, work.signal);
  return answer.status === 404 ? undefined : answer.json;
}

async function saveOverExisting(
  work: Work<SaveWiki>,
  existing: unknown,
  wanted: JsonObject,
): Promise<Omit<Saved, "missing">> {
  const { site, call } = work;
  const found = writtenWiki(call.wiki, existing, undefined);
  if (site.onExisting === "fail") {
    throw new FerryError(
      `${work.operation.label} already exists at ${site.client.root}, and guideferry did not create it. Choose --on-existing adopt (use it unchanged) or --on-existing update (replace its content with the source's).`,
    );
  }
  const remoteTranslation = { id: found.id, body: writable("wiki", existing) };
  if (await isCreatedForGuide(work, found, existing)) {
    const { json } = await wikiBody(work, call.fields, found);
    await work.context.keep(call.wiki, remoteTranslation, json);
    return editWiki(work, found, json);
  }
  if (site.onExisting === "update") {
    const { json } = await wikiBody(work, call.fields, found);
    await work.context.keep(call.wiki, remoteTranslation, json);
    return editWiki(work, { ...found, facts: { ...found.facts, existed: true } }, json);
  }
  await work.context.keep(call.wiki, remoteTranslation);
  reportAdopted(work, "page", remoteTranslation.body, wanted);
  return { written: { ...found, adopted: true } };
}

/** Did the site create it for a loaded guide? Such a page is empty and the account's own. */
async function isCreatedForGuide(
  { call, context, site }: Work<SaveWiki>,
  found: Written,
  existing: unknown,
): Promise<boolean> {
  if (call.fields.namespace !== "ITEM" || !isEmptyPage(found.body ?? {})) return false;
  const { author } = objectIn(existing);
  const authorId = typeof author === "object" ? objectIn(author)["userid"] : author;
  const account = site.survey().identity.account?.id;
  if (typeof authorId === "number" && account !== undefined && authorId !== account) return false;
  return (await context.namesPart?.(titleAtTarget(call.wiki, found.id))) === true;
}

export function isEmptyPage({ contents, description, image, documents, info, suppliers, flags }: Body): boolean {
  const texts = [contents, description].every((text) => text === undefined || text === "");
  const lists = [documents, info, suppliers, flags].every((list) => !Array.isArray(list) || list.length === 0);
  return texts && lists && (image ?? null) === null;
}

async function editWiki(work: Work<SaveWiki>, before: Written, json: JsonObject): Promise<Omit<Saved, "missing">> {
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
  return { written: writtenWiki(work.call.wiki as Key, edited.json, before, edited.facts), ...openIf(edited) };
}

/** A field of another namespace is answered 422 (api-facts 8.3, 8.4). */
const FIELDS: Readonly<Record<Namespace, readonly string[]>> = {
  CATEGORY: ["description", "documents", "info"],
  ITEM: ["description", "info", "suppliers"],
  INFO: ["description"],
  WIKI: ["description", "documents", "table_of_contents"],
  TEAM: [],
  USER: [],
};

const NAMED_BY_SITE: ReadonlySet<Namespace> = new Set(["USER", "TEAM"]);

/** The body of POST /wikis and PATCH /wikis/{namespace}/{title}. `before`: the last write. */
async function wikiBody(
  work: Work,
  fields: WikiFields,
  before: Written | undefined,
): Promise<{ readonly json: JsonObject; readonly missing: readonly Key[] }> {
  const missing = new Set<Key>();
  const documents = await mediaIds(work, fields.documents, "documents", missing);
  const optional: JsonObject = {
    description: fields.description === "" ? undefined : fields.description,
    documents: documents.length === 0 ? undefined : documents.map((documentid) => ({ documentid })),
    info: fields.info.length === 0 ? undefined : fields.info,
    suppliers: fields.suppliers.length === 0 ? undefined : fields.suppliers,
    table_of_contents: fields.tableOfContents === true ? true : undefined,
  };
  const allowed = Object.entries(optional).filter(
    ([name, value]) => value !== undefined && FIELDS[fields.namespace].includes(name),
  );
  const json = {
    contents: await writeText(work, fields.contents, { where: "page", path: "contents" }, missing),
    // People and teams have their own names (api-facts 8.4).
    display_title: NAMED_BY_SITE.has(fields.namespace) ? undefined : (fields.displayTitle ?? undefined),
    image: await mediaId(work, fields.image, "image", missing),
    ...Object.fromEntries(allowed),
    ...clearing("wiki", before, emptyIn(fields)),
  };
  return { json, missing: [...missing] };
}

function emptyIn(fields: WikiFields): readonly string[] {
  const empty: Readonly<Record<string, boolean>> = {
    image: fields.image === null,
    description: fields.description === "",
    info: fields.info.length === 0,
    suppliers: fields.suppliers.length === 0,
    documents: fields.documents.length === 0,
    table_of_contents: fields.tableOfContents !== true,
  };
  return Object.keys(empty).filter(
    (name) => empty[name] && (name === "image" || FIELDS[fields.namespace].includes(name)),
  );
}

type SetParent = CallOf<"set-parent">;

/** The body of this call is not public: this is the plainest form, used here only. */
export const setParent: Handler<SetParent> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined) return { written: [], missing: [call.wiki] };
  const parent = call.parent === null ? null : await context.idOf(call.parent);
  if (call.parent !== null && parent === undefined) {
    if (!context.moves(call.parent)) {
      work.report({
        code: "parent-not-moved",
        level: "loss",
        path: "parent",
        message: `Its parent ${call.parent} is not part of this load, so it stays at the top level.`,
        remedy: "Add the parent with --include.",
      });
    }
    return { written: [wiki], missing: [call.parent] };
  }
  return move(work, wiki, parent ?? null);
};

async function move(work: Work<SetParent>, wiki: Written, parent: string | null): Promise<Moved> {
  const { call, site, signal } = work;
  const path = pathOf(call.wiki, wiki.id);
  const moved = await sendMove(work, wiki, path, parent);
  if (moved === undefined) return { written: [wiki], missing: [] };
  const receipt = (json: unknown): Moved => ({
    written: [writtenWiki(call.wiki, json, wiki, moved.facts)],
    missing: [],
    ...openIf(moved),
  });
  if (objectIn(moved.json)["title"] !== undefined) return receipt(moved.json);
  // The answer may have no page: without its revision, the next edit sees a remote edit.
  const { json } = await site.client.get(path, { query: { unpatrolled: true } }, signal);
  return receipt(json);
}

type Moved = Omit<Receipt, "issues">;

/** undefined: the site has no such call or forbids it (403): a loss. */
async function sendMove(
  work: Work<SetParent>,
  wiki: Written,
  path: string,
  parent: string | null,
): Promise<Edited | undefined> {
  const put = {
    method: "PUT",
    path: `${path}/parent`,
    json: { parent },
    sends: { parent },
    written: wiki,
    headPath: path,
  } as const;
  const isDone = (current: unknown): boolean => parentIn(current) === parent;
  try {
    return await edit(work, { ...put, compared: "wiki", isDone });
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, ...NOT_AVAILABLE].includes(error.status)) throw error;
    work.report({
      code: "refused-by-site",
      level: "loss",
      path: "parent",
      message: `The target refused to move it ${parent === null ? "to the top level" : `below ${parent}`} (${error.status}).`,
      remedy: "Move it on the target by hand.",
    });
    return undefined;
  }
}

type FinishWiki = CallOf<"finish-wiki">;

/** Sets flags and page title, which only some accounts may set. */
export const finishWiki: Handler<FinishWiki> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined) {
    throw new FerryError(
      `${call.wiki} is not on the target yet, so guideferry cannot finish it. Correct its own failure, which is listed too, then run the same command again.`,
    );
  }
  const flagged = await set(work, wiki, "flags", { flags: call.flags });
  // Only a PATCH accepts it, and a new display title sets it again (api-facts 8.4).
  const titled =
    call.pageTitle === null ? flagged : await set(work, flagged.written, "pageTitle", { page_title: call.pageTitle });
  const open = flagged.open || titled.open;
  return { written: [titled.written], missing: [], ...openIf({ open, apart: titled.apart ?? flagged.apart }) };
};

interface Finished extends Pick<Edited, "open" | "apart"> {
  readonly written: Written;
}

/** A refusal (403, 422) is a loss. */
async function set(work: Work<FinishWiki>, written: Written, path: string, json: JsonObject): Promise<Finished> {
  const { call } = work;
  const place = pathOf(call.wiki, written.id);
  try {
    const patch = { method: "PATCH", path: place, json, written, compared: "wiki", headPath: place } as const;
    const { open, apart, ...edited } = await edit(work, patch);
    return { written: writtenWiki(call.wiki, edited.json, written, edited.facts), open, apart };
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, 422].includes(error.status)) throw error;
    work.report({
      code: "refused-by-site",
      level: "loss",
      path,
      message: `The target refused ${JSON.stringify(json)} (${error.status}).`,
      remedy: "Set it by hand with an account that is allowed to.",
    });
    return { written, open: false, apart: undefined };
  }
}
