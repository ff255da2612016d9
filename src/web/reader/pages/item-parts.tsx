import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Comment } from "../../../core/model/item.js";
import { idIn, type Key } from "../../../core/model/key.js";
import { Icon, type IconName } from "../../components/elements.js";
import { SafeText, UntrustedText } from "../../components/untrusted-text.js";
import { countWords, sizeWords, When } from "../../components/words.js";
import { tagPath } from "../page-path.js";
import type { MediaFile, MediaFiles } from "./media-files.js";
import { hrefTo, type PageScope } from "./scope.js";
import type { Texts } from "./texts.js";

interface RemarksProps {
  readonly comments: readonly Comment[];
  readonly texts: Texts;
}

/** Folded, since readers need the steps first. */
export function Remarks({ comments, texts }: RemarksProps): JSX.Element | null {
  if (comments.length === 0) return null;
  return (
    <details class="remarks">
      <summary>
        <Icon name="message" />
        {countWords(comments.length, "comment")}
      </summary>
      <ol>
        {comments.map((comment) => (
          <li>
            <Remark comment={comment} texts={texts} />
            {(comment.answers ?? []).length > 0 && (
              <ol>
                {comment.answers?.map((answer) => (
                  <li>
                    <Remark comment={answer} texts={texts} />
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

type RemarkOf = Pick<Comment, "author" | "date" | "text" | "status" | "id">;

function Remark({ comment, texts }: { readonly comment: RemarkOf; readonly texts: Texts }): JSX.Element {
  const { author, date, text, status, id } = comment;
  return (
    <article class="remark">
      <p class="muted">
        <strong>
          <UntrustedText text={author?.name ?? "Unknown author"} />
        </strong>{" "}
        {date !== null && <When seconds={date} />}
        {status !== "public" && status !== "" && (
          <>
            {" "}
            <span class="chip">
              <UntrustedText text={status} />
            </span>
          </>
        )}
      </p>
      <SafeText html={texts.page(text, `comment-${lettersOf(id)}-`)} />
    </article>
  );
}

/** Digits as letters: names of headings hold letters and hyphens only. */
function lettersOf(id: number): string {
  return [...String(Math.abs(Math.trunc(id)))].map((digit) => "abcdefghij"[Number(digit)] ?? "").join("");
}

interface DocumentsListProps {
  readonly documents: readonly Key[];
  readonly files: MediaFiles;
}

export function DocumentsList({ documents, files }: DocumentsListProps): JSX.Element | null {
  if (documents.length === 0) return null;
  return (
    <section aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      <ul class="files">
        {documents.map((key) => {
          const file = files.of(key);
          return (
            <li>
              {file === undefined ? (
                <span class="muted">{`Document ${idIn(key)} is not in this archive.`}</span>
              ) : (
                <MediaLink file={file} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const ICONS: Readonly<Record<MediaFile["shown"], IconName>> = {
  image: "picture",
  video: "film",
  audio: "film",
  pdf: "file",
  download: "download",
};

/** A file that browsers do not show is saved under its own name. */
export function MediaLink({ file }: { readonly file: MediaFile }): JSX.Element {
  const { href, shown, title, size } = file;
  return (
    <a class="file" href={href} download={shown === "download" ? title : undefined}>
      <Icon name={ICONS[shown]} />
      <span>
        <UntrustedText text={title} />
        <span class="muted">{sizeWords(size)}</span>
      </span>
    </a>
  );
}

/** Words of sites for flags (api-facts 4.8). */
const WORDS: Readonly<Record<string, string>> = {
  GUIDE_ARCHIVED: "Archived",
  GUIDE_DELETE: "To be deleted",
  GUIDE_FEATURED_STUDENT: "Featured student guide",
  GUIDE_IN_PROGRESS: "In progress",
  GUIDE_NEW: "New",
  GUIDE_PREREQ_ONLY: "Only a prerequisite of other guides",
  GUIDE_STARRED: "Starred",
  GUIDE_USER_CONTRIBUTED: "User-contributed",
  WIKI_STUB: "Stub",
  WIKI_USER_CONTRIBUTED: "User-contributed",
};

export function Flags({ flags }: { readonly flags: readonly string[] }): JSX.Element {
  return (
    <>
      {flags.map((flag) => (
        <span class="chip flag">
          <UntrustedText text={flagWords(flag)} />
        </span>
      ))}
    </>
  );
}

export function flagWords(flag: string): string {
  return (Object.hasOwn(WORDS, flag) ? WORDS[flag] : undefined) ?? wordsOf(flag);
}

/** `GUIDE_LOUSY_PICTURES` as `Lousy pictures`. */
function wordsOf(flag: string): string {
  const words = flag.replace(/^(?:GUIDE|WIKI)_/, "").replaceAll("_", " ");
  return words === words.toUpperCase() ? words.charAt(0) + words.slice(1).toLowerCase() : words;
}

export interface Fact {
  readonly name: string;
  readonly icon: IconName;
  readonly value: Child;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ name, icon, value }) => (
        <div>
          <dt>
            <Icon name={icon} />
            {name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Tags({
  scope,
  tags,
}: {
  readonly scope: PageScope;
  readonly tags: readonly string[];
}): JSX.Element | null {
  if (tags.length === 0) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a class="chip" href={hrefTo(scope, tagPath(tag))}>
            <UntrustedText text={tag} />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface HeroPictureProps {
  /** undefined, or no picture by its bytes: nothing is shown. */
  readonly picture: MediaFile | undefined;
  readonly alt: string;
}

/** A picture that loads when it comes into view; a click opens it large. */
export function ZoomPicture({ file, alt }: { readonly file: MediaFile; readonly alt: string }): JSX.Element {
  const { href, width, height } = file;
  return (
    <a class="zoom" href={href}>
      <img
        src={href}
        alt={alt}
        width={width ?? undefined}
        height={height ?? undefined}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

/** The picture at the head of a page; a click opens it large. */
export function HeroPicture({ picture, alt }: HeroPictureProps): JSX.Element | null {
  if (picture?.shown !== "image") return null;
  return (
    <a class="zoom hero-picture" href={picture.href}>
      <img src={picture.href} alt={alt} width={picture.width ?? undefined} height={picture.height ?? undefined} />
    </a>
  );
}
