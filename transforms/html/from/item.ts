import type { Block, GuideList, Image, Inline, ListItem, MarkType, Video } from "../../wiki/tree.js";

/** What an element becomes: words or blocks, or a part that waits for the element around it. */
export type Item = Inline | Block | ListItem | Cell | Row | Attribution;

/** A cell of a table. */
export interface Cell {
  readonly type: "cell";
  readonly header: boolean;
  readonly children: readonly Inline[];
}

/** A row of a table. */
export interface Row {
  readonly type: "row";
  readonly cells: readonly Cell[];
}

/** Who said a quotation. */
export interface Attribution {
  readonly type: "attribution";
  readonly children: readonly Inline[];
}

const MARKS: readonly MarkType[] = ["strong", "emphasis", "underline", "strike", "superscript", "subscript", "code"];

const INLINES: ReadonlySet<string> = new Set<Inline["type"]>([
  ...MARKS,
  "text",
  "break",
  "link",
  "image",
  "video",
  "guideList",
  "opaque",
]);

/** Whether an item stands among words. */
export function isInline(item: Item): item is Inline {
  return INLINES.has(item.type);
}

/** Whether an inline is a picture, a film or a list of guides: what a block can be made of. */
export function isMedium(item: Item): item is Image | Video | GuideList {
  return item.type === "image" || item.type === "video" || item.type === "guideList";
}
