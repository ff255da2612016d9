import { FerryError, StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import type { WikiItem, WikiTranslation } from "../../core/model/item.js";
import { type Key, wikiOf } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { objectIn } from "../../core/util/json.js";
import type { Loaded, Operation, Receipt, Written } from "../../core/writing.js";
import { carries, writtenDigest } from "../wire/compared-fields.js";
import { revisionIn, tokensIn } from "../wire/revision.js";
import { availableLanguages } from "../wire/shared-fields.js";
import { writable } from "../wire/writable.js";
import type { Handler, Work } from "./context.js";
import { pathOf } from "./identity.js";
import { pageTranslation } from "./losses.js";
import { operation, type PlanOptions } from "./planned-operation.js";
import { putTranslation, remoteEditError, type TranslationPlace, writtenTranslationNow } from "./put-translation.js";
import { writeText } from "./texts.js";
import { PAGE_TRANSLATIONS_MEMO } from "./trials.js";
import { type WrittenTranslation, writtenTranslationIn, writtenWiki } from "./written-body.js";

/** The translations of a page, and loaded ones that were deleted at the source. */
export function planTranslations(
  item: WikiItem,
  loaded: Loaded,
  label: string,
  options: PlanOptions,
): readonly Operation[] {
  const prefix = `${item.key}/translation/`;
  const translations = options.takesPages?.() === false ? [] : (item.body.translations ?? []);
  const make = (language: string, fields: WikiTranslation | null): Operation =>
    operation(
      {
        id: `${prefix}${language}`,
        item: item.key,
        label: `${label}, its translation into ${language}`,
        call: {
          verb: "save-translation",
          wiki: item.key,
          language,
          fields: fields === null ? null : fieldsOf(fields),
          remove: fields === null && options.deletesRemoved === true,
        },
        needs: fields === null ? [] : options.mediaIn(fields.contents, "page"),
      },
      options.output,
    );
  return [
    ...translations.map((translation) => make(translation.language, translation)),
    ...deletedLanguages(item, loaded, prefix).map((language) => make(language, null)),
  ];
}

/** Only the page's own answer shows which translations exist. */
function deletedLanguages({ body, raw }: WikiItem, loaded: Loaded, prefix: string): readonly string[] {
  const there = availableLanguages(raw);
  if (there === undefined) return [];
  const known = new Set([...there, ...(body.translations ?? []).map(({ language }) => language)]);
  return [...loaded.operations.keys()]
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length))
    .filter((language) => !known.has(language));
}

function fieldsOf({ displayTitle, contents, description, pageTitle }: WikiTranslation) {
  return { displayTitle, contents, description, pageTitle };
}

type Translating = Work<CallOf<"save-translation">>;
type Result = Omit<Receipt, "issues">;

const NOTHING: Result = { written: [], missing: [] };
/** Not resolved: the next run tries again. */
const OPEN: Result = { ...NOTHING, open: true };

/**
 * Creates or edits the translation of a page: PATCH with a `langid` (api-facts 8.1). One that
 * somebody else created stays, unless `--on-existing` or `--on-conflict` is `update`.
 */
export const saveTranslation: Handler<CallOf<"save-translation">> = async (work) => {
  const { call, context, operation } = work;
  const page = await context.written(call.wiki);
  if (page === undefined || page.adopted) return OPEN;
  const place = placeOf(work, page);
  const left = writtenTranslationIn(await context.recall(operation.id));
  if (call.fields === null) return left === undefined ? NOTHING : deleteOrKeep(work, place, left);
  if (work.site.takesPages() === false) return notSent(work);
  const missing = new Set<Key>();
  const json = await bodyOf(work, call.fields, missing);
  const found = left === undefined ? await readTranslation(work, place.path) : await ownText(work, place.path);
  const existing = left ?? existingPageTranslation(work, place, json, { page, current: found });
  if (existing === undefined) return OPEN;
  try {
    const answer = await putTranslation(work, place, json, existing);
    if (!(await isTranslation(place, answer))) return await putPageBack(work, { place, page, json, answer, found });
    await noteTranslation(work, place, answer);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    reportRefusedTranslation(work, error);
  }
  return { written: [], missing: [...missing] };
};

/** These have their own names and no description (api-facts 8.3, 8.4). */
const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);

async function bodyOf(
  work: Translating,
  { displayTitle, contents, description, pageTitle }: NonNullable<Translating["call"]["fields"]>,
  missing: Set<Key>,
): Promise<JsonObject> {
  const personal = PERSONAL.has(wikiOf(work.call.wiki).namespace);
  const json: JsonObject = {
    contents: await writeText(work, contents, { where: "page", path: pathIn(work, "contents") }, missing),
    display_title: personal || displayTitle === null ? undefined : displayTitle,
    description: personal ? undefined : description,
    page_title: pageTitle === null || pageTitle === "" || pageTitle === displayTitle ? undefined : pageTitle,
  };
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** The translation before the first write. undefined: somebody else created it, and it stays. */
function existingPageTranslation(
  work: Translating,
  place: TranslationPlace,
  json: JsonObject,
  { page, current }: { readonly page: Written; readonly current: unknown },
): WrittenTranslation | undefined {
  const { site, call } = work;
  // There is none: it starts from the page's revision (api-facts 8.1) and overwrites nothing.
  if (!isInLanguage(call.language, current))
    return { revision: revisionIn(current) ?? page.revision, left: "", isNew: true };
  if (carries("wiki", current, json) || site.onExisting === "update") return writtenTranslationNow(place, current);
  if (site.onExisting === "fail")
    throw new FerryError(
      `${work.operation.label} already exists at ${site.client.root}, and guideferry did not create it. Choose --on-existing adopt (keep it) or --on-existing update (replace it with the source's).`,
    );
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: pathIn(work),
    message: `${work.operation.label}: somebody else created one at ${site.client.root}, and it was kept.`,
    remedy: "To replace it with the source's translation, run again with --on-existing update.",
  });
  return undefined;
}

async function readTranslation({ site, call, signal }: Translating, path: string): Promise<unknown> {
  const query = { langid: call.language, unpatrolled: true } as const;
  const { status, json } = await site.client.get(path, { query, expect: [404] }, signal);
  return status === 404 ? undefined : json;
}

/** The page in its own language, to restore it if the site ignores the language. */
async function ownText({ site, signal }: Translating, path: string): Promise<unknown> {
  if (site.takesPages() === true) return undefined;
  const { status, json } = await site.client.get(path, { query: { unpatrolled: true }, expect: [404] }, signal);
  return status === 404 ? undefined : json;
}

/** Did the write reach the translation? An answer without a language is checked by a read. */
async function isTranslation(place: TranslationPlace, answer: unknown): Promise<boolean> {
  if (place.isIn(answer)) return true;
  return objectIn(answer)["langid"] === undefined && (await place.look()) !== undefined;
}

interface Overwriting {
  readonly place: TranslationPlace;
  readonly page: Written;
  readonly json: JsonObject;
  readonly answer: unknown;
  /** The page before the write; undefined: as the last write left it. */
  readonly found: unknown;
}

/**
 * The site ignored the language and replaced the page: restores its text, and sends no more
 * translations to this site, in this run or a later one.
 */
async function putPageBack(work: Translating, { place, page, json, answer, found }: Overwriting): Promise<Result> {
  const { site, call, context, signal } = work;
  site.refusePages();
  const says =
    "the site ignores the language of a write: a translation replaced a page, and guideferry restored the text of the page";
  await context.remember(PAGE_TRANSLATIONS_MEMO, JSON.stringify({ isTaken: false, says, probing: null }));
  const earlier = found === undefined ? ((await context.left(call.wiki)) ?? {}) : writable("wiki", found);
  const body = Object.fromEntries(Object.keys(json).map((name) => [name, earlier[name] ?? ""]));
  await context.keep(call.wiki, { id: page.id, body: earlier }, body);
  const revisionid = tokensIn(revisionIn(answer))[0]?.value ?? 0;
  const patch = { method: "PATCH", path: place.path, query: { revisionid }, json: body, expect: [409] } as const;
  const { status, json: back } = await site.client.send(patch, signal);
  if (status === 409 || !carries("wiki", back, body))
    throw new FerryError(
      `${work.operation.label}: ${site.client.root} ignored the language, so the translation replaced the page ${page.id}. guideferry could not restore its text (answered ${status}). ` +
        "Restore the page to its previous revision in its history on the site. guideferry sends no further translation of a page there.",
    );
  work.report(pageTranslationLost(call.language));
  return { written: [writtenWiki(call.wiki, back, page)], missing: [], open: true };
}

function notSent(work: Translating): Result {
  work.report(pageTranslationLost(work.call.language));
  return OPEN;
}

function pageTranslationLost(language: string) {
  return { level: "loss", ...pageTranslation(language) } as const;
}

async function deleteOrKeep(work: Translating, place: TranslationPlace, left: WrittenTranslation): Promise<Result> {
  const { site, call, context, signal, operation } = work;
  if (!call.remove) {
    const message = `Its translation into ${call.language} was deleted at the source and stays on the target.`;
    const remedy = "Delete it by hand, or run again with --delete-removed.";
    work.report({ code: "translation-gone", level: "note", path: pathIn(work), message, remedy });
    return NOTHING;
  }
  const { path } = place;
  const current = await readTranslation(work, path);
  // Without the language, the request would delete the page itself.
  if (isInLanguage(call.language, current)) {
    if (writtenDigest("wiki", current) !== left.left) throw remoteEditError(work, current, "it was not deleted");
    const remoteTranslation = { id: call.language, body: writable("wiki", current) };
    await context.keep(`translation/${call.language}/${call.wiki}`, remoteTranslation, { deleted: true });
    const revisionid = tokensIn(revisionIn(current))[0]?.value ?? 0;
    const query = { langid: call.language, revisionid };
    const answer = await site.client.send({ method: "DELETE", path, query, json: {}, expect: [404, 409] }, signal);
    if (answer.status === 409 && isInLanguage(call.language, answer.json))
      throw remoteEditError(work, answer.json, "it was not deleted");
  }
  await context.remember(operation.id, "");
  return NOTHING;
}

function reportRefusedTranslation(work: Translating, error: StatusError): void {
  work.report({
    code: "translation-refused",
    level: "loss",
    path: pathIn(work),
    message: `Its translation into ${work.call.language} was left out: the site refused it. ${error.message}`,
    remedy: "Enable the language on the target. guideferry sends the translation again when it changes at the source.",
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
      const current = await readTranslation(work, path);
      return isInLanguage(call.language, current) ? current : undefined;
    },
    isIn: (json) => isInLanguage(call.language, json),
    digest: (json) => writtenDigest("wiki", json),
    carries: (json, sent) => carries("wiki", json, sent),
    body: (json) => writable("wiki", json),
  };
}

function isInLanguage(language: string, json: unknown): boolean {
  return objectIn(json)["langid"] === language;
}

async function noteTranslation(
  { context, operation }: Translating,
  place: TranslationPlace,
  json: unknown,
): Promise<void> {
  await context.remember(operation.id, JSON.stringify(writtenTranslationNow(place, json)));
}

function pathIn({ call }: Translating, field?: string): string {
  const path = `translations.${call.language}`;
  return field === undefined ? path : `${path}.${field}`;
}
