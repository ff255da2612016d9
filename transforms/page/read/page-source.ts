import type { MediaUse } from "../../../src/core/model/media.js";
import type { ConvertIssue } from "../../convert/setting.js";
import type { Draft, Tell } from "../../settle/draft.js";
import type { FileRole, TextField } from "../marks.js";

/** A piece of a page that is read, in the order in which it stands there. */
export type PagePiece =
  /** A block as its format said it, its texts not settled yet. */
  | { readonly type: "block"; readonly draft: Draft }
  /** Blocks that a page says to be one of its texts. */
  | { readonly type: "text"; readonly field: TextField; readonly drafts: readonly Draft[] }
  | {
      readonly type: "file";
      readonly role: FileRole;
      readonly id: number | null;
      readonly name: string;
      readonly address: string;
      readonly tell: Tell;
    };

/**
 * A page as far as its format says what it is. Images that a page shows by their address are images of derived ids in its
 * blocks (`PageMedia`), so that they stay where they stand.
 */
export interface PageSource {
  readonly pieces: readonly PagePiece[];
  readonly images: PageMedia;
  readonly issues: readonly ConvertIssue[];
}

/** By the id in the blocks. */
export type PageMedia = ReadonlyMap<string, PageImage>;

export interface PageImage {
  readonly use: Omit<MediaUse, "path">;
  /** As the page writes it. */
  readonly address: string;
  /** What it shows, in words that are no file's name; empty: none. */
  readonly words: string;
}
