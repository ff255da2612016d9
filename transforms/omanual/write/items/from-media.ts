import { idIn, type Key } from "../../../../src/core/model/key.js";
import type { ManualGuide, ManualImage } from "../../manual.js";
import { attributeText, siteId } from "./fields.js";
import { mediumOf, type Writing } from "./write-context.js";

export function imageOf(key: Key | null, path: string, writing: Writing): ManualImage | null {
  const file = key === null ? undefined : mediumOf(key, path, writing);
  return file === undefined ? null : { path: file, sizes: {}, order: null, id: null, guid: null };
}

/** A site's flags are known by their ids; title and notice are its own. */
export function flagsOf(flags: readonly string[], writing: Writing): ManualGuide["flags"] {
  return flags.map((id, index) => ({
    id: attributeText(id, `flags[${index}]`, writing),
    title: id,
    image: null,
    text: "",
  }));
}

export function documentsOf(keys: readonly Key[], writing: Writing): ManualGuide["documents"] {
  return keys.flatMap((key, index) => {
    const text = mediumOf(key, `documents[${index}]`, writing);
    return text === undefined
      ? []
      : [{ id: siteId(idIn(key)), text, url: null, downloadUrl: null, type: null, date: null }];
  });
}
