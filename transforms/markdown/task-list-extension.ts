import type { CompileContext, Extension, Handle, Token } from "mdast-util-from-markdown";

/**
 * Reads the boxes of task lists. The parser may take the first text behind an empty item for that item's text; a box there is
 * no box, and the library for it would drop it.
 */
export const TASK_LIST: Extension = {
  exit: { taskListCheckValueChecked: check(true), taskListCheckValueUnchecked: check(false), taskListCheck: exitBox },
};

function check(checked: boolean): Handle {
  return function exitCheck() {
    const item = this.stack.at(-2);
    if (item?.type === "listItem") item.checked = checked;
  };
}

function exitBox(this: CompileContext, token: Token): void {
  if (this.stack.at(-2)?.type === "listItem") return;
  this.enter({ type: "text", value: this.sliceSerialize(token) }, token);
  this.exit(token);
}
