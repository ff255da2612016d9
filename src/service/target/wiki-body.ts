import type { Written } from "../../core/contracts.js";
import type { WikiFields } from "../../core/model/call.js";
import type { Key, Namespace } from "../../core/model/key.js";
import { clearing } from "./filled.js";
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

const NAMED_BY_SITE: ReadonlySet<Namespace> = new Set(["USER", "TEAM"]);

/** The body of POST /wikis (with namespace and title added) and of PATCH /wikis/{namespace}/{title}. `before`: the page as we last left it. */
export async function wikiBody(
  work: Work,
  fields: WikiFields,
  before: Written | undefined,
): Promise<{ readonly json: Json; readonly missing: readonly Key[] }> {
  const missing = new Set<Key>();
  const documents = await mediaIds(work, fields.documents, "documents", missing);
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
    // People and teams go by their own names (api-facts 8.4).
    display_title: NAMED_BY_SITE.has(fields.namespace) ? undefined : (fields.displayTitle ?? undefined),
    image: await mediaId(work, fields.image, "image", missing),
    ...Object.fromEntries(allowed),
    ...clearing("wiki", before, emptyIn(fields)),
  };
  return { json, missing: [...missing] };
}

/** What is empty at the source, by the names of writing. */
function emptyIn(fields: WikiFields): readonly string[] {
  const empty: Readonly<Record<string, boolean>> = {
    image: fields.image === null,
    description: fields.description === "",
    info: fields.info.length === 0,
    suppliers: fields.suppliers.length === 0,
    documents: fields.documents.length === 0,
    table_of_contents: fields.tableOfContents !== true,
  };
  return Object.keys(empty).filter(
    (name) => empty[name] && (name === "image" || FIELDS[fields.namespace].includes(name)),
  );
}
