import type { Element, ElementContent } from "hast";
import type { Image, Video } from "../../wiki/tree.js";
import { parameterOf } from "../../wiki/tree-readers.js";
import { isSafe } from "../hosts.js";
import type { ImageFile } from "../resolver.js";
import { outsideAddress, type PlainContext, plainElement, plainWords } from "./plain-context.js";

/** An image: a figure where one may stand, its picture elsewhere; its id in words when no address is known. */
export function plainImage(image: Image, context: PlainContext): ElementContent {
  const id = image.target.trim();
  const file = context.resolver.image(id, parameterOf(image, "size") ?? "standard");
  const shown = file === undefined ? plainWords(`image ${id}`) : plainPicture(file, context);
  if (!context.figures) return shown;
  if (file === undefined) return plainElement("figure", [plainElement("figcaption", [shown])]);
  const { caption } = file;
  return plainElement(
    "figure",
    caption === undefined ? [shown] : [shown, plainElement("figcaption", [plainWords(caption)])],
  );
}

function plainPicture({ address, caption = "" }: ImageFile, context: PlainContext): Element {
  return plainElement("img", [], { src: outsideAddress(address, context), alt: caption });
}

/** A link to where the video can be seen; its id in words when that is not known. */
export function plainVideo(video: Video, context: PlainContext): ElementContent {
  const target = video.target.trim();
  const address = isSafe(target) ? target : context.resolver.video(target)?.address;
  if (address === undefined) return plainWords(`video ${target}`);
  const href = outsideAddress(address, context);
  return plainElement("a", [plainWords(href)], { href });
}
