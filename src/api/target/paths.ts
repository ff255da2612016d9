import { type Key, kindOf, restOf, wikiOf } from "../../model/key.js";
import { segment } from "../client.js";

/** The path of a guide or wiki at the target, relative to the API root; without an id, that of the same page there. */
export function pathOf(key: Key, id: string | undefined): string {
  if (kindOf(key) === "guide") return `guides/${id ?? restOf(key)}`;
  const { namespace, title } = wikiOf(key);
  return `wikis/${namespace}/${segment(id === undefined ? title : titleAtTarget(key, id))}`;
}

/** The title in the id of a wiki or category: ids of one kind are unique, titles only within a namespace. */
export function titleAtTarget(key: Key, id: string): string {
  return kindOf(key) === "wiki" ? id.slice(id.indexOf("/") + 1) : id;
}
