import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { Icon, type IconName } from "../../components/icon.js";
import { sizeWords } from "../../components/numbers.js";
import type { MediaFile } from "./media-files.js";

const ICONS: Readonly<Record<MediaFile["shown"], IconName>> = {
  image: "picture",
  video: "film",
  audio: "film",
  pdf: "file",
  download: "download",
};

/** A file by its name and size; what a browser would not show is saved under its own name. */
export function MediaLink({ file }: { readonly file: MediaFile }): JSX.Element {
  const { href, shown, title, size } = file;
  return (
    <a class="file" href={href} download={shown === "download" ? title : undefined}>
      <Icon name={ICONS[shown]} />
      <span>
        <Foreign text={title} />
        <span class="muted">{sizeWords(size)}</span>
      </span>
    </a>
  );
}
