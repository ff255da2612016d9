import type { JSX } from "hono/jsx/jsx-runtime";
import { idIn, type Key, kindOf } from "../../../../core/model/key.js";
import { Foreign } from "../../../components/foreign.js";
import type { MediaFile } from "../media-files.js";
import { MediaLink } from "../media-link.js";
import type { ComparedSide } from "./compared-side.js";
import { MarkChip, type MarkKind, markOf } from "./marks.js";
import { type Pair, paired } from "./paired.js";
import { Nothing, Sides } from "./sides.js";

export interface ComparedMediaProps {
  readonly sides: readonly [ComparedSide, ComparedSide];
  readonly before: readonly Key[];
  readonly after: readonly Key[];
}

/** Pictures, videos and documents, old and new, each with what it is to the other side. */
export function ComparedMedia({ sides, before, after }: ComparedMediaProps): JSX.Element {
  const [old, now] = mediaPairs(sides, before, after);
  return <Sides old={<MediaOfSide media={old} />} now={<MediaOfSide media={now} />} />;
}

/** A file of one side. */
export interface ShownMedium {
  readonly key: Key;
  readonly file: MediaFile | undefined;
  readonly kind: MarkKind;
}

/** The files of both sides, with those marked that the other one has not at that place: by their bytes, whatever number they have at the site. */
export function mediaPairs(
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

export function MediaOfSide({ media }: { readonly media: readonly ShownMedium[] }): JSX.Element {
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
      <a class="zoom" href={file.href}>
        <img
          src={file.href}
          alt={nameWords(name)}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          loading="lazy"
          decoding="async"
        />
      </a>
      <span class="muted file-name">
        <Foreign text={file.title} />
      </span>
    </>
  );
}

/** `Picture 12` */
function nameWords(key: Key): string {
  const words: Readonly<Record<string, string>> = { image: "Picture", video: "Video", document: "Document" };
  return `${words[kindOf(key)] ?? kindOf(key)} ${idIn(key)}`;
}
