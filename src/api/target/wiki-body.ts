import type { WikiFields } from "../../model/call.js";
import type { Key, Namespace } from "../../model/key.js";
import { mediaId, mediaIds } from "./media-ids.js";
import type { Work } from "./parts.js";
import { writeText } from "./write-text.js";

type Json = Readonly<Record<string, unknown>>;

/** Fields that only some namespaces have; one of another namespace is answered 422 (api-facts 8.3, 8.4). */
const FIELDS: Readonly<Record<Namespace, readonly string[]>> = {
  CATEGORY: ["description", "documents", "info"],
  ITEM: ["description", "info", "suppliers"],
  INFO: ["description"],
  WIKI: ["description", "documents", "table_of_contents"],
  TEAM: [],
  USER: [],
};

/** The body of POST /wikis (with namespace and title added) and of PATCH /wikis/{namespace}/{title}. */
export async function wikiBody(
  work: Work,
  fields: WikiFields,
): Promise<{ readonly json: Json; readonly missing: readonly Key[] }> {
  const missing = new Set<Key>();
  const documents = await mediaIds(work, fields.documents, "documents");
  const optional: Json = {
    description: fields.description === "" ? undefined : fields.description,
    documents: documents.length === 0 ? undefined : documents.map((documentid) => ({ documentid })),
    info: fields.info.length === 0 ? undefined : fields.info,
    suppliers: fields.suppliers.length === 0 ? undefined : fields.suppliers,
    table_of_contents: fields.tableOfContents === true ? true : undefined,
  };
  const allowed = Object.entries(optional).filter(
    ([name, value]) => value !== undefined && FIELDS[fields.namespace].includes(name),
  );
  const json = {
    contents: await writeText(work, fields.contents, "page", "contents", missing),
    display_title: fields.displayTitle ?? undefined,
    image: await mediaId(work, fields.image, "image"),
    ...Object.fromEntries(allowed),
  };
  return { json, missing: [...missing] };
}
