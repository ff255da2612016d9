import type { Receipt, Written } from "../../../core/contracts.js";
import { FerryError, StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { type Key, wikiOf } from "../../../core/model/key.js";
import { carries, leftDigest } from "../../wire/write/compared.js";
import { revisionIn, tokensIn } from "../../wire/write/revision.js";
import { writable } from "../../wire/write/writable.js";
import { asJson, wikiAsLeft } from "../as-left.js";
import { pageTranslation } from "../losses.js";
import { PAGE_TRANSLATIONS_MEMO } from "../page-trial.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";
import {
  type LeftTranslation,
  leftIn,
  putTranslation,
  stateOf,
  type TranslationPlace,
  theirs,
} from "../put-translation.js";
import { writeText } from "../write-text.js";

type Translating = Work<CallOf<"save-translation">>;
type Json = Readonly<Record<string, unknown>>;
type Result = Omit<Receipt, "issues">;

const NOTHING: Result = { written: [], missing: [] };
/** What stands there is not as we left it, and nobody has resolved that: the next run looks again. */
const OPEN: Result = { ...NOTHING, open: true };

/**
 * Starts the translation of a page, or changes ours: PATCH with a `langid` (api-facts 8.1). As careful as with the page itself: one that others
 * made or edited is theirs, unless `--on-existing` or `--on-conflict` is `update`.
 */
export const saveTranslation: Handler<CallOf<"save-translation">> = async (work) => {
  const { call, context, operation } = work;
  const page = await context.written(call.wiki);
  if (page === undefined || page.adopted) return OPEN;
  const place = placeOf(work, page);
  const left = leftIn(await context.recall(operation.id));
  if (call.fields === null) return left === undefined ? NOTHING : gone(work, place, left);
  if (work.desk.takesPages() === false) return notSent(work);
  const missing = new Set<Key>();
  const json = await bodyOf(work, call.fields, missing);
  const found = left === undefined ? await present(work, place.path) : await ownText(work, place.path);
  const standing = left ?? standsThere(work, place, json, { page, current: found });
  if (standing === undefined) return OPEN;
  try {
    const answer = await putTranslation(work, place, json, standing);
    if (!(await isTranslation(place, answer))) return await putPageBack(work, { place, page, json, answer, found });
    await note(work, place, answer);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    refused(work, error);
  }
  return { written: [], missing: [...missing] };
};

/** People and teams go by their own names, and their pages have no description (api-facts 8.3, 8.4). */
const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);

async function bodyOf(
  work: Translating,
  { displayTitle, contents, description, pageTitle }: NonNullable<Translating["call"]["fields"]>,
  missing: Set<Key>,
): Promise<Json> {
  const personal = PERSONAL.has(wikiOf(work.call.wiki).namespace);
  const json: Json = {
    contents: await writeText(work, contents, "page", pathIn(work, "contents"), missing),
    display_title: personal || displayTitle === null ? undefined : displayTitle,
    description: personal ? undefined : description,
    page_title: pageTitle === null || pageTitle === "" || pageTitle === displayTitle ? undefined : pageTitle,
  };
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** What there is of the page in this language, before our first write of it. undefined: it is somebody's and stays. */
function standsThere(
  work: Translating,
  place: TranslationPlace,
  json: Json,
  { page, current }: { readonly page: Written; readonly current: unknown },
): LeftTranslation | undefined {
  const { desk, call } = work;
  // None: it starts from the page, whose revision is asked for (api-facts 8.1). There is nothing that it could overwrite.
  if (!isIn(call.language, current)) return { revision: revisionIn(current) ?? page.revision, left: "", isNew: true };
  if (carries("wiki", current, json) || desk.onExisting === "update") return stateOf(place, current);
  if (desk.onExisting === "fail")
    throw new FerryError(
      `${work.operation.label} exists at ${desk.client.root} already and is not ours. Choose --on-existing adopt (leave it) or update (put the source's over it).`,
    );
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: pathIn(work),
    message: `${work.operation.label}: somebody made one at ${desk.client.root}, and it was left as it is there.`,
    remedy: "To put the source's over it, run again with --on-existing update.",
  });
  return undefined;
}

async function present({ desk, call, signal }: Translating, path: string): Promise<unknown> {
  const query = { langid: call.language, unpatrolled: true } as const;
  const { status, json } = await desk.client.get(path, { query, expect: [404] }, signal);
  return status === 404 ? undefined : json;
}

/** The page in its own language, to be put back if the site ignores the language; not asked for where a probe showed that it does not. */
async function ownText({ desk, signal }: Translating, path: string): Promise<unknown> {
  if (desk.takesPages() === true) return undefined;
  const { status, json } = await desk.client.get(path, { query: { unpatrolled: true }, expect: [404] }, signal);
  return status === 404 ? undefined : json;
}

/** Was the translation written, and not the page? An answer that names no language is checked by a look. */
async function isTranslation(place: TranslationPlace, answer: unknown): Promise<boolean> {
  if (place.isIn(answer)) return true;
  return asJson(answer)["langid"] === undefined && (await place.look()) !== undefined;
}

interface Overwriting {
  readonly place: TranslationPlace;
  readonly page: Written;
  /** What was sent. */
  readonly json: Json;
  readonly answer: unknown;
  /** The page before the write; undefined: as our last write left it. */
  readonly found: unknown;
}

/**
 * The site ignored the language and wrote the translation over the page: the earlier text goes back at once, and no further translation is sent
 * to this site, in this run or a later one.
 */
async function putPageBack(work: Translating, { place, page, json, answer, found }: Overwriting): Promise<Result> {
  const { desk, call, context, signal } = work;
  desk.refusePages();
  const says = "the site ignores the language of a write: a translation replaced a page, whose text was put back";
  await context.remember(PAGE_TRANSLATIONS_MEMO, JSON.stringify({ isTaken: false, says, probing: null }));
  const earlier = found === undefined ? ((await context.left(call.wiki)) ?? {}) : writable("wiki", found);
  const body = Object.fromEntries(Object.keys(json).map((name) => [name, earlier[name] ?? ""]));
  await context.keep(call.wiki, { id: page.id, body: earlier }, body);
  const revisionid = tokensIn(revisionIn(answer))[0]?.value ?? 0;
  const patch = { method: "PATCH", path: place.path, query: { revisionid }, json: body, expect: [409] } as const;
  const { status, json: back } = await desk.client.send(patch, signal);
  if (status === 409 || !carries("wiki", back, body))
    throw new FerryError(
      `${work.operation.label}: ${desk.client.root} ignored the language and put the translation over the page ${page.id}, and its earlier text could not be put back (answered ${status}). ` +
        "Put the page back to its earlier revision in its history at the site. No further translation of a page is sent there.",
    );
  work.report(pageTranslationLost(call.language));
  return { written: [wikiAsLeft(call.wiki, back, page)], missing: [], open: true };
}

function notSent(work: Translating): Result {
  work.report(pageTranslationLost(work.call.language));
  return OPEN;
}

function pageTranslationLost(language: string) {
  return { level: "loss", ...pageTranslation(language) } as const;
}

/** Gone at the source: it stays, or is deleted as we left it. */
async function gone(work: Translating, place: TranslationPlace, left: LeftTranslation): Promise<Result> {
  const { desk, call, context, signal, operation } = work;
  if (!call.remove) {
    const message = `Its translation into ${call.language} is gone at the source and stays here.`;
    const remedy = "Delete it by hand, or run again with --delete-gone.";
    work.report({ code: "translation-gone", level: "note", path: pathIn(work), message, remedy });
    return NOTHING;
  }
  const { path } = place;
  const current = await present(work, path);
  // Without it the page itself would be meant, and deleted.
  if (isIn(call.language, current)) {
    if (leftDigest("wiki", current) !== left.left) throw theirs(work, current, "not deleted");
    const standing = { id: call.language, body: writable("wiki", current) };
    await context.keep(`translation/${call.language}/${call.wiki}`, standing, { deleted: true });
    const revisionid = tokensIn(revisionIn(current))[0]?.value ?? 0;
    const query = { langid: call.language, revisionid };
    const answer = await desk.client.send({ method: "DELETE", path, query, json: {}, expect: [404, 409] }, signal);
    if (answer.status === 409 && isIn(call.language, answer.json)) throw theirs(work, answer.json, "not deleted");
  }
  await context.remember(operation.id, "");
  return NOTHING;
}

function refused(work: Translating, error: StatusError): void {
  work.report({
    code: "translation-refused",
    level: "loss",
    path: pathIn(work),
    message: `Its translation into ${work.call.language} is not carried: the site refused it. ${error.message}`,
    remedy: "Switch the language on at the target. The translation is sent again when it changes at the source.",
  });
}

function placeOf(work: Translating, page: Written): TranslationPlace {
  const { call } = work;
  const path = pathOf(call.wiki, page.id);
  return {
    path,
    language: call.language,
    thing: `translation/${call.language}/${call.wiki}`,
    look: async () => {
      const current = await present(work, path);
      return isIn(call.language, current) ? current : undefined;
    },
    isIn: (json) => isIn(call.language, json),
    digest: (json) => leftDigest("wiki", json),
    carries: (json, sent) => carries("wiki", json, sent),
    body: (json) => writable("wiki", json),
  };
}

function isIn(language: string, json: unknown): boolean {
  return asJson(json)["langid"] === language;
}

async function note({ context, operation }: Translating, place: TranslationPlace, json: unknown): Promise<void> {
  await context.remember(operation.id, JSON.stringify(stateOf(place, json)));
}

function pathIn({ call }: Translating, field?: string): string {
  const path = `translations.${call.language}`;
  return field === undefined ? path : `${path}.${field}`;
}
