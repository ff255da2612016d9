import type { JSX } from "hono/jsx/jsx-runtime";
import type { StepMedia as Media } from "../../../core/model/guide.js";
import { idIn, type Key } from "../../../core/model/key.js";
import { Foreign } from "../../components/foreign.js";
import { Icon } from "../../components/icon.js";
import type { MediaFile, MediaFiles } from "./media-files.js";
import { MediaLink } from "./media-link.js";

export interface StepMediaProps {
  readonly media: Media;
  readonly files: MediaFiles;
  /** `Step 3: Warp the loom`, for who can't see the pictures. */
  readonly name: string;
}

/** A step's pictures, the first one large; or its video; or the address of what another site has. */
export function StepMedia({ media, files, name }: StepMediaProps): JSX.Element | null {
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
  return (
    <a class="zoom" href={file.href}>
      <img
        src={file.href}
        alt={name}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

/** A video of the archive. Its bytes come only when somebody plays it. */
export function Film({ media, files }: { readonly media: Key; readonly files: MediaFiles }): JSX.Element {
  const file = files.of(media);
  if (file === undefined) return <Absent words={`Video ${idIn(media)} is not in this archive.`} />;
  if (file.shown !== "video" && file.shown !== "audio") return <MediaLink file={file} />;
  return (
    <figure class="film">
      {/* biome-ignore lint/a11y/useMediaCaption: sites have no captions of their videos */}
      <video controls preload="none" src={file.href} poster={file.poster} aria-label={`Video: ${file.title}`} />
      <figcaption>
        <Foreign text={file.title} />
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

/** Nothing of another site is loaded: one may go there. */
function EmbedLink({ url, title }: { readonly url: string; readonly title: string | null }): JSX.Element {
  const host = hostOf(url);
  const words = <Foreign text={title === null || title === "" ? url : title} />;
  if (host === undefined) return <p class="missing">{words}</p>;
  return (
    <a class="embed" href={url} rel="noreferrer noopener nofollow">
      <Icon name="film" />
      <span>
        <strong>{words}</strong>
        <span class="muted">{`Opens at ${host}; it is not part of this archive.`}</span>
      </span>
    </a>
  );
}

/** undefined: no address of the web. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? host : undefined;
}
