import { bodyObject } from "./server/check.js";
import { type GuideRecord, guideKey } from "./state/guide.js";
import type { Site } from "./state/site.js";
import type { UserRecord } from "./state/user.js";
import { type Namespace, type WikiRecord, wikiKey } from "./state/wiki.js";
import { createGuide, deleteGuide, patchGuide, reviseGuide } from "./writes/guide-writes.js";
import { setParent } from "./writes/parent-write.js";
import { createStep, deleteStep, orderSteps, patchStep } from "./writes/step-writes.js";
import { alphabetically } from "./writes/tag-writes.js";
import { createWiki, deleteWiki, patchWiki } from "./writes/wiki-writes.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Another person's hands on the site: the same writes as over HTTP, with the same rules and a new revision each, but with
 * no request, no login and no revision to know. Bodies are those of the API. Throws for an id that is not there.
 */
export interface Editor {
  createGuide(body: Body): number;
  guide(guideid: number, body: Body): void;
  /** An edit that waits for approval: readers see it only with `unpatrolled`. */
  pendGuide(guideid: number, body: Body): void;
  setPublic(guideid: number, isPublic: boolean): void;
  deleteGuide(guideid: number): void;
  addStep(guideid: number, body: Body): number;
  step(guideid: number, stepid: number, body: Body): void;
  orderSteps(guideid: number, stepids: readonly number[]): void;
  deleteStep(guideid: number, stepid: number): void;
  setGuideTags(guideid: number, tags: readonly string[]): void;
  createWiki(body: Body): number;
  wiki(namespace: Namespace, title: string, body: Body): void;
  pendWiki(namespace: Namespace, title: string, body: Body): void;
  deleteWiki(namespace: Namespace, title: string): void;
  setParent(namespace: "CATEGORY" | "WIKI", title: string, parent: string | null): void;
  setWikiTags(namespace: Namespace, title: string, tags: readonly string[]): void;
  /** Empties the site of guides, wikis and media. */
  clear(): void;
}

/** Not a user of the table, so that `GET /users` does not show it. */
const OTHER_EDITOR: UserRecord = { userid: 999_999, username: "Other Editor", admin: true, loaded: {} };

export function createEditor(site: Site): Editor {
  return {
    ...guideHands(site),
    ...stepHands(site),
    ...wikiHands(site),
    clear: () => {
      const { images, videos, documents } = site.media;
      const tables = [site.guides, site.wikis, site.categoryParents, site.wikiParents, images, videos, documents];
      for (const table of [...tables, site.tags, site.comments]) table.clear();
    },
  };
}

function guideHands(site: Site) {
  const change = (guideid: number, fields: Partial<GuideRecord>) => {
    site.guides.set(guideKey(guideid), { ...guideAt(site, guideid), ...fields });
  };
  return {
    createGuide: (body) => createGuide(site, bodyObject(body), OTHER_EDITOR).guideid,
    guide: (guideid, body) => void patchGuide(site, guideAt(site, guideid), body, OTHER_EDITOR),
    pendGuide: (guideid, body) => {
      const approved = guideAt(site, guideid);
      const pending = patchGuide(site, approved, body, OTHER_EDITOR);
      change(guideid, approved);
      site.pendingGuides.set(guideid, pending);
    },
    setPublic: (guideid, isPublic) => {
      const guide = guideAt(site, guideid);
      reviseGuide(site, guide, { ...guide, public: isPublic });
    },
    deleteGuide: (guideid) => deleteGuide(site, guideAt(site, guideid).guideid),
    setGuideTags: (guideid, tags) => {
      change(guideid, { tags: known(site, tags).toSorted(alphabetically) });
    },
  } satisfies Partial<Editor>;
}

function stepHands(site: Site) {
  const stepAt = (guideid: number, stepid: number) =>
    found(
      guideAt(site, guideid).steps.find((step) => step.stepid === stepid),
      `step ${stepid} of guide ${guideid}`,
    );
  return {
    addStep: (guideid, body) => {
      const before = new Set(guideAt(site, guideid).steps.map((step) => step.stepid));
      const { steps } = createStep(site, guideAt(site, guideid), body, OTHER_EDITOR);
      return found(
        steps.find((step) => !before.has(step.stepid)),
        "the new step",
      ).stepid;
    },
    step: (guideid, stepid, body) =>
      void patchStep(site, guideAt(site, guideid), stepAt(guideid, stepid), body, OTHER_EDITOR),
    orderSteps: (guideid, stepids) => void orderSteps(site, guideAt(site, guideid), { stepids }),
    deleteStep: (guideid, stepid) => void deleteStep(site, guideAt(site, guideid), stepAt(guideid, stepid)),
  } satisfies Partial<Editor>;
}

function wikiHands(site: Site) {
  const wikiAt = (namespace: Namespace, title: string) =>
    found(site.wikis.get(wikiKey(namespace, title)), `wiki ${namespace}/${title}`);
  const store = (wiki: WikiRecord) => site.wikis.set(wikiKey(wiki.namespace, wiki.title), wiki);
  return {
    createWiki: (body) => createWiki(site, body, OTHER_EDITOR).wikiid,
    wiki: (namespace, title, body) => void patchWiki(site, wikiAt(namespace, title), body, OTHER_EDITOR),
    pendWiki: (namespace, title, body) => {
      const approved = wikiAt(namespace, title);
      const pending = patchWiki(site, approved, body, OTHER_EDITOR);
      store(approved);
      site.pendingWikis.set(pending.wikiid, pending);
    },
    deleteWiki: (namespace, title) => deleteWiki(site, wikiAt(namespace, title)),
    setParent: (namespace, title, parent) => void setParent(site, wikiAt(namespace, title), { parent }),
    setWikiTags: (namespace, title, tags) => void store({ ...wikiAt(namespace, title), tags: known(site, tags) }),
  } satisfies Partial<Editor>;
}

function guideAt(site: Site, guideid: number): GuideRecord {
  return found(site.guides.get(guideKey(guideid)), `guide ${guideid}`);
}

/** The tags, which the site has from now on. */
function known(site: Site, tags: readonly string[]): readonly string[] {
  for (const tag of tags) site.tags.add(tag);
  return tags;
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The sandbox has no ${what}.`);
  return value;
}
