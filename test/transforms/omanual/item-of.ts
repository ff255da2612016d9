import type { GuideItem, WikiItem } from "../../../src/core/model/item.js";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import type { ItemOptions } from "../../../transforms/omanual/items/converting.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";

/** The guide item of a document with this content, which lies beside `others`. */
export function guideItemOf(content: string, others: readonly string[] = [], options: ItemOptions = {}): GuideItem {
  const item = itemOf(`<guide locale="en"><title>A</title>${content}</guide>`, others, options);
  if (item.kind !== "guide") throw new Error(`It is a ${item.kind}.`);
  return item;
}

export function categoryItemOf(content: string, others: readonly string[] = []): WikiItem {
  const item = itemOf(`<category locale="en">${content}</category>`, others);
  if (item.kind === "guide") throw new Error("It is a guide.");
  return item;
}

function itemOf(xml: string, others: readonly string[], options: ItemOptions = {}): GuideItem | WikiItem {
  const path = "a/guide.xml";
  const result = readManual(xml, { file: path });
  if (!result.ok) throw new Error(result.fault.message);
  const item = manualItem({ ...result, path, file: path }, createBundle([path, ...others], []), options);
  if (item === undefined) throw new Error("It is a manifest.");
  return item;
}

/** The codes of an item's issues. */
export function codesOf({ issues }: GuideItem | WikiItem): readonly string[] {
  return issues.map(({ code }) => code);
}
