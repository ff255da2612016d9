/**
 * Reported by the parser of the wiki syntax where a text has another reading (wiki-syntax 7). The
 * sentence is the message of the issue too.
 */
export const WIKI_CODES = {
  "unpaired-mark": ["note", "A marker has no partner in its block. It is read as text."],
  "ambiguous-apostrophes": [
    "note",
    "A run of apostrophes has several readings. It closes what is open and opens with the rest; what remains is text.",
  ],
  "nested-apostrophes": [
    "note",
    "Five apostrophes open bold and italic at once. The one that closes first is the inner one.",
  ],
  "blank-in-mark": ["note", "A space follows an opening marker. It is read as a marker nevertheless."],
  "odd-italics": [
    "note",
    "The block has an odd number of double apostrophes, so one may be an inch mark. They are paired from the left.",
  ],
  "marker-run": [
    "note",
    "A run has more than two marks of one kind. Marks that do not open or close anything are read as text.",
  ],
  "crossing-marks": ["note", "Two marks cross instead of nesting. The inner one is divided in two."],
  "unknown-macro": ["note", "A macro has an unknown keyword or no usable target. It is read as text."],
  "macro-in-label": ["note", "A macro is inside of another macro. Only the inner one is read as a macro."],
  "unclosed-macro": ["note", "A macro is not closed in its block. It is read as text."],
  "bracket-in-label": ["note", "A bracket inside of a macro is not closed. The first closing bracket ends the macro."],
  "pipe-in-label": ["note", "A macro has more fields than it can have. They are read as one label with pipes."],
  "equals-in-label": [
    "note",
    "The label of a link contains an equals sign. Only known names are parameters, so it is read as a label.",
  ],
  "marks-in-label": [
    "note",
    "The label of a link contains marks. How the site shows them is unknown; they are read as marks.",
  ],
  "url-punctuation": ["note", "Punctuation follows an address. It is not read as a part of the address."],
  "url-cut": ["note", "A marker is inside of an address. The address ends before the marker."],
  "uneven-heading": [
    "note",
    "A line begins with equals signs and does not end with the same number. It is read as text.",
  ],
  "equals-in-heading": ["note", "A heading contains equals signs. They are read as its text."],
  "top-heading": ["note", "A heading has level 1, which sites are not known to have. It is read as a heading."],
  "list-without-space": ["note", "No space follows a list marker. The line is read as an item."],
  "deep-list": ["note", "A list marker is longer than lists can be deep. It counts as the deepest level."],
  "text-after-block": ["note", "Text follows a block without an empty line. It is read as a new paragraph."],
  "media-in-text": ["note", "A video or a list of guides is next to text. It is read as a block of its own."],
  "media-in-words": [
    "note",
    "A video or a list of guides is in an item, a heading, a name or a mark. It stays there.",
  ],
  "guide-card": ["note", "A guide link without a label is alone on its line. It is read as the card of the guide."],
  "single-newline": [
    "note",
    "A paragraph contains a single line end. How the site shows it is unknown; it is read as text.",
  ],
  "carriage-return": ["note", "The text has carriage returns. They stay as they are."],
  "odd-blank": ["note", "The text has tabs or non-breaking spaces. They stay as they are."],
  entity: ["note", "The text has entities of HTML. They stay as text, which the site may show as it is written."],
  "block-in-text": ["note", "Markup of a block is inside of text. It is read as text."],
  "block-in-line": ["note", "Lines of steps do not have blocks. This markup of a block is read as text."],
} as const;

/** Reported while a text is converted, by the format that is read. */
const READ = {
  "block-flattened": ["loss", "A block is not allowed at this place. Its words are kept."],
  "block-in-item": ["loss", "An item of wiki text cannot contain this block. It becomes a line or follows the item."],
  "block-in-line": ["loss", "Lines of steps do not have blocks. The words of the blocks are kept."],
  "blocks-joined": ["loss", "Blocks that were on separate lines are on one line."],
  "code-language": ["loss", "Wiki text does not have the language of code."],
  "dead-guide": [
    "loss",
    "The site replaced a link to a guide that does not exist. HTML has neither its id nor its label.",
    "Convert the wiki text instead of the HTML.",
  ],
  "deep-list": ["loss", "A list is deeper than lists of wiki text can be. It continues at the deepest level."],
  "element-too-deep": ["loss", "An element is nested too deep. Its words are kept."],
  "element-unknown": ["loss", "Wiki text does not have this element. Its words are kept."],
  "empty-node": ["note", "A part without content is left out."],
  footnote: ["loss", "Wiki text does not have footnotes. The footnote becomes a number in brackets."],
  "frame-to-link": ["loss", "A frame or a video cannot be embedded. It becomes a link."],
  "guide-list": ["loss", "The rule of a list of guides is not in the HTML. Its guides become links."],
  "heading-level": ["note or loss", "The heading cannot have this level. It gets the nearest one."],
  "image-address": [
    "loss",
    "Wiki text can show only images of the site. The image becomes a link.",
    "Upload it first.",
  ],
  "image-field": ["loss", "Wiki text does not have this property of an image."],
  "image-text": ["loss", "There is no place for the alternative text of an image."],
  "image-title": ["loss", "There is no place for the title of an image."],
  "image-without-id": ["loss", "An image has no id of the site. It becomes a link or is left out.", "Upload it first."],
  "item-paragraphs": ["loss", "An item of wiki text is one line. Forced line breaks divide its paragraphs."],
  "item-reordered": [
    "loss",
    "An item of wiki text has its lists at the end. The parts of the item change their order.",
  ],
  "link-address": ["loss", "A link cannot have this address. Its label is kept."],
  "link-dropped": ["loss", "A link cannot have this address. Its label is kept."],
  "link-over-macro": ["loss", "An image or a macro cannot be a link in wiki text. The link is next to it."],
  "link-target": ["loss", "Wiki text does not have this target of links."],
  "link-title": ["loss", "Wiki text does not have titles of links."],
  "link-without-label": ["loss", "A link has no label."],
  "linked-image": ["loss", "An image cannot be a link in wiki text. The link is next to it."],
  "list-start": ["loss", "Lists of wiki text begin with 1."],
  "lists-joined": ["loss", "Two lists of one kind in one item become one list."],
  "markdown-too-deep": ["error", "The Markdown is nested too deep. It is read as plain text."],
  "markup-in-code": ["loss", "A code block contains only text. The text of its other content is kept."],
  "marks-dropped": ["loss", "Marks next to each other cannot be written in wiki text. The text is kept without them."],
  "markup-as-text": ["loss", "The markup cannot be written at this place. It is kept as text."],
  "markup-neutralised": ["note", "Characters without width, or wide brackets, keep text from becoming markup."],
  "media-in-line": ["loss", "A line of a step does not show videos. The video becomes a link."],
  "misplaced-node": ["loss", "A node of the document tree is not allowed at this place. Its text is kept."],
  "nested-quote": ["loss", "Quotations do not nest in wiki text. The content of the inner one is kept."],
  neutralised: ["note or loss", "Plain text would become markup. It is replaced or divided."],
  "no-document": ["error", "The JSON is not a document tree."],
  "node-attribute": ["loss", "Wiki text does not have this attribute of a node."],
  "quote-field": ["loss", "A document tree does not have this field of a quotation."],
  "quote-format": ["loss", "A quotation cannot have this format."],
  "quote-in-quote": ["loss", "Quotations do not nest in wiki text. The content of the inner one is kept."],
  "raw-html": ["loss", "Wiki text cannot express all of the HTML."],
  "reads-differently": ["loss", "The text reads back differently from wiki text.", "Rewrite the text more simply."],
  "rule-dropped": ["loss", "Wiki text does not have horizontal rules."],
  "table-to-list": ["loss", "The table syntax of sites is not public. The table becomes a list."],
  "task-list": ["loss", "Wiki text does not have task lists. The check box becomes text."],
  "thematic-break": ["loss", "Wiki text does not have horizontal rules."],
  "title-dropped": ["loss", "Wiki text does not have this title."],
  "too-deep": ["error", "The document tree is nested too deep. The text below is kept."],
  "top-heading": ["note", "A heading has level 1, which sites are not known to have."],
  "unknown-mark": ["loss", "Wiki text does not have this mark. Its text is kept."],
  "unknown-node": ["loss", "Wiki text does not have this node. Its text is kept."],
  "video-without-address": ["loss", "The box of a video is empty."],
} as const;

/** Reported while a text is written as HTML or Markdown. */
const WRITE = {
  "kept-as-wiki": ["note or loss", "Markdown cannot express this part. It stays wiki text."],
  "link-address": ["loss", "A link cannot have this address. Its label is written."],
  "link-field": ["loss", "HTML does not have this field of a link."],
  "media-words": ["loss", "The effect of these words of an image or a video is unknown."],
  "not-looked-up": ["loss", "Only the site knows what the id stands for. The id is written."],
  "page-data": ["loss", "HTML does not show this fact about the page."],
  "relative-links": ["note", "Links to pages of the site are relative.", "Give the address of the site with --origin."],
  "video-address": ["note or loss", "HTML has only the id of a video. The rest of its address is left out."],
} as const;

/** Reported while a guide or category is read from a page, or written as one. */
const PAGE = {
  "fact-twice": ["loss", "A fact occurs twice. The first one is used."],
  "file-words": ["loss", "The words for a file are not its name."],
  "front-matter": ["loss", "The front matter has fields other than the title."],
  "guide-id": ["note", "A guide of oManual 1.0 does not have an id. Its file name has the id."],
  "image-address": ["loss", "The text can show only images of the site. The image becomes a link."],
  "level-clamped": ["loss", "A line is deeper than the three levels of a step."],
  "not-on-page": ["note or loss", "A page does not have a place for this field."],
  "numbered-lines": ["note", "Lines of a step have bullets. The numbers are left out."],
  "page-differs": ["loss", "The page reads back with another value."],
  "plain-words": ["loss", "A field contains only words. The markup is left out."],
  "step-images": ["loss", "A step shows at most 3 images or one video. A line names the image.", "Divide the step."],
  "text-markup": ["loss", "The page cannot express all markup of a text."],
  "text-spelling": ["note", "The text reads back with the same meaning and another spelling."],
  "unknown-fact": ["loss", "The value of a fact cannot be read.", "Write it as the message says."],
} as const;

/** The codes of texts, by the area that reports them. */
export const TEXT_CODES = { wiki: WIKI_CODES, read: READ, write: WRITE, page: PAGE } as const;

export type TextCode = { [Area in keyof typeof TEXT_CODES]: keyof (typeof TEXT_CODES)[Area] }[keyof typeof TEXT_CODES];

/**
 * A fact about a text; the caller adds the key and the path of the item. `note`: nothing is lost,
 * or another reading is possible. `loss`: something is not carried. `error`: a part is not taken.
 */
export interface TextIssue {
  readonly code: TextCode;
  readonly level: "note" | "loss" | "error";
  /** One sentence: what, and how it was read. */
  readonly message: string;
  /** UTF-16 offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}
