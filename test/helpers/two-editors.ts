import type { Sandbox } from "../../src/sandbox/index.js";
import { stepBody } from "./small-sites.js";

/** What somebody does at a site; places are taken modulo what is there. */
export interface Edit {
  readonly act: keyof typeof ACTS;
  readonly guide: number;
  readonly step: number;
}

/** Where, and the word that the edit leaves: no other text has it. */
interface At {
  readonly sandbox: Sandbox;
  readonly word: string;
  readonly id: number;
  readonly steps: readonly number[];
  readonly stepid: number | undefined;
}

const line = (text: string) => [{ text, bullet: "black", level: 0 }];

/**
 * What the word of an edit stands in: a field of something that both sides know, or something that
 * only who made it knows.
 */
type Leaves = "field" | "own" | "nothing";

export const ACTS = {
  summary: ({ sandbox, id, word }: At): Leaves => {
    sandbox.edit.guide(id, { summary: word });
    return "field";
  },
  introduction: ({ sandbox, id, word }: At): Leaves => {
    sandbox.edit.guide(id, { introduction: word });
    return "field";
  },
  step: ({ sandbox, id, stepid, word }: At): Leaves => {
    if (stepid === undefined) return "nothing";
    sandbox.edit.step(id, stepid, { lines: line(word) });
    return "field";
  },
  addStep: ({ sandbox, id, word, steps }: At): Leaves => {
    sandbox.edit.addStep(id, stepBody(steps.length + 1, word));
    return "own";
  },
  addFirstStep: ({ sandbox, id, word }: At): Leaves => {
    sandbox.edit.addStep(id, stepBody(1, word));
    return "own";
  },
  deleteStep: ({ sandbox, id, stepid, steps }: At): Leaves => {
    if (stepid !== undefined && steps.length > 1) sandbox.edit.deleteStep(id, stepid);
    return "nothing";
  },
  orderSteps: ({ sandbox, id, steps }: At): Leaves => {
    sandbox.edit.orderSteps(id, steps.toReversed());
    return "nothing";
  },
  tag: ({ sandbox, id, word }: At): Leaves => {
    sandbox.edit.setGuideTags(id, [...tagsOf(sandbox, id), word]);
    return "own";
  },
  publish: ({ sandbox, id }: At): Leaves => {
    sandbox.edit.setPublic(id, true);
    return "nothing";
  },
  hide: ({ sandbox, id }: At): Leaves => {
    sandbox.edit.setPublic(id, false);
    return "nothing";
  },
  page: ({ sandbox, word }: At): Leaves => {
    const page = sandbox.state().wikis.find(({ namespace }) => namespace === "WIKI");
    if (page === undefined) return "nothing";
    sandbox.edit.wiki("WIKI", String(page["title"]), { contents: word });
    return "field";
  },
  newPage: ({ sandbox, word }: At): Leaves => {
    sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${word}`, contents: word });
    return "own";
  },
  newGuide: ({ sandbox, word }: At): Leaves => {
    const guide = sandbox.edit.createGuide({
      category: "Looms",
      type: "how-to",
      title: `Guide ${word}`,
      subject: word,
    });
    sandbox.edit.addStep(guide, stepBody(1, `Step of ${word}`));
    sandbox.edit.setPublic(guide, true);
    return "own";
  },
  deleteGuide: ({ sandbox, id }: At): Leaves => {
    if (sandbox.state().guides.length > 1) sandbox.edit.deleteGuide(id);
    return "nothing";
  },
  deletePage: ({ sandbox }: At): Leaves => {
    const pages = sandbox.state().wikis.filter(({ namespace }) => namespace === "WIKI");
    if (pages.length > 1) sandbox.edit.deleteWiki("WIKI", String(pages.at(-1)?.["title"]));
    return "nothing";
  },
} as const;

/** Does it. What the word was left in. */
export function editAt(sandbox: Sandbox, { act, guide, step }: Edit, word: string): Leaves {
  const guides = sandbox.state().guides;
  const chosen = guides[guide % Math.max(1, guides.length)];
  if (chosen === undefined) return act === "newGuide" ? ACTS.newGuide(nowhere(sandbox, word)) : "nothing";
  const steps = (chosen["steps"] as readonly { readonly stepid: number }[]).map(({ stepid }) => stepid);
  const at: At = {
    sandbox,
    word,
    id: Number(chosen["guideid"]),
    steps,
    stepid: steps[step % Math.max(1, steps.length)],
  };
  return ACTS[act](at);
}

function nowhere(sandbox: Sandbox, word: string): At {
  return { sandbox, word, id: 0, steps: [], stepid: undefined };
}

function tagsOf(sandbox: Sandbox, id: number): readonly string[] {
  const tags = sandbox.state().guides.find(({ guideid }) => guideid === id)?.["tags"];
  return Array.isArray(tags) ? tags.map(String) : [];
}

/** What people see at a site, without numbers that change when a thing is made anew. */
export function shownAt(sandbox: Sandbox): unknown {
  const { guides, wikis } = sandbox.state();
  const shown = guides.map((guide) => ({
    title: guide["title"],
    summary: guide["summary"],
    introduction: guide["introduction"],
    public: guide["public"],
    tags: Array.isArray(guide["tags"]) ? [...guide["tags"]].sort() : [],
    steps: (guide["steps"] as readonly { readonly lines: readonly { readonly text: string }[] }[]).map(({ lines }) =>
      lines.map(({ text }) => text),
    ),
  }));
  const pages = wikis.map(
    ({ namespace, title, contents }) => `${String(namespace)} ${String(title)}: ${String(contents)}`,
  );
  return { guides: shown.toSorted((a, b) => (String(a.title) < String(b.title) ? -1 : 1)), pages: pages.sort() };
}
