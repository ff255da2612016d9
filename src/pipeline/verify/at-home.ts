import { titleAtTarget } from "../../api/target/paths.js";
import { type Texts, textHome, type Where } from "../../api/target/texts.js";
import type { Context } from "../../contracts.js";
import type { Guide, Part, Step } from "../../model/guide.js";
import { type Key, wikiKey } from "../../model/key.js";
import type { Wiki } from "../../model/wiki.js";

const LINE_LENGTH = 350;

/** Says how a thing of the source should look at the target: references pointed home, titles and ids the target's. */
export class AtHome {
  readonly #texts: Texts;
  readonly #context: Omit<Context, "begin">;

  constructor(texts: Texts, context: Omit<Context, "begin">) {
    this.#texts = texts;
    this.#context = context;
  }

  async guide(guide: Guide): Promise<Guide> {
    return {
      ...guide,
      category: await this.#category(guide.category),
      introduction: await this.#text(guide.introduction, "page"),
      conclusion: await this.#text(guide.conclusion, "page"),
      prerequisites: await this.#guides(guide.prerequisites),
      parts: await Promise.all(guide.parts.map((part) => this.#part(part))),
      tools: await Promise.all(guide.tools.map((part) => this.#part(part))),
      steps: await Promise.all(guide.steps.map((step) => this.#step(step))),
    };
  }

  async wiki(wiki: Wiki): Promise<Wiki> {
    return {
      ...wiki,
      contents: await this.#text(wiki.contents, "page"),
      parent: wiki.parent === null ? null : await this.#category(wiki.parent),
    };
  }

  async #step(step: Step): Promise<Step> {
    const lines = await Promise.all(
      step.lines.map(async (line) => ({ ...line, text: await this.#text(line.text, "line") })),
    );
    return { ...step, lines };
  }

  async #part(part: Part): Promise<Part> {
    return { ...part, notes: await this.#text(part.notes, "line") };
  }

  async #text(text: string, where: Where): Promise<string> {
    return (
      await textHome(
        this.#texts,
        text,
        where,
        { ...this.#context, begin: () => Promise.resolve() },
        where === "line" ? LINE_LENGTH : null,
      )
    ).text;
  }

  /** A category that isn't ours has the same title at the target, or the guide could not have been made. */
  async #category(title: string): Promise<string> {
    const key = wikiKey("CATEGORY", title);
    const id = await this.#context.idOf(key);
    return id === undefined ? title : titleAtTarget(key, id);
  }

  async #guides(keys: readonly Key[]): Promise<readonly Key[]> {
    const ids = await Promise.all(keys.map((key) => this.#context.idOf(key)));
    return ids.map((id, index): Key => (id === undefined ? (keys[index] ?? "guide/0") : `guide/${id}`));
  }
}
