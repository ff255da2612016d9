import type { ReadAnswer } from "../../../transforms/convert/convert-document.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, NAMESPACES, wikiKey } from "../../core/model/key.js";
import { digest, isObject } from "../../core/util/json.js";
import { readGuide } from "../../service/wire/guide.js";
import type { ParseContext } from "../../service/wire/json-cursor.js";
import { readWiki } from "../../service/wire/wiki.js";

/**
 * The item of a service's own answer: that of `GET guides/{id}`, or of
 * `GET wikis/{namespace}/{title}`; undefined: it is neither. What other answers say of it (tags of
 * guides, viewers, parents of categories) is not there.
 */
export const readAnswer: ReadAnswer = (json, name) => {
  if (!isObject(json)) return undefined;
  const issues: Issue[] = [];
  const reading = (key: Key): ParseContext => ({
    key,
    endpoint: name,
    origin: "",
    report: (issue) => void issues.push(issue),
  });
  const common = { revision: digest(json), raw: { json }, translations: [], issues };
  const { guideid, steps, namespace, title, contents_raw: contents } = json;
  if (Number.isSafeInteger(guideid) && Array.isArray(steps)) {
    const key: Key = `guide/${String(guideid)}`;
    const { guide, media } = readGuide(json, reading(key));
    return { key, kind: "guide", body: guide, media, ...common };
  }
  const space = NAMESPACES.find((each) => each === namespace);
  if (space === undefined || typeof title !== "string" || title === "" || typeof contents !== "string")
    return undefined;
  const key = wikiKey(space, title);
  const { wiki, media } = readWiki(json, reading(key));
  return { key, kind: space === "CATEGORY" ? "category" : "wiki", body: wiki, media, ...common };
};
