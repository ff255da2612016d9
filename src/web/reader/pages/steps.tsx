import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Line, StepMedia as Media, Step } from "../../../core/model/item.js";
import { idIn, type Key } from "../../../core/model/key.js";
import { Icon, type IconName } from "../../components/elements.js";
import { plainWords, SafeText, UntrustedText } from "../../components/untrusted-text.js";
import { MediaLink, Remarks, ZoomPicture } from "./item-parts.js";
import type { MediaFile, MediaFiles } from "./media-files.js";
import type { Texts } from "./texts.js";

interface StepCardProps {
  readonly step: Step;
  readonly number: number;
  readonly texts: Texts;
  readonly files: MediaFiles;
}

/** The id equals the one of the site, so that old links to a step work. */
export function StepCard({ step, number, texts, files }: StepCardProps): JSX.Element {
  const hasMedia = step.media.type !== "none" && !(step.media.type === "images" && step.media.images.length === 0);
  return (
    <section class={hasMedia ? "step" : "step bare"} id={stepId(step)} aria-labelledby={`step-${number}`}>
      <h3 id={`step-${number}`}>
        <span class="step-number">
          <span class={step.title === "" ? undefined : "unseen"}>Step </span>
          {number}
        </span>
        {step.title !== "" && (
          <span class="step-title">
            <UntrustedText text={step.title} />
          </span>
        )}
      </h3>
      <div class="step-inside">
        {hasMedia && <StepMedia media={step.media} files={files} name={stepName(step, number)} />}
        <div class="step-words">
          <StepLines lines={step.lines} texts={texts} />
          <Remarks comments={step.comments} texts={texts} />
        </div>
      </div>
    </section>
  );
}

/** `Step 3: Warp the loom` */
function stepName({ title }: Step, number: number): string {
  return title === "" ? `Step ${number}` : `Step ${number}: ${plainWords(title, 100)}`;
}

function stepId({ key }: Step): string {
  return `s${idIn(key)}`;
}

interface Bullet {
  readonly name: string;
  /** Makes the dot readable without colours. Empty: a plain dot. */
  readonly letter: string;
}

/** Match the marks in the pictures (api-facts 3.2). */
const COLOURS: Readonly<Record<string, Bullet>> = {
  black: { name: "", letter: "" },
  red: { name: "Red", letter: "R" },
  orange: { name: "Orange", letter: "O" },
  yellow: { name: "Yellow", letter: "Y" },
  green: { name: "Green", letter: "G" },
  light_blue: { name: "Light blue", letter: "L" },
  blue: { name: "Blue", letter: "B" },
  violet: { name: "Violet", letter: "V" },
};

const ICONS: Readonly<Record<string, { readonly name: string; readonly icon: IconName }>> = {
  icon_note: { name: "Note", icon: "info" },
  icon_caution: { name: "Caution", icon: "alert" },
  icon_reminder: { name: "Reminder", icon: "pin" },
};

const DEEPEST = 2;

function StepLines({ lines, texts }: { readonly lines: readonly Line[]; readonly texts: Texts }): JSX.Element | null {
  return <LineList lines={lines} words={({ text }) => <SafeText html={texts.line(text)} inline />} />;
}

type LineSetting = Pick<Line, "bullet" | "bulletStyle" | "level">;

interface LineListProps<T extends LineSetting> {
  readonly lines: readonly T[];
  readonly words: (line: T) => Child;
}

/** Nested lists, since screen readers do not announce a margin. */
export function LineList<T extends LineSetting>({ lines, words }: LineListProps<T>): JSX.Element | null {
  return <Level lines={nestedLines(lines, levelOf)} words={words} />;
}

interface LevelProps<T extends LineSetting> extends Pick<LineListProps<T>, "words"> {
  readonly lines: readonly NestedLine<T>[];
}

function Level<T extends LineSetting>({ lines, words }: LevelProps<T>): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari announces no list without list markers
    <ul class="lines" role="list">
      {lines.map(({ line, below }) => (
        <li>
          <StepLine line={line}>{words(line)}</StepLine>
          <Level lines={below} words={words} />
        </li>
      ))}
    </ul>
  );
}

interface StepLineProps {
  readonly line: LineSetting;
  readonly children: Child;
}

/** Its text may have another direction than the page. */
function StepLine({ line, children }: StepLineProps): JSX.Element {
  const { bullet, bulletStyle } = line;
  const level = `level-${levelOf(line)}`;
  const callout = Object.hasOwn(ICONS, bullet) ? ICONS[bullet] : undefined;
  if (callout === undefined)
    return (
      <div class={`line ${level}`}>
        <Dot bullet={bullet} />
        <span dir="auto">{children}</span>
      </div>
    );
  return (
    <div class={`line callout ${bullet} ${level}`}>
      <Icon name={callout.icon} />
      <span dir="auto">
        <strong>
          <bdi>{`${bulletStyle?.label ?? callout.name}:`}</bdi>
        </strong>{" "}
        {children}
      </span>
    </div>
  );
}

function levelOf({ level }: LineSetting): number {
  return Math.min(DEEPEST, Math.max(0, Math.trunc(level)));
}

/** `light blue`, `note` */
export function bulletName({ bullet, bulletStyle }: Pick<Line, "bullet" | "bulletStyle">): string {
  const own = bulletStyle?.label ?? null;
  if (own !== null) return own;
  return bullet.replace(/^icon_/, "").replaceAll("_", " ");
}

function Dot({ bullet }: { readonly bullet: string }): JSX.Element {
  const colour = Object.hasOwn(COLOURS, bullet) ? COLOURS[bullet] : undefined;
  if (colour === undefined || colour.letter === "") return <span class="dot black" />;
  return (
    <span class={`dot ${bullet}`}>
      <span aria-hidden="true">{colour.letter}</span>
      <span class="unseen">{`${colour.name}: `}</span>
    </span>
  );
}

export interface NestedLine<T> {
  readonly line: T;
  readonly below: readonly NestedLine<T>[];
}

/** Nests each line below the last one before it with a smaller level. `levelOf`: from 0. */
export function nestedLines<T>(lines: readonly T[], levelOf: (line: T) => number): readonly NestedLine<T>[] {
  const roots: NestedLine<T>[] = [];
  const open: { readonly level: number; readonly below: NestedLine<T>[] }[] = [];
  for (const line of lines) {
    const level = levelOf(line);
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const below: NestedLine<T>[] = [];
    (open.at(-1)?.below ?? roots).push({ line, below });
    open.push({ level, below });
  }
  return roots;
}

interface StepMediaProps {
  readonly media: Media;
  readonly files: MediaFiles;
  /** `Step 3: Warp the loom`, the alternative text. */
  readonly name: string;
}

/** The pictures, the video, or the address of embedded content. */
function StepMedia({ media, files, name }: StepMediaProps): JSX.Element | null {
  if (media.type === "images") return <Pictures keys={media.images} files={files} name={name} />;
  if (media.type === "video") return <Film media={media.video} files={files} />;
  if (media.type === "embed") return <EmbedLink url={media.url} title={media.title} />;
  return null;
}

interface PicturesProps extends Omit<StepMediaProps, "media"> {
  readonly keys: readonly Key[];
}

function Pictures({ keys, files, name }: PicturesProps): JSX.Element | null {
  if (keys.length === 0) return null;
  return (
    <div class="pictures">
      {keys.map((key, at) => (
        <StepPicture media={key} file={files.of(key)} name={keys.length === 1 ? name : `${name} (picture ${at + 1})`} />
      ))}
    </div>
  );
}

interface StepPictureProps {
  readonly media: Key;
  readonly file: MediaFile | undefined;
  readonly name: string;
}

function StepPicture({ media, file, name }: StepPictureProps): JSX.Element {
  if (file === undefined) return <Absent words={`Picture ${idIn(media)} is not in this archive.`} />;
  if (file.shown !== "image") return <MediaLink file={file} />;
  return <ZoomPicture file={file} alt={name} />;
}

/** The browser loads nothing before it plays. */
export function Film({ media, files }: { readonly media: Key; readonly files: MediaFiles }): JSX.Element {
  const file = files.of(media);
  if (file === undefined) return <Absent words={`Video ${idIn(media)} is not in this archive.`} />;
  if (file.shown !== "video" && file.shown !== "audio") return <MediaLink file={file} />;
  return (
    <figure class="film">
      {/* biome-ignore lint/a11y/useMediaCaption: sites have no captions of their videos */}
      <video controls preload="none" src={file.href} poster={file.poster} aria-label={`Video: ${file.title}`} />
      <figcaption>
        <UntrustedText text={file.title} />
      </figcaption>
    </figure>
  );
}

function Absent({ words }: { readonly words: string }): JSX.Element {
  return (
    <p class="missing">
      <Icon name="picture" />
      {words}
    </p>
  );
}

/** A link, since pages load nothing from other sites. */
function EmbedLink({ url, title }: { readonly url: string; readonly title: string | null }): JSX.Element {
  const host = hostOf(url);
  const words = <UntrustedText text={title === null || title === "" ? url : title} />;
  if (host === undefined) return <p class="missing">{words}</p>;
  return (
    <a class="embed" href={url} rel="noreferrer noopener nofollow">
      <Icon name="film" />
      <span>
        <strong>{words}</strong>
        <span class="muted">{`Opens ${host}. This content is not in the archive.`}</span>
      </span>
    </a>
  );
}

/** undefined: no web address. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? host : undefined;
}

/** Links to all steps: titles where a step has one, else numbers. */
export function StepList({ steps }: { readonly steps: readonly Step[] }): JSX.Element | null {
  if (steps.length < 2) return null;
  const hasTitles = steps.some(({ title }) => title !== "");
  return (
    <nav class="aside" aria-labelledby="step-list">
      <h2 id="step-list">All steps</h2>
      <ol class={hasTitles ? "step-list" : "step-list numbers"}>
        {steps.map((step, at) => (
          <li>
            <a href={`#${stepId(step)}`}>
              <StepNumber number={at + 1} isSpoken={!hasTitles || step.title !== ""} />
              {hasTitles && <span>{step.title === "" ? `Step ${at + 1}` : <UntrustedText text={step.title} />}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepNumberProps {
  readonly number: number;
  /** False where the text next to it contains the number. */
  readonly isSpoken: boolean;
}

function StepNumber({ number, isSpoken }: StepNumberProps): JSX.Element {
  return (
    <span class="step-list-number" aria-hidden={isSpoken ? undefined : "true"}>
      {isSpoken && <span class="unseen">Step </span>}
      {number}
    </span>
  );
}
