import type { Issue } from "../../../src/core/model/issue.js";
import type { GuideItem, ItemOf } from "../../../src/core/model/item.js";
import type { Tell } from "./finding.js";
import { manualOfCategory } from "./items/from-category.js";
import { manualOfGuide } from "./items/from-guide.js";
import { NO_CONTEXT, type WriteContext } from "./items/write-context.js";
import { writeManual } from "./write-manual.js";
import { holdableIn } from "./xml-characters.js";

export interface WrittenItem {
  readonly xml: string;
  /** What the document can't say of the item, or says in another way. */
  readonly issues: readonly Issue[];
}

/** A guide or category as a document of oManual 1.0. */
export function writeItem(item: GuideItem | ItemOf<"category">, context: WriteContext = NO_CONTEXT): WrittenItem {
  const issues: Issue[] = [];
  const tell = (finding: Omit<Issue, "key">) => void issues.push({ ...finding, key: item.key });
  const manual =
    item.kind === "guide"
      ? manualOfGuide({ ...item, body: holdableBody(item.body, tell) }, context, tell)
      : manualOfCategory({ ...item, body: holdableBody(item.body, tell) }, context, tell);
  return { xml: writeManual(manual, tell), issues };
}

/** Fields that are not written. */
const UNWRITTEN = ["html", "tree", "comments", "tags", "suppliers", "viewers", "url"];

/** Here rather than in the document, so that issues say where it stands in the model. */
function holdableBody<B extends object>(body: B, tell: Tell): B {
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => UNWRITTEN.includes(name)));
  const written = Object.fromEntries(Object.entries(body).filter(([name]) => !UNWRITTEN.includes(name)));
  return { ...kept, ...holdableIn(written, "", tell) } as B;
}
