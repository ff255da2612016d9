import fc from "fast-check";
import type { Sandbox, SiteState } from "../../src/sandbox/index.js";
import { pngOf } from "./png.js";
import { post, stepBody, stepIds, upload } from "./small-sites.js";

/** Something that a vandal does. Numbers are taken modulo what is there. */
export interface Vandalism {
  readonly act: keyof typeof ACTS;
  readonly guide: number;
  readonly place: number;
  readonly text: string;
}

/** The userid of the sandbox's other editor. */
const VANDAL = 999_999;

interface At extends Omit<Vandalism, "act"> {
  readonly sandbox: Sandbox;
  readonly id: number;
  readonly steps: readonly number[];
  readonly step: number;
  readonly wiki: { readonly namespace: "WIKI" | "ITEM" | "CATEGORY"; readonly title: string };
}

const line = (text: string) => [{ text, bullet: "red", level: 0 }];

const ACTS = {
  title: ({ sandbox, id, text }: At) => sandbox.edit.guide(id, { title: text }),
  introduction: ({ sandbox, id, text }: At) => sandbox.edit.guide(id, { introduction: `${text} [guide|${id}|it]` }),
  prerequisites: ({ sandbox, id }: At) => sandbox.edit.guide(id, { prerequisites: [] }),
  parts: ({ sandbox, id, text }: At) => sandbox.edit.guide(id, { parts: [{ name: text }], tools: [] }),
  tags: ({ sandbox, id, text }: At) => sandbox.edit.setGuideTags(id, [text]),
  visibility: ({ sandbox, id, place }: At) => sandbox.edit.setPublic(id, place % 2 === 0),
  deleteGuide: ({ sandbox, id }: At) => sandbox.edit.deleteGuide(id),
  newGuide: ({ sandbox, wiki, text }: At) => {
    const [first] = sandbox.state().wikis.filter(({ namespace }) => namespace === "CATEGORY");
    const category = wiki.namespace === "CATEGORY" ? wiki.title : first?.["title"];
    sandbox.edit.createGuide({ category, type: "how-to", title: `Spam ${text}`, subject: "spam" });
  },
  step: ({ sandbox, id, step, text }: At) => {
    if (step !== 0) sandbox.edit.step(id, step, { title: text, lines: line(text) });
  },
  noPictures: ({ sandbox, id, step }: At) => {
    if (!showsEmbed(sandbox, id, step)) sandbox.edit.step(id, step, { media: { type: "image", data: [] } });
  },
  otherPicture: async ({ sandbox, id, step, place }: At) => {
    if (showsEmbed(sandbox, id, step)) return;
    const image = await upload(sandbox, "images", `spam${place}.png`, pngOf(800, 600, place));
    const guide = await read(sandbox, `guides/${id}`);
    const steps = guide["steps"] as readonly { readonly stepid: number; readonly revisionid: number }[];
    const revision = steps.find(({ stepid }) => stepid === step)?.revisionid;
    const body = { media: { type: "image", data: [image] } };
    await post(sandbox, `guides/${id}/steps/${step}?revisionid=${revision}`, body, "PATCH");
  },
  newStep: ({ sandbox, id, steps, place, text }: At) => {
    sandbox.edit.addStep(id, stepBody(1 + (place % (steps.length + 1)), text));
  },
  deleteStep: ({ sandbox, id, step, steps }: At) => {
    if (steps.length > 1 && !showsEmbed(sandbox, id, step)) sandbox.edit.deleteStep(id, step);
  },
  order: ({ sandbox, id, steps }: At) => sandbox.edit.orderSteps(id, steps.toReversed()),
  wiki: ({ sandbox, wiki, text }: At) => sandbox.edit.wiki(wiki.namespace, wiki.title, { contents: text }),
  wikiTitle: ({ sandbox, wiki, text }: At) => sandbox.edit.wiki(wiki.namespace, wiki.title, { display_title: text }),
  wikiTags: ({ sandbox, wiki, text }: At) => sandbox.edit.setWikiTags(wiki.namespace, wiki.title, [text]),
  deleteWiki: ({ sandbox, wiki }: At) => {
    if (wiki.namespace !== "CATEGORY") sandbox.edit.deleteWiki(wiki.namespace, wiki.title);
  },
  newWiki: ({ sandbox, place, text }: At) => {
    const title = `Spam ${place} ${text}`;
    if (sandbox.state().wikis.some((wiki) => wiki["title"] === title)) return;
    sandbox.edit.createWiki({ namespace: "WIKI", title, contents: text });
  },
  moveCategory: ({ sandbox, wiki }: At) => {
    if (wiki.namespace === "CATEGORY") sandbox.edit.setParent("CATEGORY", wiki.title, null);
  },
} as const satisfies Readonly<Record<string, (at: At) => unknown>>;

/** A night of vandalism. */
export const vandalism: fc.Arbitrary<readonly Vandalism[]> = fc.array(
  fc.record({
    act: fc.constantFrom(...(Object.keys(ACTS) as readonly (keyof typeof ACTS)[])),
    guide: fc.nat(99),
    place: fc.nat(99),
    text: fc.constantFrom("pwned", "Buy wool", "x"),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Lets the vandal do it. */
export async function vandalise(sandbox: Sandbox, { act, ...rest }: Vandalism): Promise<void> {
  const { guides, wikis } = sandbox.state();
  const sources = guides.filter((guide) => guide["langid"] === "en");
  const id = Number(sources[rest.guide % sources.length]?.["guideid"] ?? 0);
  const pages = wikis.filter((wiki) => ["WIKI", "ITEM", "CATEGORY"].includes(String(wiki["namespace"])));
  const page = pages[rest.guide % pages.length] ?? {};
  const steps = stepIds(sandbox, id);
  const step = steps[rest.place % Math.max(1, steps.length)] ?? 0;
  await ACTS[act]({ ...rest, sandbox, id, steps, step, wiki: page as unknown as At["wiki"] });
}

/** No call puts an embedded page in again. There is no step 0. */
function showsEmbed(sandbox: Sandbox, id: number, step: number): boolean {
  const guide = sandbox.state().guides.find((one) => one["guideid"] === id);
  const steps = (guide?.["steps"] ?? []) as readonly {
    readonly stepid: number;
    readonly media: { readonly type: string };
  }[];
  return step === 0 || steps.find(({ stepid }) => stepid === step)?.media.type === "kept";
}

async function read(sandbox: Sandbox, path: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${sandbox.url}/${path}`, { headers: { authorization: `api ${sandbox.token}` } });
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

/**
 * The named state of a site as far as a restore can bring it back: without what is newer, the order
 * of siblings, and what the site keeps by itself (tags that nobody uses, ids and authors of pages
 * that were made again, copies in media managers).
 */
export function restorable({ guides, wikis, hierarchy, comments }: SiteState): unknown {
  const isSpam = (title: unknown): boolean => String(title).startsWith("Spam ");
  const state = {
    // A step that was deleted is made anew with another number.
    guides: guides
      .filter((guide) => guide["author"] !== VANDAL)
      // The sample has an answer for German that is in English: no reader ever sees it.
      .filter(({ guideid, langid }, index, all) => {
        return all.findIndex((one) => one["guideid"] === guideid && one["langid"] === langid) === index;
      })
      .map((guide) => ({ ...guide, steps: withoutNumbers(guide["steps"]) })),
    wikis: wikis
      .filter(({ title, namespace, author }) => !isSpam(title) && !(namespace === "ITEM" && author === VANDAL))
      .map(({ author: _author, wikiid: _wikiid, displayTitle, pageTitle, ...wiki }) => ({
        pageTitle: pageTitle === wiki["title"] || pageTitle === displayTitle ? "" : pageTitle,
        ...wiki,
        displayTitle: displayTitle ?? wiki["title"],
      }))
      .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
    hierarchy: Object.fromEntries(Object.entries(hierarchy).map(([title, below]) => [title, below.toSorted()])),
    // One on a step or page that was made anew stays with the one that is gone.
    comments: comments.map(({ stepContext: _step, wikiContext: _wiki, ...comment }) => comment),
  };
  const text = JSON.stringify(state)
    // A second upload has a part of its hash in its name.
    .replaceAll(/-[0-9a-f]{12}(?=\.[a-z0-9]+")/g, "")
    // A bullet of the site's own is known by its number; which name stands beside it after an edit
    // is the sandbox's choice.
    .replaceAll('"bullet":"custom"', '"bullet":"yellow"');
  return JSON.parse(text);
}

function nameOf({ namespace, title, langid }: Readonly<Record<string, unknown>>): string {
  return `${namespace}/${title}/${langid}`;
}

function withoutNumbers(steps: unknown): unknown {
  return (steps as readonly Readonly<Record<string, unknown>>[]).map(({ stepid: _stepid, ...step }) => step);
}
