/** One way to do an operation. */
export interface Contender<State = unknown> {
  /** As it stands above its column. */
  readonly name: string;
  /** What is read, for the number of bytes. */
  readonly text: string;
  /** What is not measured, before each run: some parsers keep the text that a tree prints. */
  readonly prepare: () => State;
  readonly run: (state: State) => unknown;
}

export interface Operation {
  readonly name: string;
  readonly contenders: readonly Contender[];
}

/** A contender that needs nothing but its text. */
export function reading(name: string, text: string, run: (text: string) => unknown): Contender {
  return { name, text, prepare: () => text, run: () => run(text) };
}

/** A contender that works on a tree; the tree is made anew for each run. */
export function onTree<Tree>(
  name: string,
  text: string,
  prepare: (text: string) => Tree,
  run: (tree: Tree) => unknown,
): Contender {
  // Each state comes from its own `prepare`.
  return { name, text, prepare: () => prepare(text), run: (state) => run(state as Tree) };
}
