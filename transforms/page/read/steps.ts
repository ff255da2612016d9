import type { Line, Step, StepMedia } from "../../../src/core/model/guide.js";
import type { Key } from "../../../src/core/model/key.js";
import { lineOf } from "../../markdown/line-of.js";
import { derivedId } from "../../omanual/items/derived-id.js";
import type { Draft, Tell } from "../../settle/draft.js";
import { mark, text } from "../../wiki/build-inlines.js";
import type { Image, Video } from "../../wiki/tree.js";
import { stepName } from "../labels.js";
import { lineOfWords, linesOfList } from "./lines.js";
import type { Section } from "./outline.js";
import { fileLink, imageLink, imagesAlone } from "./page-blocks.js";
import type { PageReading } from "./page-reading.js";
import type { PagePiece } from "./page-source.js";

/** What sites show in a step (api-facts 3.5). */
const MOST_IMAGES = 3;

/** The step of a section. What is no line becomes one, so that its words stay. */
export function stepOf(section: Section, index: number, reading: PageReading): Step {
  const step = new StepReader(index, reading);
  for (const piece of section.pieces) step.take(piece);
  const key: Key = `step/${derivedId(`${reading.key} step ${index}`)}`;
  return { key, title: titleOf(section.title, index + 1), ...step.content(), comments: [] };
}

/** Without the number that a page has before it, where it is the step's own. */
function titleOf(title: string, number: number): string {
  const name = stepName(number);
  if (title === name) return "";
  return title.startsWith(`${name}: `) ? title.slice(name.length + 2) : title;
}

class StepReader {
  readonly #path: string;
  readonly #reading: PageReading;
  readonly #lines: Line[] = [];
  readonly #images: Key[] = [];
  #medium: Exclude<StepMedia, { type: "none" | "images" }> | undefined;

  constructor(index: number, reading: PageReading) {
    this.#path = `steps[${index}]`;
    this.#reading = reading;
  }

  content(): { readonly lines: readonly Line[]; readonly media: StepMedia } {
    const images = this.#images.length > 0 ? ({ type: "images", images: this.#images } as const) : undefined;
    return { lines: this.#lines, media: this.#medium ?? images ?? { type: "none" } };
  }

  take(piece: PagePiece): void {
    if (piece.type === "block") this.#takeBlock(piece.draft);
    else if (piece.type === "text") for (const draft of piece.drafts) this.#takeBlock(draft);
    else this.#takeFile(piece);
  }

  #takeBlock({ block, tell }: Draft): void {
    const alone = imagesAlone(block);
    if (alone.length > 0) this.#takeImages(alone, tell);
    else if (block.type === "embed" && block.child.type === "video") this.#takeVideo(block.child, tell);
    else if (block.type === "codeBlock") this.#takeCode(block.value, tell);
    else {
      const { lines, images } =
        block.type === "list" ? linesOfList(block, tell) : lineOfWords(lineOf([block], tell), tell);
      this.#addLines(lines);
      this.#takeImages(images, tell);
    }
  }

  /** Each line of code is a line. */
  #takeCode(code: string, tell: Tell): void {
    for (const value of code.split(/\r?\n/).filter((each) => each.trim() !== ""))
      this.#addLines(lineOfWords([mark("code", [text(value)])], tell).lines);
  }

  #takeImages(images: readonly Image[], tell: Tell): void {
    for (const { target } of images) {
      const id = target.trim();
      if (this.#medium === undefined && this.#images.length < MOST_IMAGES) {
        const key = this.#reading.useImage(id, `${this.#path}.media.images[${this.#images.length}]`, tell);
        if (!this.#images.includes(key)) this.#images.push(key);
        continue;
      }
      const found = this.#reading.imageAt(id) ?? { address: `image ${id}`, words: "" };
      tell("step-images", "loss", `A step shows ${MOST_IMAGES} images or one video; a line names this one.`);
      this.#addLines(lineOfWords([imageLink(found, () => undefined)], tell).lines);
    }
  }

  #takeVideo(video: Video, tell: Tell): void {
    const target = video.target.trim();
    const isAddress = /^https?:\/\//i.test(target);
    if (this.#isFree() && isAddress) this.#medium = { type: "embed", url: target, title: null };
    else if (this.#isFree() && /^\d+$/.test(target))
      this.#medium = { type: "video", video: this.#reading.useVideo(target, `${this.#path}.media.video`) };
    else this.#addLines(lineOfWords([video], tell).lines);
  }

  #takeFile(file: Extract<PagePiece, { type: "file" }>): void {
    const { role, address, name, tell } = file;
    if (this.#isFree() && role === "embed" && /^https?:\/\//i.test(address)) {
      this.#medium = { type: "embed", url: address, title: name === address ? null : name };
      return;
    }
    const path = `${this.#path}.media.video`;
    const video = this.#isFree() && role === "video" ? this.#reading.useFile(role, file, path) : undefined;
    if (video !== undefined) this.#medium = { type: "video", video };
    else this.#addLines(lineOfWords([fileLink(file)], tell).lines);
  }

  /** One by one: as arguments a hundred thousand lines would not fit on the stack. */
  #addLines(lines: readonly Line[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  #isFree(): boolean {
    return this.#medium === undefined && this.#images.length === 0;
  }
}
