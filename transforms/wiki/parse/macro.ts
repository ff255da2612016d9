import type { Parameter, Position } from "../tree.js";
import type { ReadInline } from "./read-inline.js";
import type { Source } from "./source.js";

/** The parts of a macro from its first bracket to its last, as `Link` shows them. */
export interface Fields {
  readonly open: string;
  readonly target: string;
  readonly leading: readonly Parameter[];
  readonly bar: string;
  readonly label: Position | undefined;
  readonly parameters: readonly Parameter[];
  readonly close: string;
  readonly position: Position;
  /** Whether the label was made of several fields. */
  readonly joined: boolean;
}

/** What is known of a macro by its keyword. */
export type Macro = TextMacro | BlockMacro;

export interface TextMacro {
  /** Where it may stand: in any text, or in the text of pages alone. */
  readonly place: "text" | "page";
  /** What stands behind the target: parameters, or a label with parameters at its edges. `only-parameters`: there is no target. */
  readonly fields: "label" | "parameters" | "only-parameters";
  /** undefined when the target is none: the macro then stays opaque. */
  readonly read: (source: Source, fields: Fields) => ReadInline | undefined;
}

/** A macro that is a block of its own and nothing inside of text. */
export interface BlockMacro {
  readonly place: "block";
  readonly fields: "parameters";
}

/** The beginning of a macro: a bracket and its keyword, address or title. */
export interface Head {
  /** Lower case; an address's or a title's is "". */
  readonly keyword: string;
  /** undefined: a keyword that is not known. */
  readonly macro: Macro | undefined;
  /** Brackets that close it: 2 of a link to a wiki page. */
  readonly width: 1 | 2;
  /** Where the first field begins. */
  readonly fields: number;
  /** Where reading goes on. */
  readonly next: number;
}
