import type { Block, Embed, Inline, List, ListItem, Mark, Paragraph, Tree } from "../wiki/tree.js";
import { isWords, MARK_TAGS, type Piece, splitAtMedia } from "./writing.js";

/** Renders one node with its children: as texts, or as nodes of a tree. */
export type Render<Node, Html, Context> = (
  node: Node,
  context: Context,
  renderer: TreeRenderer<Html, Context>,
) => readonly Html[];

type Leaf = Exclude<Inline, Mark>;

/** A handler for each kind of node; the marks share one. */
type Handlers<Html, Context> = {
  readonly [T in (Block | Leaf)["type"]]: Render<Extract<Block | Leaf, { readonly type: T }>, Html, Context>;
} & { readonly mark: Render<Mark, Html, Context> };

/** Kinds that each target writes in its own way; the others have a handler here. */
type Own = "heading" | "codeBlock" | "quote" | "link" | "image" | "video" | "guideList";

/** A form of HTML for wiki text. */
interface HtmlTarget<Html, Context> {
  readonly words: (value: string) => Html;
  readonly element: (name: string, children: readonly Html[]) => Html;
  /** The context inside of a paragraph, heading or label, where boxes are not allowed. */
  readonly amongWords: (context: Context) => Context;
  /** The context of a list item, where boxes are allowed. */
  readonly inItem: (context: Context) => Context;
  /** A medium between paragraphs, or a guide's card that is a block. */
  readonly alone: Render<Embed["child"] | Exclude<Piece, readonly Inline[]>, Html, Context>;
  readonly handlers: Pick<Handlers<Html, Context>, Own> & Partial<Handlers<Html, Context>>;
}

/** Renders trees of wiki text as one form of HTML: a common walk with handlers of the target. */
export class TreeRenderer<Html, Context> {
  readonly #target: HtmlTarget<Html, Context>;
  readonly #handlers: Handlers<Html, Context>;

  constructor(target: HtmlTarget<Html, Context>) {
    this.#target = target;
    this.#handlers = { ...this.#defaults(), ...target.handlers };
  }

  tree({ type, children }: Tree, context: Context): readonly Html[] {
    return type === "page" ? this.blocks(children, context) : this.inlines(children, context);
  }

  blocks(blocks: readonly Block[], context: Context): readonly Html[] {
    return blocks.flatMap((block) => this.#render(block.type, block, context));
  }

  inlines(inlines: readonly Inline[], context: Context): readonly Html[] {
    return inlines.flatMap((inline) => this.#render(isMark(inline) ? "mark" : inline.type, inline, context));
  }

  /** Words where boxes are not allowed. */
  words(inlines: readonly Inline[], context: Context): readonly Html[] {
    return this.inlines(inlines, this.#target.amongWords(context));
  }

  #render(kind: keyof Handlers<Html, Context>, node: Block | Inline, context: Context): readonly Html[] {
    // The compiler cannot infer from a table by kind that handler and node match.
    const render = this.#handlers[kind] as Render<Block | Inline, Html, Context>;
    return render(node, context, this);
  }

  #defaults(): Omit<Handlers<Html, Context>, Own> {
    const { words, element, alone } = this.#target;
    return {
      paragraph: (paragraph, context) => this.#paragraph(paragraph, context),
      list: (list, context) => [this.#list(list, context)],
      embed: ({ child }, context) => alone(child, context, this),
      // Data about the page; the site does not show it (wiki-syntax 2.5).
      pageMacro: () => [],
      text: ({ value }) => [words(value)],
      opaque: ({ value }) => [words(value)],
      break: () => [element("br", [])],
      // Omits an empty mark, the half of one that was cut in two.
      mark: ({ type, children }, context) => {
        const content = this.words(children, context);
        return content.length === 0 ? [] : [element(MARK_TAGS[type], content)];
      },
    };
  }

  /** Media in a paragraph end it, as HTML does. */
  #paragraph({ children }: Paragraph, context: Context): readonly Html[] {
    const { element, alone } = this.#target;
    return splitAtMedia(children).flatMap((piece) =>
      isWords(piece) ? [element("p", this.words(piece, context))] : alone(piece, context, this),
    );
  }

  #list({ ordered, children }: List, context: Context): Html {
    const items = children.map((item) => this.#item(item, context));
    return this.#target.element(ordered ? "ol" : "ul", items);
  }

  #item({ children, lists }: ListItem, context: Context): Html {
    const { element, inItem } = this.#target;
    const nested = lists.map((list) => this.#list(list, context));
    return element("li", [...this.inlines(children, inItem(context)), ...nested]);
  }
}

function isMark(inline: Inline): inline is Mark {
  return inline.type in MARK_TAGS;
}
