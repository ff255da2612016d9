import { isObject } from "../wire/place.js";
import { revisionIn, tokensIn } from "../wire/write/revision.js";
import type { Ask, Told } from "./ask.js";
import { countRows } from "./count-rows.js";
import { isNamed, type ProbeThing, saysOf } from "./probe-thing.js";
import { guideAddress, uploadAddress, uploadName } from "./read-site.js";

/** What became of a thing that a probe made; `left`: why it is still there, or may be. */
export type Removal = { readonly left: string } | { readonly left: null; readonly says: string };

/** Deletes what a probe made, and looks whether it is gone. What has no id is looked for by its name, which no other thing has. */
export async function removeProbe(ask: Ask, root: string, thing: ProbeThing, signal: AbortSignal): Promise<Removal> {
  if (thing.id === null) {
    const lost = await find(ask, root, thing, signal);
    if (lost !== undefined) return lost;
  }
  return thing.what === "guide" ? removeGuide(ask, thing, signal) : removeUpload(ask, thing, signal);
}

const NAMELESS = "its answer was lost, and the site's lists could not tell whether it is there";

/** Fills in the id; a removal where there is nothing to remove, or no way to know. */
async function find(ask: Ask, root: string, thing: ProbeThing, signal: AbortSignal): Promise<Removal | undefined> {
  let allNamed = true;
  const isGuide = thing.what === "guide";
  const list = isGuide
    ? { list: "guides", path: "user/guides", query: "order=DESC&", id: (row: Row) => row["guideid"] }
    : { list: "images", path: "user/media/images", id: imageId };
  const { isWhole } = await countRows(
    ask,
    list,
    (row) => {
      const name = isGuide ? row["title"] : uploadName(row);
      if (typeof name !== "string") allNamed = false;
      const id = list.id(row);
      if (!isNamed(thing, name) || typeof id !== "number") return;
      thing.id = id;
      thing.json = undefined;
      thing.address = isGuide
        ? typeof row["url"] === "string"
          ? row["url"]
          : guideAddress(root, id)
        : uploadAddress(root, id);
    },
    signal,
  );
  if (thing.id !== null) return undefined;
  return isWhole && allNamed ? { left: null, says: `the ${thing.what} was never made` } : { left: NAMELESS };
}

type Row = Readonly<Record<string, unknown>>;

function imageId(row: Row): unknown {
  return isObject(row["image"]) ? row["image"]["id"] : (row["imageid"] ?? row["id"]);
}

/** Both tokens, each once more for a revision that moved. */
const TRIES = 4;

/** Which of the two revisions a site wants is not known (api-facts 3.10): a 409 tells the present ones. */
async function removeGuide(ask: Ask, thing: ProbeThing, signal: AbortSignal): Promise<Removal> {
  const path = `guides/${thing.id}`;
  if (thing.json === undefined) thing.json = (await ask({ path }, signal)).json;
  const refused = new Set<number>();
  for (let tries = 1; ; tries += 1) {
    const tokens = tokensIn(revisionIn(thing.json)).map(({ value }) => value);
    const revision = tokens.find((value) => !refused.has(value)) ?? 0;
    const told = await ask({ method: "DELETE", path: `${path}?revisionid=${revision}` }, signal);
    if (told.status !== 409 || tries === TRIES) return goneAfter(ask, told, path, `guide ${thing.id}`, signal);
    // Somebody made another guide of it: that is not ours to delete.
    if (isObject(told.json) && !isNamed(thing, told.json["title"]))
      return { left: "somebody gave it another title meanwhile" };
    refused.add(revision);
    thing.json = told.json;
  }
}

async function removeUpload(ask: Ask, { id }: ProbeThing, signal: AbortSignal): Promise<Removal> {
  const told = await ask({ method: "DELETE", path: `user/media/images/${id}` }, signal);
  const done = told.status !== null && told.status < 300;
  if (done || told.status === 404) return { left: null, says: `the upload ${id} was taken out of the media manager` };
  return { left: saysOf(told) };
}

/** An answer that was lost, and one that was wrong, are settled by a look. */
async function goneAfter(ask: Ask, told: Told, path: string, name: string, signal: AbortSignal): Promise<Removal> {
  const look = await ask({ path }, signal);
  if (look.status === 404 || look.status === 410) return { left: null, says: `${name} was deleted` };
  const done = told.status !== null && told.status < 300;
  // A deleted guide and a forbidden one look alike in places (api-facts 11.15); ours was never forbidden to us.
  if (done && look.status !== 200) return { left: null, says: `${name} was deleted` };
  return { left: done ? "the site said that it was deleted, and still shows it" : saysOf(told) };
}
