import type { Context } from "../../core/contracts.js";
import type { Guide, Part, Step, StepMedia, Wiki, WikiTranslation } from "../../core/model/item.js";
import { type Key, kindOf, wikiKey } from "../../core/model/key.js";
import { titleAtTarget } from "../../service/target/identity.js";
import type { SiteTexts, TextKind } from "../../service/target/texts.js";

/**
 * Makes the form that a thing of the source should have on the target: with rewritten references,
 * and titles and ids (also of media) of the target.
 */
export class TargetForm {
  readonly #texts: SiteTexts;
  readonly #context: Omit<Context, "begin" | "keep">;
  readonly #lineLength: number;

  /** `lineLength`: limit of the target, in characters. */
  constructor(texts: SiteTexts, context: Omit<Context, "begin" | "keep">, lineLength: number) {
    this.#texts = texts;
    this.#lineLength = lineLength;
    this.#context = context;
  }

  /**
   * `lacking`: takes the paths of what is left out because its link target is not on the target, as
   * a write leaves it out.
   */
  async guide(guide: Guide, lacking: string[]): Promise<Guide> {
    const documents = await this.#there(guide.documents, "documents", lacking);
    const [featuredDocument] = await this.#there(some(guide.featuredDocument), "featuredDocument", lacking);
    const [image] = await this.#there(some(guide.image), "image", lacking);
    const [introductionVideo] = await this.#there(some(guide.introductionVideo), "introductionVideo", lacking);
    return {
      ...guide,
      documents,
      featuredDocument: featuredDocument ?? null,
      image: image ?? null,
      introductionVideo: introductionVideo ?? null,
      category: await this.#category(guide.category),
      introduction: await this.#text(guide.introduction, "page"),
      conclusion: await this.#text(guide.conclusion, "page"),
      prerequisites: await this.#there(guide.prerequisites, "prerequisites", lacking),
      parts: await Promise.all(guide.parts.map((part) => this.#part(part))),
      tools: await Promise.all(guide.tools.map((part) => this.#part(part))),
      steps: await Promise.all(guide.steps.map((step, index) => this.#step(step, index, lacking))),
    };
  }

  async wiki(wiki: Wiki, lacking: string[]): Promise<Wiki> {
    const [image] = await this.#there(some(wiki.image), "image", lacking);
    return {
      ...wiki,
      image: image ?? null,
      documents: await this.#there(wiki.documents, "documents", lacking),
      contents: await this.#text(wiki.contents, "page"),
      ...(wiki.translations === undefined ? {} : { translations: await this.#translations(wiki.translations) }),
      parent: wiki.parent === null ? null : await this.#category(wiki.parent),
    };
  }

  #translations(translations: readonly WikiTranslation[]): Promise<readonly WikiTranslation[]> {
    return Promise.all(translations.map(async (one) => ({ ...one, contents: await this.#text(one.contents, "page") })));
  }

  /**
   * The media or guides that exist on the target, by their ids there. An item of a list has its
   * place in the path.
   */
  async #there(keys: readonly Key[], path: string, lacking: string[]): Promise<readonly Key[]> {
    const ids = await Promise.all(keys.map((key) => this.#context.idOf(key)));
    ids.forEach((id, index) => {
      if (id === undefined) lacking.push(LISTS.test(path) ? `${path}[${index}]` : path);
    });
    return keys.flatMap((key, index): Key[] => (ids[index] === undefined ? [] : [`${kindOf(key)}/${ids[index]}`]));
  }

  async #media(media: StepMedia, path: string, lacking: string[]): Promise<StepMedia> {
    if (media.type === "images")
      return { ...media, images: await this.#there(media.images, `${path}.images`, lacking) };
    if (media.type !== "video") return media;
    const [video] = await this.#there([media.video], `${path}.video`, lacking);
    return video === undefined ? { type: "none" } : media;
  }

  async #step(step: Step, index: number, lacking: string[]): Promise<Step> {
    const media = await this.#media(step.media, `steps[${index}].media`, lacking);
    const lines = await Promise.all(
      step.lines.map(async (line) => ({ ...line, text: await this.#text(line.text, "line") })),
    );
    return { ...step, lines, media };
  }

  async #part(part: Part): Promise<Part> {
    return { ...part, notes: await this.#text(part.notes, "line") };
  }

  async #text(text: string, where: TextKind): Promise<string> {
    const limit = where === "line" ? this.#lineLength : null;
    return (await this.#texts.rewrite(text, where, this.#context, limit)).text;
  }

  /** An unknown category has the same title there, or the guide could not exist. */
  async #category(title: string): Promise<string> {
    const key = wikiKey("CATEGORY", title);
    const id = await this.#context.idOf(key);
    return id === undefined ? title : titleAtTarget(key, id);
  }
}

const LISTS = /(documents|prerequisites|images)$/;

function some(key: Key | null): readonly Key[] {
  return key === null ? [] : [key];
}
