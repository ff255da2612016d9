import type { Sandbox } from "../../src/sandbox/index.js";
import { stepBody } from "./small-sites.js";

/** Where a person works today. */
export interface At {
  readonly sandbox: Sandbox;
  /** One of them by chance; undefined: there is none. */
  readonly pick: <T>(list: readonly T[]) => T | undefined;
  readonly chance: (share: number) => boolean;
  /** Comments that are there; who makes or deletes one notes it. */
  readonly comments: Set<number>;
  /** Never the same twice. */
  readonly name: string;
}

interface Guide {
  readonly guideid: number;
  readonly title: string;
  readonly category: string;
  readonly introduction: string;
  readonly prerequisites: readonly number[];
  readonly public: boolean;
  readonly steps: readonly { readonly stepid: number; readonly media: { readonly type: string } }[];
}

/** So many stay, whatever is deleted. */
const FEWEST_GUIDES = 9;
const WORDS = ["Oil it", "Turn it", "Lift the lid", "Check twice", "Wind the warp"];
const TAGS = ["wood", "wool", "spring"];

/** What a person does on a day; false: it can't be done now. */
export const ACTS = {
  text: (at) => onGuide(at, ({ guideid }) => at.sandbox.edit.guide(guideid, { introduction: wordsOf(at) })),
  summary: (at) => onGuide(at, ({ guideid }) => at.sandbox.edit.guide(guideid, { summary: wordsOf(at) })),
  retitle: (at) => onGuide(at, ({ guideid }) => at.sandbox.edit.guide(guideid, { title: `Renamed guide ${at.name}` })),
  step: (at) =>
    onStep(at, (guide, stepid) =>
      at.sandbox.edit.step(guide, stepid, { lines: [{ text: wordsOf(at), bullet: "red", level: 0 }] }),
    ),
  newStep: (at) => onGuide(at, ({ guideid }) => void at.sandbox.edit.addStep(guideid, stepBody(1, wordsOf(at)))),
  deleteStep: (at) =>
    onGuide(at, ({ guideid, steps }) => {
      const step = at.pick(steps);
      if (step === undefined || steps.length < 2) return false;
      at.sandbox.edit.deleteStep(guideid, step.stepid);
      return true;
    }),
  orderSteps: (at) =>
    onGuide(at, ({ guideid, steps }) =>
      at.sandbox.edit.orderSteps(guideid, steps.map(({ stepid }) => stepid).toReversed()),
    ),
  image: (at) => onStep(at, (guide, stepid) => void at.sandbox.edit.exchangeImage(guide, stepid, `picture ${at.name}`)),
  /** The bytes of another one, under a number of its own. */
  sameImage: (at) => onStep(at, (guide, stepid) => void at.sandbox.edit.exchangeImage(guide, stepid, "picture 2")),
  newGuide: (at) => {
    const { edit } = at.sandbox;
    const category = at.pick(wikisOf(at, "CATEGORY")) ?? "Looms";
    const guide = edit.createGuide({
      category,
      type: "how-to",
      title: `New guide ${at.name}`,
      introduction: wordsOf(at),
    });
    const step = edit.addStep(guide, stepBody(1, wordsOf(at)));
    if (at.chance(0.5)) edit.exchangeImage(guide, step, `picture ${at.name}`);
    edit.setPublic(guide, at.chance(0.8));
    return true;
  },
  deleteGuide: (at) => {
    const gone = at.pick(guidesOf(at).filter(({ guideid }) => guideid !== 1));
    if (gone === undefined || guidesOf(at).length <= FEWEST_GUIDES) return false;
    forget(at, gone.guideid);
    at.sandbox.edit.deleteGuide(gone.guideid);
    return true;
  },
  restoreGuide: (at) => {
    const there = new Set(guidesOf(at).map(({ guideid }) => guideid));
    const last = Math.max(...there);
    const gone = at.pick(Array.from({ length: last }, (_, id) => id + 1).filter((id) => !there.has(id)));
    if (gone === undefined) return false;
    at.sandbox.edit.restoreGuide(gone);
    return true;
  },
  move: (at) =>
    onGuide(at, ({ guideid }) => at.sandbox.edit.moveGuide(guideid, at.pick(wikisOf(at, "CATEGORY")) ?? "Looms")),
  publish: (at) => onGuide(at, (guide) => at.sandbox.edit.setPublic(guide.guideid, !guide.public)),
  tags: (at) =>
    onGuide(at, ({ guideid }) =>
      at.sandbox.edit.setGuideTags(
        guideid,
        TAGS.filter(() => at.chance(0.5)),
      ),
    ),
  flags: (at) =>
    onGuide(at, ({ guideid }) =>
      at.sandbox.edit.setGuideFlags(guideid, at.chance(0.5) ? ["GUIDE_STARRED"] : ["GUIDE_IN_PROGRESS"]),
    ),
  prerequisite: (at) =>
    onGuide(at, ({ guideid }) => {
      const other = at.pick(guidesOf(at).filter((one) => one.guideid !== guideid));
      at.sandbox.edit.guide(guideid, { prerequisites: other === undefined ? [] : [other.guideid] });
    }),
  reference: (at) =>
    onGuide(at, ({ guideid }) => {
      const other = at.pick(guidesOf(at));
      at.sandbox.edit.guide(guideid, { introduction: `See [guide|${other?.guideid}|it] (${at.name}).` });
    }),
  release: (at) =>
    onGuide(at, ({ guideid }) => void at.sandbox.edit.releaseGuide(guideid, { title: `Release ${at.name}` })),
  comment: (at) =>
    onGuide(
      at,
      ({ guideid }) => void at.comments.add(at.sandbox.edit.comment("guide", guideid, `Comment ${at.name}.`)),
    ),
  changeComment: (at) => onComment(at, (id) => at.sandbox.edit.changeComment(id, `Other words ${at.name}.`)),
  deleteComment: (at) =>
    onComment(at, (id) => {
      at.sandbox.edit.deleteComment(id);
      at.comments.delete(id);
    }),
  newPage: (at) => void at.sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${at.name}`, contents: "New." }),
  page: (at) => onWiki(at, "WIKI", (title) => at.sandbox.edit.wiki("WIKI", title, { contents: wordsOf(at) })),
  pageTags: (at) => onWiki(at, "WIKI", (title) => at.sandbox.edit.setWikiTags("WIKI", title, [at.pick(TAGS) ?? ""])),
  deletePage: (at) => onWiki(at, "WIKI", (title) => at.sandbox.edit.deleteWiki("WIKI", title), 3),
  newCategory: (at) => {
    const title = `Category ${at.name}`;
    at.sandbox.edit.createWiki({ namespace: "CATEGORY", title, contents: "New." });
    if (at.chance(0.5)) at.sandbox.edit.setParent("CATEGORY", title, "Looms");
    return true;
  },
  category: (at) =>
    onWiki(at, "CATEGORY", (title) => at.sandbox.edit.wiki("CATEGORY", title, { contents: wordsOf(at) })),
  moveCategory: (at) => {
    at.sandbox.edit.setParent("CATEGORY", "Wheels", at.chance(0.5) ? "Looms" : null);
    return true;
  },
  deleteCategory: (at) => {
    const used = new Set(["Looms", "Dyes", "Wheels", ...guidesOf(at).map(({ category }) => category)]);
    const empty = at.pick(wikisOf(at, "CATEGORY").filter((title) => !used.has(title)));
    if (empty === undefined) return false;
    at.sandbox.edit.deleteWiki("CATEGORY", empty);
    return true;
  },
  row: (at) => void at.sandbox.edit.setRow("schedules", { title: `Schedule ${at.name}` }),
} as const satisfies Readonly<Record<string, (at: At) => unknown>>;

function guidesOf({ sandbox }: At): readonly Guide[] {
  const guides = sandbox.state().guides as unknown as readonly (Guide & { readonly langid: string })[];
  return guides.filter(({ langid }) => langid === "en");
}

function wikisOf({ sandbox }: At, namespace: string): readonly string[] {
  return sandbox.state().wikis.flatMap((wiki) => (wiki["namespace"] === namespace ? [String(wiki["title"])] : []));
}

function onGuide(at: At, work: (guide: Guide) => unknown): boolean {
  const guide = at.pick(guidesOf(at));
  return guide !== undefined && work(guide) !== false;
}

function onStep(at: At, work: (guide: number, stepid: number) => unknown): boolean {
  return onGuide(at, ({ guideid, steps }) => {
    const step = at.pick(steps);
    return step === undefined ? false : work(guideid, step.stepid);
  });
}

/** On one of the pages of a namespace, where more than so many are there. */
function onWiki(at: At, namespace: "WIKI" | "CATEGORY", work: (title: string) => unknown, moreThan = 0): boolean {
  const titles = wikisOf(at, namespace);
  const title = at.pick(titles);
  return title !== undefined && titles.length > moreThan && work(title) !== false;
}

function onComment(at: At, work: (commentid: number) => unknown): boolean {
  const id = at.pick([...at.comments]);
  return id !== undefined && work(id) !== false;
}

function wordsOf({ pick, name }: At): string {
  return `${pick(WORDS)} ${name}.`;
}

/** Nobody needs or mentions a guide any more. */
function forget(at: At, id: number): void {
  for (const { guideid, prerequisites, introduction } of guidesOf(at)) {
    at.sandbox.edit.guide(guideid, {
      prerequisites: prerequisites.filter((need) => need !== id),
      introduction: introduction.replaceAll(`[guide|${id}|`, "[https://example.com|"),
    });
  }
}
