import { type Key, type Kind, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { segment } from "../client.js";

/** The path of a guide, wiki or media item at the target, relative to the API root; without an id, that of the same page there. */
export function pathOf(key: Key, id: string | undefined): string {
  const folder = FOLDERS[kindOf(key)];
  if (folder !== undefined) return `${folder}/${id ?? restOf(key)}`;
  const { namespace, title } = wikiOf(key);
  return `wikis/${namespace}/${segment(id === undefined ? title : titleAtTarget(key, id))}`;
}

const FOLDERS: Readonly<Partial<Record<Kind, string>>> = {
  guide: "guides",
  image: "media/images",
  video: "media/videos",
  document: "media/documents",
};

/** The title in the id of a wiki or category: ids of one kind are unique, titles only within a namespace. */
export function titleAtTarget(key: Key, id: string): string {
  return kindOf(key) === "wiki" ? id.slice(id.indexOf("/") + 1) : id;
}
