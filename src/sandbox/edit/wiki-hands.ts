import type { Site } from "../state/site.js";
import { type Namespace, type WikiRecord, wikiKey } from "../state/wiki.js";
import { setParent } from "../writes/parent-write.js";
import { createWiki, deleteWiki, patchWiki, reviseWiki, startTranslation } from "../writes/wiki-writes.js";
import type { Editor } from "./editor.js";
import { found, OTHER_EDITOR } from "./other-editor.js";
import { vandalisedWiki } from "./vandalised.js";

export function wikiHands(site: Site) {
  const wikiAt = (namespace: Namespace, title: string) =>
    found(site.wikis.get(wikiKey(namespace, title)), `wiki ${namespace}/${title}`);
  const store = (wiki: WikiRecord) => site.wikis.set(wikiKey(wiki.namespace, wiki.title), wiki);
  return {
    createWiki: (body) => createWiki(site, body, OTHER_EDITOR).wikiid,
    wiki: (namespace, title, body) => void patchWiki(site, wikiAt(namespace, title), body, OTHER_EDITOR),
    translateWiki: (namespace, title, langid, body) => {
      const translation = site.wikis.get(wikiKey(namespace, title, langid));
      if (translation === undefined) startTranslation(site, wikiAt(namespace, title), langid, body, OTHER_EDITOR);
      else patchWiki(site, translation, body, OTHER_EDITOR);
    },
    deleteTranslation: (namespace, title, langid) =>
      deleteWiki(site, found(site.wikis.get(wikiKey(namespace, title, langid)), `${namespace}/${title} in ${langid}`)),
    releaseWiki: (namespace, title) => {
      const wiki = wikiAt(namespace, title);
      site.releasedWikis.set(wiki.wikiid, wiki);
    },
    pendWiki: (namespace, title, body) => {
      const approved = wikiAt(namespace, title);
      const pending = patchWiki(site, approved, body, OTHER_EDITOR);
      store(approved);
      site.pendingWikis.set(pending.wikiid, pending);
    },
    vandaliseWiki: (namespace, title) => {
      const wiki = wikiAt(namespace, title);
      reviseWiki(site, wiki, { ...wiki, ...vandalisedWiki() });
    },
    deleteWiki: (namespace, title) => deleteWiki(site, wikiAt(namespace, title)),
    setParent: (namespace, title, parent) => void setParent(site, wikiAt(namespace, title), { parent }),
    setWikiTags: (namespace, title, tags) => {
      for (const tag of tags) site.tags.add(tag);
      store({ ...wikiAt(namespace, title), tags });
    },
  } satisfies Partial<Editor>;
}
