/** The levels at which a code is reported; see `Issue`. */
type CodeLevels =
  | "note"
  | "loss"
  | "error"
  | "note or loss"
  | "note or error"
  | "loss or error"
  | "note, loss or error";

/**
 * The levels, a sentence that says what the code means, and one that says what the reader can do.
 * Without the latter, that of the area in docs/reference/issue-codes.md applies.
 */
export type CodeRow = readonly [levels: CodeLevels, meaning: string, remedy?: string];

/** Rows by code. A code is stored in workspaces and in the output: it never changes. */
export type CodeTable<Code extends string = string> = Readonly<Record<Code, CodeRow>>;

const READ_AGAIN = "Run guideferry extract again.";

/** Reported while the source is read. */
const EXTRACT = {
  "bad-address": ["loss", "An address in an answer of the source is not an address.", "Correct it at the source."],
  "document-without-id": ["loss", "A document in an answer has no id.", "Attach the document again at the source."],
  "granular-permissions": [
    "loss",
    "The source manages viewers with granular permissions, which no public call reads.",
    "Set the viewers on the target by hand.",
  ],
  "image-without-id": ["loss", "An image in an answer has no id.", "Insert the image again at the source."],
  "introduction-embed": [
    "loss",
    "The introduction begins with an embed. Only a video can be loaded there.",
    "Insert the embed on the target by hand.",
  ],
  "list-cut": ["loss", "A list of the source ends before its last row.", READ_AGAIN],
  "media-ends-early": [
    "note",
    "A file of the source ends before the end of its format.",
    "Open the file at the source. If it is cut there too, upload it again.",
  ],
  "media-missing": [
    "error",
    "A file could not be downloaded.",
    "Run guideferry extract again. If the source does not have the file, upload it there or remove the reference.",
  ],
  "media-refused": [
    "loss",
    "The address of a file is not on the public internet, so guideferry does not download it.",
    "Correct the address at the source, or allow its host with --allow-private-media HOST.",
  ],
  "no-detail": [
    "note",
    "The source does not give the details of an image. Annotations and camera data are unknown.",
    "Extract with an account that may read them.",
  ],
  "no-endpoint": ["note", "The source does not have this API family."],
  "no-pending-version": [
    "note",
    "The newest edit could not be read. The approved version is used.",
    "Extract with an account that may read pending edits.",
  ],
  "no-xml": ["note", "The source does not give this item as XML."],
  "not-available": [
    "note",
    "The source does not have this data, or the account may not read it.",
    "Extract with an account that may read it.",
  ],
  "other-title": ["note", "The source returns the page under another title than the requested one."],
  "step-without-id": ["loss", "A step in an answer has no id.", "Save the guide again at the source."],
  "translation-field": ["loss", "A translation has fields of its own that translations cannot have on the target."],
  "unknown-bullet": ["note", "The bullet of a line is unknown. It becomes black.", "Choose a bullet at the source."],
  "unknown-difficulty": [
    "loss",
    "The difficulty is not one of the five that the service has.",
    "Choose the difficulty on the target by hand.",
  ],
  "unknown-media": ["loss", "The media of a step have an unknown type.", "Insert them on the target by hand."],
  "wrong-type": ["note or loss", "A value in an answer has another type than the service documents."],
  "xml-disagrees": ["note", "The JSON and the XML of an item differ. The JSON is used."],
  "xml-only": [
    "loss",
    "The item could be read only as XML, which does not have all fields.",
    "Extract with an account that may read the JSON.",
  ],
} as const satisfies CodeTable;

const SET_BY_HAND = "Set it on the target by hand.";
const USE_UPDATE = "Run again with --on-conflict update to write the version of the source.";
const RUN_AGAIN = "Run the same command again.";

/** Reported while items are planned, loaded, restored or undone. */
const LOAD = {
  archived: ["loss", "The guide is archived at the source. No public call archives a guide.", "Archive it by hand."],
  author: [
    "loss",
    "The author cannot be set on the target.",
    "For a guide, name the person with --user-map, or create the user on the target first.",
  ],
  "author-dropped": ["note", "The map of people says that the author has no match on the target."],
  "bullet-style": [
    "loss",
    "A bullet style belongs to the source site. The nearest bullet is used.",
    "Choose a style of the target by hand.",
  ],
  "comment-author": ["loss", "A comment is posted in the name of the account, with the date of the posting."],
  "comment-changed": ["loss", "A posted comment was edited at the source. No public call edits a comment."],
  "comment-gone": [
    "note",
    "A posted comment was deleted at the source and still exists on the target.",
    "Delete it by hand.",
  ],
  "comment-not-posted": ["loss", "A comment could not be posted.", "The workspace keeps its whole text."],
  "comment-reference": ["loss", "A comment refers to an item that is not on the target. It links to the source."],
  comments: ["loss", "Comments are not loaded.", "Run again with --post-comments to post them as the account."],
  "conflict-skipped": ["loss", "The target has a remote edit, which guideferry keeps.", USE_UPDATE],
  dates: ["loss", "The service sets the dates to the time of the load."],
  "deleted-at-target": [
    "note",
    "The item was deleted on the target and is recreated.",
    "To keep it deleted, delete it at the source too, or leave it out with --exclude.",
  ],
  embed: ["loss", "No public call creates an embed in a step.", "Insert it on the target by hand."],
  existing: [
    "error",
    "The target already has a page with this title, and --on-existing is fail.",
    "Choose --on-existing adopt to use that page, or --on-existing update to overwrite it.",
  ],
  "existing-adopted": [
    "note",
    "The target already has an item with this title. References lead to it, and it does not change.",
    "Run again with --on-existing update to replace its content with the source's.",
  ],
  "file-name": [
    "loss",
    "The file name gets 12 digits of the file's hash, so that guideferry finds the upload after a crash.",
  ],
  "gone-at-source": [
    "note",
    "The item was deleted at the source. The message says whether it still exists on the target.",
    "Delete it by hand, or run with --delete-removed.",
  ],
  "guide-translation": [
    "loss",
    "The target does not take translations of guides, or guideferry could not find out whether it does.",
    "Run again if the message says so. Otherwise translate the guide on the target by hand.",
  ],
  "image-markup": [
    "loss",
    "The annotations of an image are part of its pixels and cannot be edited.",
    "Keep the workspace: it has the original image and the annotations.",
  ],
  "left-out": ["note", "A transform leaves the item out. What earlier runs loaded stays on the target."],
  "limit-undecided": [
    "note",
    "The step limits of the target are unknown. The usual limits apply until the load probes the target.",
    "Load to find out, or give --assume-limits.",
  ],
  "media-not-there": [
    "loss",
    "A reference to a file is left out, because the file is not on the target.",
    "Look up the file in the list of failures, remove the cause and run again.",
  ],
  "merge-clash": [
    "loss",
    "The source and the target changed the same field. The remote edit is kept.",
    "Make both sides equal on the target, or run with --on-conflict update.",
  ],
  "merge-kept-theirs": [
    "note",
    "Only the target changed a field. The remote edit is kept.",
    "Copy the change to the source, or run with --on-conflict update after the next change at the source.",
  ],
  "moved-elsewhere": ["note", "Another workspace loaded the item (--map). References lead to that copy."],
  "no-upload": [
    "loss",
    "The target does not accept uploads of such files.",
    "Upload the file by hand. The workspace has the whole file.",
  ],
  "not-cleared": [
    "loss",
    "A field is empty at the source and filled on the target.",
    "Empty it on the target by hand.",
  ],
  "old-title-left": [
    "note",
    "The page has a new title. The page with the old title still exists on the target.",
    "Delete the page with the old title by hand.",
  ],
  "page-name": ["note", "The page of a user or team has the name that the user or team has on the target."],
  "page-translation": [
    "loss",
    "The target ignores the language of a write, so the translation of a page is not sent.",
    "Translate the page on the target by hand. The workspace has the whole text.",
  ],
  "parent-not-moved": [
    "loss",
    "The parent is not on the target. The page stays at the top.",
    "Choose the parent with --include.",
  ],
  "part-mark": ["loss", "The target does not mark parts and tools as optional or featured.", "Say so in the notes."],
  "personal-page": [
    "note or loss",
    "The page belongs to a user or team that has no match on the target.",
    "Name the match with --user-map or --team-map.",
  ],
  poster: ["loss", "No public call sets the poster of a video.", "The workspace and the backups keep it."],
  "prerequisite-not-moved": [
    "loss",
    "A prerequisite is not among the chosen items.",
    "Choose it with --include, or run without --no-dependencies.",
  ],
  "prerequisite-waiting": ["loss", "A prerequisite is not on the target yet.", "Load it and run again."],
  "private-at-target": [
    "loss",
    "The guide is public at the source and private on the target.",
    "Follow the remedy of the issue: it depends on the reason.",
  ],
  "probe-left": [
    "loss",
    "A probe of the target could not delete what it created.",
    "Delete it on the target by hand. The next load tries again.",
  ],
  quiz: ["loss", "No public call attaches a quiz to a guide.", "Attach one on the target by hand."],
  "reference-dangling": [
    "note or loss",
    "A reference has no link target.",
    "Remove the reference at the source, or load its link target.",
  ],
  "reference-kept": ["note", "A reference stays as it is, because no item of the source is meant."],
  "reference-waiting": [
    "loss",
    "A link target is not on the target yet. The reference links to the source or is left out.",
    "Load the link target and run again.",
  ],
  "refused-by-site": ["note or loss", "The target refused a value.", "Set it with an account that may, or by hand."],
  releases: ["loss", "No public call creates a release.", "The workspace has the release as a record."],
  "sibling-order": ["loss", "No public call orders the children of a category.", "Order the categories by hand."],
  "transform-failed": ["error", "A transform failed for the item.", "Correct the transform, or run without it."],
  "translation-gone": [
    "note",
    "A translation was deleted at the source and still exists on the target.",
    "Delete it by hand. For a translation of a page, --delete-removed does it too.",
  ],
  "translation-refused": [
    "loss",
    "The target refused a translation.",
    "Switch the language on in the settings of the target.",
  ],
  "translation-step": ["loss", "The translated guide does not have a step of the translation.", RUN_AGAIN],
  "translation-undecided": [
    "note",
    "It is unknown whether the target takes translations of guides.",
    "Load to find out: the load creates a private guide and deletes it.",
  ],
  "video-not-ready": ["note", "The target has not converted a video yet.", "If its step fails, run again later."],
  viewer: [
    "loss",
    "A user or team that may see the private guide is unknown on the target.",
    "Name the match with --user-map or --team-map, or create the user or team first.",
  ],
  "viewer-dropped": ["note", "The map of people says that a viewer has no match on the target."],
  "viewers-switched-off": ["loss", "The target does not have viewers of single guides.", SET_BY_HAND],
  "will-fail": ["error", "The plan shows that the load of the item will fail.", "Follow the message of the issue."],
  "work-log": ["loss", "The work log is enabled at the source. The target does not have work logs."],
} as const satisfies CodeTable;

/**
 * Reported where content breaks a limit of the target. `FIT_RULES` of transforms/fit has the
 * limits and the effect of each policy.
 */
export type FitCode =
  | "difficulty"
  | "flag-not-settable"
  | "guide-type"
  | "image-too-small"
  | "introduction-too-long"
  | "line-empty"
  | "line-level"
  | "line-too-long"
  | "media-refused"
  | "page-title-too-long"
  | "part-name"
  | "part-quantity"
  | "step-too-many-images"
  | "step-too-many-lines"
  | "step-without-lines"
  | "subject-missing"
  | "summary-too-long"
  | "tag-too-long"
  | "upload-extension"
  | "upload-image-type"
  | "upload-too-large"
  | "upload-too-small"
  | "video-too-small";

/** The codes of items, by the area that reports them. */
export const SITE_CODES = { extract: EXTRACT, load: LOAD } as const;
