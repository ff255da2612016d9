import type { ElementContent } from "hast";
import type { Inline, Link, Mark } from "../../wiki/tree.js";
import { MARK_TAGS } from "../mark-tags.js";
import { linkNodes } from "./link-nodes.js";
import { linkPlace } from "./link-place.js";
import { node, words } from "./node.js";
import { amongWords, type ReaderContext } from "./reader-context.js";
import { readerGuideList, readerImage, readerVideo } from "./reader-media.js";

/** Words of wiki text as the reader shows them. */
export function readerInlines(inlines: readonly Inline[], context: ReaderContext): readonly ElementContent[] {
  return inlines.flatMap((inline) => {
    const write = HANDLERS[inline.type] as (inline: Inline, context: ReaderContext) => readonly ElementContent[];
    return write(inline, context);
  });
}

type Handlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    context: ReaderContext,
  ) => readonly ElementContent[];
};

function readerMark({ type, children }: Mark, context: ReaderContext): readonly ElementContent[] {
  const content = readerInlines(children, amongWords(context));
  return content.length === 0 ? [] : [node(MARK_TAGS[type], content)];
}

function readerLink(link: Link, context: ReaderContext): readonly ElementContent[] {
  return linkNodes(linkPlace(link, context), readerInlines(link.children, { ...amongWords(context), inLink: true }));
}

const HANDLERS: Handlers = {
  text: ({ value }) => [words(value)],
  opaque: ({ value }) => [words(value)],
  strong: readerMark,
  emphasis: readerMark,
  underline: readerMark,
  strike: readerMark,
  superscript: readerMark,
  subscript: readerMark,
  code: readerMark,
  break: () => [node("br", [])],
  link: readerLink,
  image: readerImage,
  video: readerVideo,
  guideList: readerGuideList,
};
