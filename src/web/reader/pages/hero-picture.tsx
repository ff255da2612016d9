import type { JSX } from "hono/jsx/jsx-runtime";
import type { MediaFile } from "./media-files.js";

export interface HeroPictureProps {
  /** undefined, or no picture by its bytes: nothing is shown. */
  readonly picture: MediaFile | undefined;
  /** For who can't see it. */
  readonly alt: string;
}

/** The picture at the head of a page, which opens large. */
export function HeroPicture({ picture, alt }: HeroPictureProps): JSX.Element | null {
  if (picture?.shown !== "image") return null;
  return (
    <a class="zoom hero-picture" href={picture.href}>
      <img src={picture.href} alt={alt} width={picture.width ?? undefined} height={picture.height ?? undefined} />
    </a>
  );
}
