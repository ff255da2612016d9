import type { ElementContent } from "hast";
import { print } from "../../wiki/print.js";
import type { Inline, Link, Mark } from "../../wiki/tree.js";
import { linkGoal } from "../link-goal.js";
import { MARK_TAGS } from "../mark-tags.js";
import { outsideAddress, type PlainContext, plainElement, plainWords } from "./plain-context.js";
import { plainImage, plainVideo } from "./plain-media.js";

/** Words as plain HTML. */
export function plainInlines(inlines: readonly Inline[], context: PlainContext): readonly ElementContent[] {
  return inlines.flatMap((inline) => {
    const write = HANDLERS[inline.type] as (inline: Inline, context: PlainContext) => readonly ElementContent[];
    return write(inline, context);
  });
}

type Handlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    context: PlainContext,
  ) => readonly ElementContent[];
};

function plainMark({ type, children }: Mark, context: PlainContext): readonly ElementContent[] {
  const content = plainInlines(children, { ...context, figures: false });
  return content.length === 0 ? [] : [plainElement(MARK_TAGS[type], content)];
}

const HANDLERS: Handlers = {
  text: ({ value }) => [plainWords(value)],
  opaque: ({ value }) => [plainWords(value)],
  strong: plainMark,
  emphasis: plainMark,
  underline: plainMark,
  strike: plainMark,
  superscript: plainMark,
  subscript: plainMark,
  code: plainMark,
  break: () => [plainElement("br", [])],
  link: plainLink,
  image: (image, context) => [plainImage(image, context)],
  video: (video, context) => [plainVideo(video, context)],
  // What it lists is known to the site only.
  guideList: (list) => [plainWords(print(list))],
};

/** A link that leads nowhere, or to where no link may lead, is its label. */
function plainLink(link: Link, context: PlainContext): readonly ElementContent[] {
  const goal = linkGoal(link, context.resolver);
  const label = plainInlines(link.children, { ...context, figures: false });
  if (goal === undefined || goal === "dead") return label.length > 0 ? label : [plainWords(link.target)];
  const shown = label.length > 0 ? label : [plainWords(goal.title)];
  return [plainElement("a", shown, { href: outsideAddress(goal.address, context) })];
}
