import type { Operation, Written } from "../core/contracts.js";
import type { CallOf, Verb } from "../core/model/call.js";
import type { Guide } from "../core/model/guide.js";
import type { Item } from "../core/model/item.js";
import { type Key, languageIn } from "../core/model/key.js";

/** An item of the snapshot beside what stands there. */
export interface Beside {
  /** Paths of fields that differ. */
  readonly differing: ReadonlySet<string>;
  readonly item: Item;
  readonly present: Item;
  /** Steps whose embed the account may put in again. */
  readonly embeds: ReadonlyMap<Key, number>;
  /** What stands there, under the snapshot's keys. */
  readonly written: ReadonlyMap<Key, Written>;
}

/** Has an operation of the snapshot's plan anything to do at the site as it stands? */
export function isOpen({ call }: Operation, beside: Beside): boolean {
  const ask = OPEN[call.verb] as (call: CallOf<Verb>, beside: Beside) => boolean;
  return ask(call, beside);
}

/** Fields that a guide's own edit carries; the others have calls of their own, or none. */
const GUIDE_FIELDS = [
  ...["title", "category", "type", "subject", "summary", "introduction", "conclusion", "difficulty", "timeRequired"],
  ...[
    "image",
    "introductionVideo",
    "documents",
    "featuredDocument",
    "prerequisites",
    "parts",
    "tools",
    "workLogEnabled",
  ],
] as const;

const PAGE_FIELDS = [
  ...["displayTitle", "contents", "description", "image", "documents", "info", "suppliers", "tableOfContents"],
] as const;

type Ask<V extends Verb> = (call: CallOf<V>, beside: Beside) => boolean;

const OPEN: { readonly [V in Verb]: Ask<V> } = {
  "save-guide": (_call, beside) => differsIn(beside, GUIDE_FIELDS),
  "save-step": ({ step }, beside) => !beside.written.has(step.key) || stepDiffers(step.key, beside),
  "delete-step": () => true,
  // Planned only where the order is another one.
  "order-steps": () => true,
  "add-tag": ({ tag }, { present }) => !tagsOf(present).includes(tag),
  "remove-tag": ({ tag }, { present }) => tagsOf(present).includes(tag),
  "add-viewer": ({ user }, { present }) => !viewersOf(present).users.some(({ id }) => id === user.id),
  "add-viewing-team": ({ team }, { present }) => !viewersOf(present).teams.some(({ id }) => id === team.id),
  "remove-viewer": ({ operation }, { present }) => isViewer(operation, present),
  "finish-guide": ({ author }, beside) => differsIn(beside, author === null ? ["flags"] : ["flags", "author"]),
  "set-visibility": (_call, beside) => differsIn(beside, ["public"]),
  "save-wiki": (_call, beside) => differsIn(beside, PAGE_FIELDS),
  "set-parent": (_call, beside) => differsIn(beside, ["parent"]),
  "finish-wiki": (_call, beside) => differsIn(beside, ["flags", "pageTitle"]),
  upload: () => false,
  // What is under a translation at home is its own business: a restore puts pages back in their own language.
  "save-translation": () => false,
  "translate-guide": () => false,
  "translate-step": () => false,
  // A home is not commented anew.
  "post-comment": () => false,
  // Planned only by who deletes.
  "delete-item": () => true,
  "put-back": () => true,
  "make-again": () => true,
};

function differsIn({ differing }: Beside, fields: readonly string[]): boolean {
  return [...differing].some((path) => fields.some((field) => isWithin(field, path)));
}

/** Comments and whether a bullet is one of the site's own no edit carries. */
function stepDiffers(key: Key, { differing, item, embeds }: Beside): boolean {
  const index = item.kind === "guide" ? item.body.steps.findIndex((step) => step.key === key) : -1;
  const lost = new Set(lostEmbeds(item, differing, embeds));
  return [...differing].some(
    (path) => isWithin(`steps[${index}]`, path) && !/\.(?:comments|bulletStyle)$/.test(path) && !lost.has(path),
  );
}

const TRANSLATED =
  /^(?:title|summary|introduction|conclusion|steps\.order|steps\.others|steps\[\d+\]\.(?:title|lines\b.*text))$/;

/** Paths of what differs and no call puts back: texts of translations, and embedded pages that the account doesn't have. */
export function beyondCalls({ item, differing, embeds }: Beside): readonly string[] {
  if (languageIn(item.key) === undefined) return lostEmbeds(item, differing, embeds);
  return [...differing].filter((path) => TRANSLATED.test(path));
}

/** Paths of steps that showed a page of another site, which no call puts in again. */
function lostEmbeds(item: Item, differing: ReadonlySet<string>, own: Beside["embeds"]): readonly string[] {
  const steps = item.kind === "guide" ? item.body.steps : [];
  const paths = steps.flatMap(({ key, media }, index) =>
    media.type === "embed" && !own.has(key) ? [`steps[${index}].media`] : [],
  );
  return paths.filter((path) => differing.has(path));
}

function isWithin(field: string, path: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

function tagsOf(item: Item): readonly string[] {
  return item.kind === "guide" || item.kind === "wiki" || item.kind === "category" ? item.body.tags : [];
}

function viewersOf(item: Item): NonNullable<Guide["viewers"]> {
  return (item.kind === "guide" ? item.body.viewers : null) ?? { users: [], teams: [] };
}

/** `guide/12/viewer/user/5` */
function isViewer(operation: string, present: Item): boolean {
  const [kind, id] = operation.slice(`${present.key}/viewer/`.length).split("/");
  const { users, teams } = viewersOf(present);
  return (kind === "user" ? users : teams).some((one) => String(one.id) === id);
}
