import type { Call, CallOf, GuideFields, WikiFields } from "../../core/model/call.js";
import type { Person, Team } from "../../core/model/identity.js";
import {
  type Guide,
  type GuideItem,
  type Item,
  ownPageTitle,
  type Step,
  type Wiki,
  type WikiItem,
} from "../../core/model/item.js";
import { type Key, kindOf, languageIn, wikiKey } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Loaded, Operation } from "../../core/writing.js";
import { planComments } from "./comments.js";
import { planGuideTranslation } from "./guide-translation.js";
import { planMedia } from "./media.js";
import { planTranslations } from "./page-translation.js";
import { operation, type PlanOptions } from "./planned-operation.js";

/** Content, then the parent, then tags, then flags. An adopted page does not change. */
function planWiki(item: WikiItem, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  if (loaded.written.get(item.key)?.adopted === true && options.onExisting !== "update") return [];
  const label = labelOf(item.body);
  const save = operation(
    {
      id: item.key,
      item: item.key,
      label,
      call: { verb: "save-wiki", wiki: item.key, fields: wikiFields(item.body) },
      needs: mediaOf(item.body, options),
    },
    options.output,
  );
  return [
    save,
    ...planTranslations(item, loaded, label, options),
    ...parentOperation(item, loaded, label, options),
    ...planTags(item.key, label, item.body.tags, loaded, options),
    ...finishOperation(item, loaded, label, options),
    ...planComments(item, loaded, label, options),
  ];
}

function parentOperation(item: WikiItem, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  if (item.kind !== "category") return [];
  const id = `${item.key}/parent`;
  // A new category is at the top level: only a moved one needs a call.
  if (item.body.parent === null && !loaded.operations.has(id)) return [];
  const parent = item.body.parent === null ? null : wikiKey("CATEGORY", item.body.parent);
  return [
    operation(
      { id, item: item.key, label: `${label}, its parent`, call: { verb: "set-parent", wiki: item.key, parent } },
      options.output,
    ),
  ];
}

function finishOperation(item: WikiItem, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  const id = `${item.key}/finish`;
  const pageTitle = ownPageTitle(item.body);
  if (item.body.flags.length === 0 && pageTitle === null && !loaded.operations.has(id)) return [];
  const call = { verb: "finish-wiki", wiki: item.key, flags: item.body.flags, pageTitle } as const;
  return [
    operation({ id, item: item.key, label: `${label}, flags and page title`, call, phase: "finish" }, options.output),
  ];
}

function mediaOf(wiki: Wiki, options: PlanOptions): readonly Key[] {
  const direct = wiki.image === null ? wiki.documents : [wiki.image, ...wiki.documents];
  return [...new Set([...direct, ...options.mediaIn(wiki.contents, "page")])];
}

function labelOf(wiki: Wiki): string {
  return wiki.namespace === "CATEGORY" ? `category "${wiki.title}"` : `${wiki.namespace} page "${wiki.title}"`;
}

function wikiFields(wiki: Wiki): WikiFields {
  return {
    namespace: wiki.namespace,
    title: wiki.title,
    language: wiki.language,
    displayTitle: wiki.displayTitle,
    contents: wiki.contents,
    description: wiki.description,
    image: wiki.image,
    documents: wiki.documents,
    info: wiki.info,
    suppliers: wiki.suppliers,
    tableOfContents: wiki.tableOfContents,
  };
}

/** Fields, steps, their order, tags, viewers; then flags and people; then visibility. */
function planGuide(item: GuideItem, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const language = languageIn(item.key);
  if (language !== undefined) return planGuideTranslation(item, language, options);
  const guide = item.body;
  const there = loaded.written.get(item.key);
  const isAdopted = there?.adopted === true && options.onExisting !== "update";
  // An adopted guide does not change. A private one that is public at the source is checked.
  if (isAdopted && !(guide.public && there.facts["public"] !== true)) return [];
  const label = `guide ${guide.id} "${guide.title}"`;
  const make: MakeOperation = (suffix, part, call, extra = {}) =>
    operation(
      {
        id: suffix === "" ? item.key : `${item.key}/${suffix}`,
        item: item.key,
        label: part === "" ? label : `${label}, ${part}`,
        call,
        ...extra,
      },
      options.output,
    );
  const save = { verb: "save-guide", guide: item.key, fields: guideFields(guide) } as const;
  if (isAdopted) return [make("", "", save)];
  return [
    make("", "", save, { needs: mediaOfGuide(guide, options) }),
    ...stepOperations(item, loaded, options, make),
    ...planTags(item.key, label, guide.tags, loaded, options),
    ...planViewers(item, loaded, options, make),
    make(
      "finish",
      "flags and author",
      { verb: "finish-guide", guide: item.key, flags: guide.flags, author: knownAuthor(guide.author, options) },
      { phase: "finish" },
    ),
    ...planComments(item, loaded, label, options),
    ...visibilityOperation(item, loaded, make),
  ];
}

type MakeOperation = (
  suffix: string,
  part: string,
  call: Call,
  extra?: { needs?: readonly Key[]; phase?: "finish" | "publish" },
) => Operation;

function stepOperations(
  item: GuideItem,
  loaded: Loaded,
  options: PlanOptions,
  make: MakeOperation,
): readonly Operation[] {
  const wanted = new Set(item.body.steps.map((step) => step.key));
  const gone = [...loaded.written.keys()].filter((key) => kindOf(key) === "step" && !wanted.has(key));
  return [
    ...gone.map((step) =>
      make(step, "a step that was deleted at the source", { verb: "delete-step", guide: item.key, step }),
    ),
    ...item.body.steps.map((step, index) =>
      make(
        step.key,
        `step ${index + 1}`,
        { verb: "save-step", guide: item.key, step: withoutComments(step) },
        { needs: mediaOfStep(step, options) },
      ),
    ),
    ...orderOperation(item, loaded, make),
  ];
}

/** Steps are created at the end, so one call orders them if the order is wrong. */
function orderOperation(item: GuideItem, loaded: Loaded, make: MakeOperation): readonly Operation[] {
  const wanted = item.body.steps.map((step) => step.key);
  const keyOfId = new Map(
    [...loaded.written.values()].filter(({ key }) => kindOf(key) === "step").map(({ key, id }) => [id, key]),
  );
  const steps = loaded.written.get(item.key)?.facts["steps"];
  const ids = idsIn(steps);
  const left = ids.flatMap((id) => keyOfId.get(id) ?? []).filter((key) => wanted.includes(key));
  // A created step that is missing was deleted by somebody: it has no place in the order.
  const present = wanted.filter((key) => left.includes(key) || !loaded.written.has(key));
  const after = [...left, ...present.filter((key) => !left.includes(key))];
  if (after.every((key, index) => key === present[index])) return [];
  return [make("order", "the order of its steps", { verb: "order-steps", guide: item.key, steps: wanted })];
}

function knownAuthor(author: Guide["author"], options: PlanOptions): Guide["author"] {
  return author === null || options.people().userOf(author) === undefined ? null : author;
}

function visibilityOperation(item: GuideItem, loaded: Loaded, make: MakeOperation): readonly Operation[] {
  const id = `${item.key}/visibility`;
  // New guides are private, so only a public one, or one published earlier, needs a call.
  if (!item.body.public && !loaded.operations.has(id)) return [];
  const part = item.body.public ? "publication" : "made private";
  return [
    make(
      "visibility",
      part,
      { verb: "set-visibility", guide: item.key, public: item.body.public },
      { phase: "publish" },
    ),
  ];
}

function mediaOfGuide(guide: Guide, options: PlanOptions): readonly Key[] {
  const direct = [guide.image, guide.introductionVideo, ...guide.documents].filter((key) => key !== null);
  return [
    ...new Set([
      ...direct,
      ...options.mediaIn(guide.introduction, "page"),
      ...options.mediaIn(guide.conclusion, "page"),
    ]),
  ];
}

function mediaOfStep(step: Step, options: PlanOptions): readonly Key[] {
  const direct =
    step.media.type === "images" ? step.media.images : step.media.type === "video" ? [step.media.video] : [];
  return [...new Set([...direct, ...step.lines.flatMap((line) => options.mediaIn(line.text, "line"))])];
}

/** A new comment must not make a step look changed. */
function withoutComments(step: Step): Step {
  return { ...step, comments: [] };
}

function guideFields(guide: Guide): GuideFields {
  const { language, title, category, type, subject, summary, introduction, conclusion, difficulty, timeRequired } =
    guide;
  const { image, introductionVideo, documents, featuredDocument, parts, tools, prerequisites, workLogEnabled } = guide;
  const texts = {
    language,
    title,
    category,
    type,
    subject,
    summary,
    introduction,
    conclusion,
    difficulty,
    timeRequired,
  };
  return {
    ...texts,
    image,
    introductionVideo,
    documents,
    featuredDocument,
    parts,
    tools,
    prerequisites,
    workLogEnabled,
  };
}

type Planner<I> = (item: I, loaded: Loaded, options: PlanOptions) => readonly Operation[];
type Planners = { readonly [K in Item["kind"]]: Planner<Extract<Item, { kind: K }>> };

/** Records are never written. */
const PLANNERS: Planners = {
  category: planWiki,
  wiki: planWiki,
  guide: planGuide,
  image: planMedia,
  video: planMedia,
  document: planMedia,
  record: () => [],
};

/** All operations of an item in order, done or not. No I/O. */
export function planItem(item: Item, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const planner = PLANNERS[item.kind] as Planner<Item>;
  return planner(item, loaded, options);
}

/** One call for each tag (api-facts 4.6). Removes loaded tags that the source removed. */
function planTags(
  of: Key,
  label: string,
  tags: readonly string[],
  loaded: Loaded,
  options: PlanOptions,
): readonly Operation[] {
  const prefix = `${of}/tag/`;
  const make = (verb: "add-tag" | "remove-tag", tag: string): Operation =>
    operation(
      { id: `${prefix}${tag}`, item: of, label: `${label}, tag "${tag}"`, call: { verb, of, tag } },
      options.output,
    );
  const wanted = new Set(tags);
  const gone = [...loaded.operations.keys()]
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length))
    .filter((tag) => !wanted.has(tag));
  return [...[...wanted].map((tag) => make("add-tag", tag)), ...gone.map((tag) => make("remove-tag", tag))];
}

type MakeViewerOperation = (suffix: string, part: string, call: Call) => Operation;
type AddCall = CallOf<"add-viewer"> | CallOf<"add-viewing-team">;

interface Wanted {
  /** `viewer/user/12` by the source's id, `viewer/user/=45` by a map's id. */
  readonly suffix: string;
  readonly part: string;
  readonly call: AddCall;
  /** `user/45` on the target; undefined: no match. */
  readonly who: string | undefined;
}

/** Removals come first: another user of the source may match the same viewer. */
function planViewers(
  item: GuideItem,
  loaded: Loaded,
  options: PlanOptions,
  make: MakeViewerOperation,
): readonly Operation[] {
  const { viewers } = item.body;
  if (viewers === null) return [];
  const wanted = oncePerPerson([
    ...viewers.users.flatMap((user) => wantedUser(item, user, options)),
    ...viewers.teams.flatMap((team) => wantedTeam(item, team, options)),
  ]);
  const prefix = `${item.key}/`;
  const isWanted = new Set(wanted.map(({ suffix }) => suffix));
  const gone = [...loaded.operations.keys()].filter(
    (id) => id.startsWith(`${prefix}viewer/`) && !isWanted.has(id.slice(prefix.length)),
  );
  return [
    ...gone.map((id) =>
      make(id.slice(prefix.length), "a viewer who was removed at the source", {
        verb: "remove-viewer",
        guide: item.key,
        operation: id,
      }),
    ),
    ...wanted.filter(({ who }) => who !== undefined).map(({ suffix, part, call }) => make(suffix, part, call)),
  ];
}

function wantedUser({ key }: GuideItem, user: Person, { people }: PlanOptions): readonly Wanted[] {
  if (user.given === "nobody") return [];
  const id = people().userOf(user);
  const who = id === undefined ? undefined : `user/${id}`;
  const suffix = user.given === "target" ? givenSuffix(`user/${user.id}`) : `viewer/user/${user.id}`;
  return [{ suffix, part: `viewer ${user.name}`, call: { verb: "add-viewer", guide: key, user }, who }];
}

function wantedTeam({ key }: GuideItem, team: Team, { people }: PlanOptions): readonly Wanted[] {
  if (team.given === "nobody") return [];
  const id = people().teamOf(team);
  const who = id === undefined ? undefined : `team/${id}`;
  const suffix = team.given === "target" ? givenSuffix(`team/${team.id}`) : `viewer/team/${team.id}`;
  return [{ suffix, part: `viewing team ${team.name}`, call: { verb: "add-viewing-team", guide: key, team }, who }];
}

function givenSuffix(who: string): string {
  return `viewer/${who.replace("/", "/=")}`;
}

/** Several users of the source may match one on the target: one named by a map wins. */
function oncePerPerson(wanted: readonly Wanted[]): readonly Wanted[] {
  const current = new Map<string, Wanted>();
  for (const one of wanted) {
    const { who } = one;
    if (who !== undefined && (!current.has(who) || one.suffix === givenSuffix(who))) current.set(who, one);
  }
  return wanted.filter((one) => one.who === undefined || current.get(one.who) === one);
}
