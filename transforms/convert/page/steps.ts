import type { Line, Step, StepMedia } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { onOneLine } from "../../markdown/read-inlines.js";
import { derivedId } from "../../omanual/addresses.js";
import { isBlank } from "../../wiki/blanks.js";
import { mark, text } from "../../wiki/build.js";
import { type Draft, lineOf, type Tell } from "../../wiki/draft.js";
import { normaliseLine } from "../../wiki/normalise.js";
import { print } from "../../wiki/print.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Image, Inline, List, Video } from "../../wiki/tree.js";
import { bulletOf, bulletWord, type LineMark, stepName, takeMark } from "./labels.js";
import type { Section } from "./outline.js";
import { fileLink, imageLink, imagesAlone, reachable, withoutImages } from "./page-blocks.js";
import type { PagePiece, PageReading } from "./page-source.js";

/** Most images of a step (api-facts 3.5). */
const MOST_IMAGES = 3;

/** Content that is not a line becomes one, so that its words stay. */
export function stepOf(section: Section, index: number, reading: PageReading): Step {
  const step = new StepReader(index, reading);
  for (const piece of section.pieces) step.take(piece);
  const key: Key = `step/${derivedId(`${reading.key} step ${index}`)}`;
  return { key, title: titleOf(section.title, index + 1), ...step.content(), comments: [] };
}

/** Removes the number if it is the step's own. */
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
      tell("step-images", "loss", `A step shows ${MOST_IMAGES} images or one video. A line names this one.`);
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

  /** Spread arguments for a hundred thousand lines would exceed the stack. */
  #addLines(lines: readonly Line[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  #isFree(): boolean {
    return this.#medium === undefined && this.#images.length === 0;
  }
}

interface ReadLines {
  readonly lines: readonly Line[];
  readonly images: readonly Image[];
}

/** An item is a line with the level of its list. An item with only a list is no line. */
function linesOfList(list: List, tell: Tell, depth = 0): ReadLines {
  if (list.ordered)
    tell("numbered-lines", "note", "Lines of a step have bullets. The numbers of this list are left out.");
  const parts = list.children.flatMap((item): readonly ReadLines[] => [
    lineOfWords(item.children, tell, depth),
    ...item.lists.map((inner) => linesOfList(inner, tell, depth + 1)),
  ]);
  return { lines: parts.flatMap(({ lines }) => lines), images: parts.flatMap(({ images }) => images) };
}

/** Sites have levels 0 to 2 (api-facts 3.4). */
const DEEPEST = 2;

/** Empty where the text shows nothing. */
function lineOfWords(inlines: readonly Inline[], tell: Tell, depth = 0): ReadLines {
  const { words, images } = withoutImages(reachable(inlines.map(onOneLine), tell));
  const { mark, rest } = markOf(words);
  const sign = signOf(rest, mark);
  const written = lineText(sign.rest, tell);
  if (written === "" && mark === undefined && sign.bullet === undefined) return { lines: [], images };
  const wanted = mark?.level ?? depth;
  const level = Math.min(wanted, DEEPEST);
  if (level < wanted)
    tell(
      "level-clamped",
      "loss",
      `Lines of a step are at most ${DEEPEST} levels deep. Level ${wanted} became ${level}.`,
    );
  const bullet = mark?.bullet ?? sign.bullet ?? "black";
  return { lines: [{ text: written, bullet, bulletStyle: null, level }], images };
}

function markOf(inlines: readonly Inline[]): { readonly mark: LineMark | undefined; readonly rest: readonly Inline[] } {
  const [first, ...others] = inlines;
  if (first?.type !== "text") return { mark: undefined, rest: inlines };
  const { mark, rest } = takeMark(first.value);
  return mark === undefined ? { mark, rest: inlines } : { mark, rest: startOf([text(rest), ...others]) };
}

/** The first bold word names the bullet, unless a mark denies it. */
function signOf(
  inlines: readonly Inline[],
  mark: LineMark | undefined,
): { readonly bullet: string | undefined; readonly rest: readonly Inline[] } {
  const [first, ...others] = startOf(inlines);
  const word = first?.type === "strong" ? plainText(first.children).trim() : "";
  const bullet = bulletOf(word);
  const isSign = bullet !== undefined && (mark?.bullet === undefined || bulletWord(mark.bullet) === word);
  return isSign ? { bullet, rest: startOf(others) } : { bullet: undefined, rest: inlines };
}

/** Removes blanks and breaks at the beginning. */
function startOf(inlines: readonly Inline[]): readonly Inline[] {
  const first = inlines.findIndex(
    (inline) => inline.type !== "break" && !(inline.type === "text" && isBlank(inline.value)),
  );
  if (first < 0) return [];
  const [begin, ...others] = inlines.slice(first);
  return begin?.type === "text" ? [text(begin.value.trimStart()), ...others] : inlines.slice(first);
}

function lineText(inlines: readonly Inline[], tell: Tell): string {
  return print(normaliseLine(inlines, tell)).trim();
}
