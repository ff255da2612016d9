import type { JSX } from "hono/jsx/jsx-runtime";
import { type ComparedText, readerComparison } from "../../../../transforms/html/reader/reader-comparison.js";
import type { ReaderLinks } from "../../../../transforms/html/reader/reader-links.js";
import type { SafeHtml } from "../../../../transforms/html/reader/safe-html.js";
import type { Item, Line, Step, StepMedia } from "../../../core/model/item.js";
import { idIn, isMediaKey, type Key, kindOf } from "../../../core/model/key.js";
import { Marked, type MarkKind, Nothing, Sides, WordsDiff } from "../../components/two-columns.js";
import { SafeText, UntrustedText } from "../../components/untrusted-text.js";
import type { SnapshotView } from "../library.js";
import { MarkChip, markOf, type Pair, paired } from "./compared-sides.js";
import { MediaLink, ZoomPicture } from "./item-parts.js";
import { type MediaFile, mediaOfSnapshot } from "./media-files.js";
import { hrefAt, type PageScope } from "./scope.js";
import { bulletName, LineList } from "./steps.js";
import { createTextBudget, inLanguage } from "./texts.js";

export interface PlacedStep {
  readonly step: Step;
  readonly number: number;
}

interface ComparedStepProps {
  readonly sides: readonly [ComparedSide, ComparedSide];
  /** undefined: absent at this side. At least one side has it. */
  readonly before: PlacedStep | undefined;
  readonly after: PlacedStep | undefined;
}

/** The old and the new step next to each other: title, pictures and lines. */
export function ComparedStep({ sides, before, after }: ComparedStepProps): JSX.Element {
  const [oldLines, newLines] = linePairs(sides, before?.step.lines ?? [], after?.step.lines ?? []);
  const [oldMedia, newMedia] = mediaPairs(sides, mediaOf(before), mediaOf(after));
  const card = (side: "old" | "new"): JSX.Element =>
    (side === "old" ? before : after) === undefined ? (
      <Nothing />
    ) : (
      <>
        <Title before={before} after={after} side={side} />
        <LinesOfSide lines={side === "old" ? oldLines : newLines} />
        <Embed before={before?.step.media} after={after?.step.media} side={side} />
        {(side === "old" ? oldMedia : newMedia).length > 0 && (
          <MediaOfSide media={side === "old" ? oldMedia : newMedia} />
        )}
      </>
    );
  return <Sides old={card("old")} now={card("new")} />;
}

export function StepName({ before, after }: Omit<ComparedStepProps, "sides">): JSX.Element {
  const wasNumber = before !== undefined && after !== undefined && before.number !== after.number;
  return (
    <>
      {`Step ${(after ?? before)?.number ?? ""} `}
      {before === undefined && <MarkChip kind="came" />}
      {after === undefined && <MarkChip kind="went" />}
      {wasNumber && <span class="muted">{`was step ${before.number}`}</span>}
    </>
  );
}

interface SideOfStep {
  readonly before: PlacedStep | undefined;
  readonly after: PlacedStep | undefined;
  readonly side: "old" | "new";
}

function Title({ before, after, side }: SideOfStep): JSX.Element | null {
  const [old, now] = [before?.step.title ?? "", after?.step.title ?? ""];
  if ((side === "old" ? old : now) === "") return null;
  return (
    <h3>
      <WordsDiff before={old} after={now} side={side} inline />
    </h3>
  );
}

interface EmbedProps {
  readonly before: StepMedia | undefined;
  readonly after: StepMedia | undefined;
  readonly side: "old" | "new";
}

function Embed({ before, after, side }: EmbedProps): JSX.Element | null {
  const [old, now] = [embedWords(before), embedWords(after)];
  if ((side === "old" ? old : now) === "") return null;
  return <WordsDiff before={old} after={now} side={side} />;
}

function embedWords(media: StepMedia | undefined): string {
  return media?.type === "embed" ? `${media.title ?? ""} ${media.url}`.trim() : "";
}

function mediaOf(placed: PlacedStep | undefined): readonly Key[] {
  const media = placed?.step.media;
  if (media?.type === "images") return media.images;
  return media?.type === "video" ? [media.video] : [];
}

interface StepOrderProps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  /** Keys of moved steps. */
  readonly moved: ReadonlySet<Key>;
}

export function StepOrder({ before, after, moved }: StepOrderProps): JSX.Element {
  const numbers = new Map(before.map(({ key }, at) => [key, at + 1]));
  const list = (steps: readonly Step[], isNew: boolean): JSX.Element => (
    <ol class="step-order">
      {steps.map(({ key, title, lines }) => (
        <li class={moved.has(key) ? "moved" : undefined}>
          <UntrustedText text={title || lines[0]?.text || "(no title)"} longest={100} />
          {isNew && moved.has(key) && (
            <>
              {" "}
              <span class="chip changed">{`moved, was step ${numbers.get(key) ?? ""}`}</span>
            </>
          )}
        </li>
      ))}
    </ol>
  );
  return <Sides old={list(before, false)} now={list(after, true)} />;
}

interface ShownLine {
  readonly line: Line;
  readonly html: SafeHtml;
  /** The bullet or indentation of this side where they differ; empty: they are equal. */
  readonly set: string;
  readonly kind: MarkKind;
}

/** The lines of both sides with the differences to the other side. */
function linePairs(
  sides: readonly [ComparedSide, ComparedSide],
  before: readonly Line[],
  after: readonly Line[],
): readonly [readonly ShownLine[], readonly ShownLine[]] {
  const pairs = paired(before, after, ({ text }) => text);
  return [
    pairs.flatMap((pair) => shownLine(sides, pair, "old")),
    pairs.flatMap((pair) => shownLine(sides, pair, "new")),
  ];
}

function shownLine(
  [old, now]: readonly [ComparedSide, ComparedSide],
  { before, after }: Pair<Line>,
  side: "old" | "new",
): readonly ShownLine[] {
  const [line, other] = side === "old" ? [before, after] : [after, before];
  if (line === undefined) return [];
  const compared = readerComparison(old.text(before?.text ?? ""), now.text(after?.text ?? ""));
  return [
    {
      line,
      html: side === "old" ? compared.before : compared.after,
      set: other === undefined ? "" : settingWords(line, other),
      kind: markOf(side),
    },
  ];
}

function settingWords(line: Line, other: Line): string {
  const bullet = line.bullet === other.bullet ? [] : [`bullet: ${bulletName(line)}`];
  const level = line.level === other.level ? [] : [`indentation level ${line.level}`];
  return [...bullet, ...level].join(", ");
}

function LinesOfSide({ lines }: { readonly lines: readonly ShownLine[] }): JSX.Element {
  return <LineList lines={lines.map((shown) => ({ ...shown, ...shown.line }))} words={wordsOf} />;
}

function wordsOf({ html, set, kind }: ShownLine): JSX.Element {
  return (
    <>
      <SafeText html={html} inline />
      {set !== "" && (
        <span class="setting">
          {" "}
          <Marked kind={kind}>{set}</Marked>
        </span>
      )}
    </>
  );
}

interface ComparedMediaProps {
  readonly sides: readonly [ComparedSide, ComparedSide];
  readonly before: readonly Key[];
  readonly after: readonly Key[];
}

export function ComparedMedia({ sides, before, after }: ComparedMediaProps): JSX.Element {
  const [old, now] = mediaPairs(sides, before, after);
  return <Sides old={<MediaOfSide media={old} />} now={<MediaOfSide media={now} />} />;
}

interface ShownMedium {
  readonly key: Key;
  readonly file: MediaFile | undefined;
  readonly kind: MarkKind;
}

/** Compares files by their bytes: a site may give the same file another number. */
function mediaPairs(
  [old, now]: readonly [ComparedSide, ComparedSide],
  before: readonly Key[],
  after: readonly Key[],
): readonly [readonly ShownMedium[], readonly ShownMedium[]] {
  const found = (side: ComparedSide, keys: readonly Key[]) => keys.map((key) => ({ key, file: side.file(key) }));
  const pairs = paired(
    found(old, before),
    found(now, after),
    ({ key, file }) => file?.href.split("/").at(-1) ?? key,
    false,
  );
  return [pairs.flatMap((pair) => shownOf(pair, "old")), pairs.flatMap((pair) => shownOf(pair, "new"))];
}

function shownOf({ before, after }: Pair<Omit<ShownMedium, "kind">>, side: "old" | "new"): readonly ShownMedium[] {
  const own = side === "old" ? before : after;
  const isSame = before !== undefined && after !== undefined;
  return own === undefined ? [] : [{ ...own, kind: isSame ? "same" : markOf(side) }];
}

function MediaOfSide({ media }: { readonly media: readonly ShownMedium[] }): JSX.Element {
  if (media.length === 0) return <Nothing />;
  return (
    <ul class="gallery">
      {media.map(({ key, file, kind }) => (
        <li class={kind === "same" ? undefined : kind}>
          <OneMedium name={key} file={file} />
          <MarkChip kind={kind} />
        </li>
      ))}
    </ul>
  );
}

function OneMedium({ name, file }: { readonly name: Key; readonly file: MediaFile | undefined }): JSX.Element {
  if (file === undefined) return <span class="muted">{`${nameWords(name)}: not in this archive`}</span>;
  if (file.shown !== "image") return <MediaLink file={file} />;
  return (
    <>
      <ZoomPicture file={file} alt={nameWords(name)} />
      <span class="muted file-name">
        <UntrustedText text={file.title} />
      </span>
    </>
  );
}

/** `Picture 12` */
function nameWords(key: Key): string {
  const words: Readonly<Record<string, string>> = { image: "Picture", video: "Video", document: "Document" };
  return `${words[kindOf(key)] ?? kindOf(key)} ${idIn(key)}`;
}

export interface ComparedSide {
  readonly name: "old" | "new";
  readonly item: Item;
  /** undefined: its bytes are not in the archive. */
  file(key: Key): MediaFile | undefined;
  /** `anchors`: a prefix that keeps the names of headings apart; default: the text is one line. */
  text(text: string, anchors?: string, form?: ComparedText["form"]): ComparedText;
}

interface SideParts {
  readonly snapshot: SnapshotView;
  readonly item: Item;
}

/** The side's media and links belong to its own snapshot. */
export async function comparedSide(
  scope: PageScope,
  name: ComparedSide["name"],
  { snapshot, item }: SideParts,
): Promise<ComparedSide> {
  const media = await mediaOfSnapshot(scope, snapshot, [...item.media.map(({ key }) => key), ...namedMedia(item.body)]);
  const links = linksOf(scope, { snapshot, item }, media);
  const budget = createTextBudget();
  return {
    name,
    item,
    file: (key) => media.get(key),
    text: (whole, anchors, form = "wiki") => {
      const { text, written } = budget.spend(whole);
      return {
        text,
        form: written ? "characters" : form,
        options: anchors === undefined ? { links, inline: true } : { links, anchors: `${name}-${anchors}-` },
        root: hrefAt(scope, snapshot.facts.id, ""),
      };
    },
  };
}

function linksOf(scope: PageScope, { snapshot, item }: SideParts, media: ReadonlyMap<Key, MediaFile>): ReaderLinks {
  const urls = new Map(item.media.flatMap(({ url, key }) => (url === null ? [] : [[url, key] as const])));
  const language = "language" in item.body ? item.body.language : snapshot.site.language;
  const time = snapshot.facts.id;
  return {
    site: snapshot.site,
    page: (key) => {
      const entry = inLanguage(scope, key, language);
      if (entry === undefined || entry.path === "" || !scope.leadsTo(time, entry.path)) return undefined;
      return { address: hrefAt(scope, time, entry.path), title: entry.title };
    },
    medium: (key) => {
      const file = media.get(key);
      return file && { address: file.href, ...file };
    },
    mediaKey: (address) => urls.get(address),
  };
}

/** Keys of media in all fields of an item. */
function namedMedia(value: unknown): readonly Key[] {
  if (typeof value === "string") return /^\w+\/\d+$/.test(value) && isMediaKey(value as Key) ? [value as Key] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (UNREAD.has(name) ? [] : namedMedia(each)));
}

/** Fields with the raw data of the site. */
const UNREAD: ReadonlySet<string> = new Set(["tree", "html", "contents"]);
