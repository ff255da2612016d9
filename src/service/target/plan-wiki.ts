import type { Loaded, Operation } from "../../core/contracts.js";
import type { WikiFields } from "../../core/model/call.js";
import type { WikiItem } from "../../core/model/item.js";
import { type Key, wikiKey } from "../../core/model/key.js";
import { ownPageTitle, type Wiki } from "../../core/model/wiki.js";
import { operation } from "./operation.js";
import { planComments } from "./plan-comments.js";
import type { PlanOptions } from "./plan-options.js";
import { planTags } from "./plan-tags.js";
import { planTranslations } from "./plan-translations.js";

/** Contents, then the place in the tree, then tags, then flags. A page that was adopted is left alone. */
export function planWiki(item: WikiItem, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  if (loaded.written.get(item.key)?.adopted === true && options.onExisting !== "update") return [];
  const label = labelOf(item.body);
  const save = operation(
    {
      id: item.key,
      item: item.key,
      label,
      call: { verb: "save-wiki", wiki: item.key, fields: fieldsOf(item.body) },
      needs: mediaOf(item.body, options),
    },
    options.output,
  );
  return [
    save,
    ...planTranslations(item, loaded, label, options),
    ...parentOperation(item, loaded, label, options),
    ...planTags(item.key, label, item.body.tags, loaded, options),
    ...finishOperation(item, loaded, label, options),
    ...planComments(item, loaded, label, options),
  ];
}

function parentOperation(item: WikiItem, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  if (item.kind !== "category") return [];
  const id = `${item.key}/parent`;
  // A new category stands at the top already: only one that was moved away needs to be told so.
  if (item.body.parent === null && !loaded.operations.has(id)) return [];
  const parent = item.body.parent === null ? null : wikiKey("CATEGORY", item.body.parent);
  return [
    operation(
      { id, item: item.key, label: `${label}, its parent`, call: { verb: "set-parent", wiki: item.key, parent } },
      options.output,
    ),
  ];
}

function finishOperation(item: WikiItem, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  const id = `${item.key}/finish`;
  const pageTitle = ownPageTitle(item.body);
  if (item.body.flags.length === 0 && pageTitle === null && !loaded.operations.has(id)) return [];
  const call = { verb: "finish-wiki", wiki: item.key, flags: item.body.flags, pageTitle } as const;
  return [
    operation({ id, item: item.key, label: `${label}, flags and page title`, call, phase: "finish" }, options.output),
  ];
}

function mediaOf(wiki: Wiki, options: PlanOptions): readonly Key[] {
  const direct = wiki.image === null ? wiki.documents : [wiki.image, ...wiki.documents];
  return [...new Set([...direct, ...options.mediaIn(wiki.contents, "page")])];
}

function labelOf(wiki: Wiki): string {
  return wiki.namespace === "CATEGORY" ? `category "${wiki.title}"` : `${wiki.namespace} page "${wiki.title}"`;
}

function fieldsOf(wiki: Wiki): WikiFields {
  return {
    namespace: wiki.namespace,
    title: wiki.title,
    language: wiki.language,
    displayTitle: wiki.displayTitle,
    contents: wiki.contents,
    description: wiki.description,
    image: wiki.image,
    documents: wiki.documents,
    info: wiki.info,
    suppliers: wiki.suppliers,
    tableOfContents: wiki.tableOfContents,
  };
}
