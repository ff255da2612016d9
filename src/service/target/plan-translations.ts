import type { Loaded, Operation } from "../../core/contracts.js";
import type { WikiItem } from "../../core/model/item.js";
import type { WikiTranslation } from "../../core/model/wiki.js";
import { availableLanguages } from "../wire/available-languages.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan-options.js";

/** The translations of a page, and those that we made and that are gone at the source. */
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
          remove: fields === null && options.deletesGone === true,
        },
        needs: fields === null ? [] : options.mediaIn(fields.contents, "page"),
      },
      options.output,
    );
  return [
    ...translations.map((translation) => make(translation.language, translation)),
    ...goneIn(item, loaded, prefix).map((language) => make(language, null)),
  ];
}

/** One that was not asked for is not gone: only the page's own answer tells which there are. */
function goneIn({ body, raw }: WikiItem, loaded: Loaded, prefix: string): readonly string[] {
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
