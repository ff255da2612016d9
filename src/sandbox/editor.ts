import { addComment, changeComment, deleteComment } from "./routes/comments.js";
import { finishJobs } from "./routes/training.js";
import { bodyObject } from "./rules.js";
import { type Answer, textAt } from "./site/answer.js";
import {
  type GuideRecord,
  guideKey,
  type ImageRecord,
  type Namespace,
  type UserRecord,
  type WikiRecord,
  wikiKey,
} from "./site/records.js";
import type { RowKindName } from "./site/rows.js";
import type { StepLimits } from "./site/settings.js";
import type { Site } from "./site/site.js";
import type { TrainingJob, TrainingPlace } from "./site/training-jobs.js";
import { lineRecord } from "./views/guide.js";
import { SIZES } from "./views/media.js";
import {
  createGuide,
  deleteGuide,
  patchGuide,
  restoreGuide,
  reviseGuide,
  startGuideTranslation,
} from "./writes/guide.js";
import { addRelease } from "./writes/releases.js";
import { createStep, deleteStep, orderSteps, patchStep } from "./writes/step.js";
import { alphabetically } from "./writes/tags.js";
import { createWiki, deleteWiki, patchWiki, reviseWiki, setParent, startTranslation } from "./writes/wiki.js";

type Body = Answer;

/**
 * The edits of another person: the same rules, a new revision each, and no request. Bodies are
 * those of the API. Throws for an unknown id.
 */
export interface Editor {
  createGuide(body: Body): number;
  guide(guideid: number, body: Body): void;
  /** An edit that waits for approval: only `unpatrolled` shows it. */
  pendGuide(guideid: number, body: Body): void;
  setPublic(guideid: number, isPublic: boolean): void;
  moveGuide(guideid: number, category: string): void;
  /** Also flags that only the server sets. */
  setGuideFlags(guideid: number, flags: readonly string[]): void;
  setGuideTags(guideid: number, tags: readonly string[]): void;
  setViewers(
    guideid: number,
    viewers: { readonly users?: readonly number[]; readonly teams?: readonly number[] },
  ): void;
  /** Another title and texts, the first step overwritten, other steps and tags deleted. */
  vandaliseGuide(guideid: number): void;
  deleteGuide(guideid: number): void;
  /** In every language. */
  restoreGuide(guideid: number): void;
  /** Starts the language, or edits it. */
  translateGuide(guideid: number, langid: string, body: Body): void;
  /** In a language that the guide has. */
  translateStep(guideid: number, stepid: number, langid: string, body: Body): void;
  releaseGuide(guideid: number, fields?: Body): number;

  /** For later writes. */
  setStepLimits(limits: StepLimits): void;
  addStep(guideid: number, body: Body): number;
  step(guideid: number, stepid: number, body: Body): void;
  orderSteps(guideid: number, stepids: readonly number[]): void;
  deleteStep(guideid: number, stepid: number): void;
  /** Replaces a step's media with a new picture generated from the seed. Returns its id. */
  exchangeImage(guideid: number, stepid: number, seed: string): number;

  createWiki(body: Body): number;
  wiki(namespace: Namespace, title: string, body: Body): void;
  pendWiki(namespace: Namespace, title: string, body: Body): void;
  vandaliseWiki(namespace: Namespace, title: string): void;
  deleteWiki(namespace: Namespace, title: string): void;
  setParent(namespace: "CATEGORY" | "WIKI", title: string, parent: string | null): void;
  setWikiTags(namespace: Namespace, title: string, tags: readonly string[]): void;

  /** `only_released` shows this state of the page from now on. */
  releaseWiki(namespace: Namespace, title: string): void;
  /** Starts the language, or edits it. */
  translateWiki(namespace: Namespace, title: string, langid: string, body: Body): void;
  deleteTranslation(namespace: Namespace, title: string, langid: string): void;
  /** On a guide, step or wiki; with `parentid` a reply. Returns its id. */
  comment(context: string, contextid: number, text: string, parentid?: number): number;
  changeComment(commentid: number, text: string): void;
  /** `private`, `resolved` … (facts, 7). */
  setCommentStatus(commentid: number, status: string): void;
  deleteComment(commentid: number): void;
  /** A picture of 1024 x 768 generated from the seed, in this person's media manager. */
  newImage(seed: string): number;
  /** An embedded page in a person's media manager. Returns its objectid. */
  newEmbed(userid: number, url: string): number;
  createUser(email: string, fields?: Body): number;
  /** Adds or replaces a row of a family. Returns its number. */
  setRow(rows: RowKindName, fields: Body): number;
  removeRow(rows: RowKindName, id: number): void;
  clear(): void;
}

export function createEditor(site: Site): Editor {
  return {
    ...guideEditor(site),
    ...stepEditor(site),
    ...wikiEditor(site),
    ...commentEditor(site),
    setStepLimits: (limits) => {
      site.settings.stepLimits = limits;
    },
    newImage: (seed) => newImage(site, seed).id,
    newEmbed: (userid, url) => newEmbed(site, userid, url),
    createUser: (email, fields = {}) => createUser(site, email, fields),
    setRow: (rows, fields) => Number(site.rows[rows].put(fields)[site.rows[rows].id]),
    removeRow: (rows, id) => {
      if (!site.rows[rows].remove(id)) throw new Error(`The sandbox has no row ${id} of ${rows}.`);
    },
    clear: () => {
      const { images, videos, documents, embeds } = site.media;
      const tables = [
        site.guides,
        site.wikis,
        site.categoryParents,
        site.wikiParents,
        images,
        videos,
        documents,
        embeds,
        site.training.jobs,
      ];
      for (const table of [...tables, site.tags, site.comments, ...Object.values(site.rows)]) table.clear();
    },
  };
}

function guideEditor(site: Site) {
  const change = (guideid: number, fields: Partial<GuideRecord>) => {
    site.guides.set(guideKey(guideid), { ...guideAt(site, guideid), ...fields });
  };
  const revise = (guideid: number, fields: Partial<GuideRecord>) => {
    const guide = guideAt(site, guideid);
    reviseGuide(site, guide, { ...guide, ...fields });
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
    setPublic: (guideid, isPublic) => revise(guideid, { public: isPublic }),
    moveGuide: (guideid, category) => void patchGuide(site, guideAt(site, guideid), { category }, OTHER_EDITOR),
    setGuideFlags: (guideid, flags) => revise(guideid, { flags: [...new Set(flags)] }),
    setGuideTags: (guideid, tags) => {
      for (const tag of tags) site.tags.add(tag);
      change(guideid, { tags: tags.toSorted(alphabetically) });
    },
    setViewers: (guideid, viewers) => change(guideid, { viewers: { ...guideAt(site, guideid).viewers, ...viewers } }),
    vandaliseGuide: (guideid) => revise(guideid, vandalised(site, guideAt(site, guideid))),
    deleteGuide: (guideid) => deleteGuide(site, guideAt(site, guideid).guideid),
    restoreGuide: (guideid) => {
      for (const { langid } of [...site.guides.values()].filter(
        (one) => one.guideid === guideAt(site, guideid).guideid,
      )) {
        restoreGuide(site, guideid, langid);
      }
    },
    translateGuide: (guideid, langid, body) => {
      const translation = site.guides.get(guideKey(guideid, langid));
      if (translation === undefined) startGuideTranslation(site, guideAt(site, guideid), langid, body, OTHER_EDITOR);
      else patchGuide(site, translation, body, OTHER_EDITOR);
    },
    releaseGuide: (guideid, fields = {}) =>
      Number(addRelease(site, guideAt(site, guideid), fields, OTHER_EDITOR)["releaseid"]),
  } satisfies Partial<Editor>;
}

function stepEditor(site: Site) {
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
    translateStep: (guideid, stepid, langid, body) => {
      const guide = found(site.guides.get(guideKey(guideid, langid)), `guide ${guideid} in ${langid}`);
      const step = found(
        guide.steps.find((one) => one.stepid === stepid),
        `step ${stepid} of guide ${guideid} in ${langid}`,
      );
      patchStep(site, guide, step, body, OTHER_EDITOR);
    },
    orderSteps: (guideid, stepids) => void orderSteps(site, guideAt(site, guideid), { stepids }),
    deleteStep: (guideid, stepid) => void deleteStep(site, guideAt(site, guideid), stepAt(guideid, stepid)),
    exchangeImage: (guideid, stepid, seed) => {
      const media = { type: "image", data: [newImage(site, seed).id] };
      const step = patchStep(site, guideAt(site, guideid), stepAt(guideid, stepid), { media }, OTHER_EDITOR);
      return found(step.media.type === "image" ? step.media.ids[0] : undefined, "new image");
    },
  } satisfies Partial<Editor>;
}

function guideAt(site: Site, guideid: number): GuideRecord {
  return found(site.guides.get(guideKey(guideid)), `guide ${guideid}`);
}

function wikiEditor(site: Site) {
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

function commentEditor(site: Site) {
  const commentAt = (commentid: number) => found(site.comments.get(commentid), `comment ${commentid}`);
  return {
    comment: (context, contextid, text, parentid) => {
      const parent = parentid === undefined ? null : commentAt(parentid).commentid;
      return addComment(site, { context, contextid, text, parentid: parent }, OTHER_EDITOR).commentid;
    },
    changeComment: (commentid, text) => void changeComment(site, commentAt(commentid), text),
    setCommentStatus: (commentid, status) => void site.comments.set(commentid, { ...commentAt(commentid), status }),
    deleteComment: (commentid) => deleteComment(site, commentAt(commentid)),
  } satisfies Partial<Editor>;
}

export interface TrainingEditor {
  /** Plans the next job that matches the place. Plans are tried in the order of their creation. */
  next(job: TrainingJob, place?: TrainingPlace): void;
  /** Ends every running job, also endless ones. Waits for active downloads. */
  finish(): Promise<void>;
  clear(): void;
  readonly mostAtOnce: number;
}

export function trainingEditor(site: Site): TrainingEditor {
  return {
    next: (job, place = {}) => site.training.plan(job, place),
    finish: () => finishJobs(site),
    clear: () => site.training.clear(),
    get mostAtOnce() {
      return site.training.mostAtOnce();
    },
  };
}

function createUser(site: Site, email: string, fields: Body): number {
  const userid = Math.max(0, ...site.users.keys()) + 1;
  const username = textAt(fields, "username", email.replace(/@.*/, ""));
  site.users.set(userid, { userid, username, admin: false, loaded: { join_date: site.now(), ...fields } });
  site.rows.identities.put({ userid, email });
  return userid;
}

/** A picture that every field accepts, generated, in the other editor's media manager. */
function newImage(site: Site, seed: string): ImageRecord {
  const image: ImageRecord = {
    id: site.next("image"),
    guid: site.newGuid(),
    filename: `${seed}.png`,
    owner: OTHER_EDITOR.userid,
    inManager: true,
    date: site.now(),
    content: { from: "generator", make: "png", seed },
    loaded: {},
    reencoded: false,
    copyid: null,
    sizes: SIZES,
    originalSuffix: ".full",
    srcid: null,
    width: 1024,
    height: 768,
    markup: null,
  };
  site.media.images.set(image.id, image);
  return image;
}

/** Puts a page of another site into a person's media manager. Returns its objectid. */
function newEmbed(site: Site, userid: number, url: string): number {
  const id = site.next("video");
  const facts = { type: "video", version: "1.0", width: 560, height: 315, title: "A page elsewhere" };
  site.media.embeds.set(id, {
    id,
    guid: site.newGuid(),
    filename: url,
    owner: userid,
    inManager: true,
    date: site.now(),
    loaded: { embedid: id, objectid: id, url, html: `<iframe src="${url}"></iframe>`, ...facts },
  });
  return id;
}

const NONSENSE = "Nobody needs this page.";

function vandalised(site: Site, guide: GuideRecord): Partial<GuideRecord> {
  return {
    title: `${guide.title} IS NONSENSE`,
    summary: NONSENSE,
    introduction: NONSENSE,
    conclusion: "",
    parts: [],
    tools: [],
    documents: [],
    featuredDocument: null,
    tags: [],
    steps: guide.steps.slice(0, 1).map((step) => ({
      ...step,
      revisionid: site.next("revision"),
      title: NONSENSE,
      lines: [lineRecord(site, NONSENSE, "black", 0, 1)],
      media: { type: "image", ids: [] },
    })),
  };
}

function vandalisedWiki(): Pick<WikiRecord, "contents" | "description" | "image" | "tags"> {
  return { contents: NONSENSE, description: "", image: null, tags: [] };
}

/** The author of the edits of {@link Editor}; not in `GET /users`. */
const OTHER_EDITOR: UserRecord = { userid: 999_999, username: "Other Editor", admin: true, loaded: {} };

/** Throws for a missing value. */
function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The sandbox has no ${what}.`);
  return value;
}
