import { EXIT, FerryError } from "../../src/core/errors.js";
import type { GuideItem, WikiItem } from "../../src/core/model/item.js";
import { type Key, kindOf, wikiOf } from "../../src/core/model/key.js";
import { bundleOfOne } from "./items/bundle.js";
import type { ItemOptions } from "./items/converting.js";
import { manualItem } from "./items/manual-items.js";
import { readManual } from "./read-manual.js";

/** A service's answer of `type=XML`. */
export interface ServiceAnswer {
  /** The guide, translation or category that was asked for: what the item is called, whatever the answer calls it. */
  readonly key: Key;
  readonly xml: string;
  /** How messages name it. */
  readonly file: string;
  readonly site: NonNullable<ItemOptions["site"]>;
}

/**
 * The answer as an item of the model.
 * @throws FerryError with file, line, column and element for an answer that can't be read, or is about something else
 */
export function readAnswer({ key, xml, file, site }: ServiceAnswer): GuideItem | WikiItem {
  const result = readManual(xml, { file });
  if (!result.ok) throw unreadable(key, result.fault.message);
  const path = "answer.xml";
  const item = manualItem({ ...result, path, file }, bundleOfOne(path, key), { site });
  if (item?.kind !== kindOf(key)) throw unreadable(key, `${file} answers with a ${result.manual.kind}.`);
  const issues = item.issues.map((issue) => ({ ...issue, key }));
  if (item.kind === "guide") return { ...item, key, issues };
  return { ...item, key, issues, body: { ...item.body, title: wikiOf(key).title } };
}

function unreadable(key: Key, what: string): FerryError {
  return new FerryError(
    `The XML of ${key} can't be read. ${what} Run the same command again later, or with --format json, which leaves XML alone.`,
    { exitCode: EXIT.someFailed },
  );
}
