import { mapPeople } from "../../../transforms/steps/map-texts.js";
import type { Target } from "../../core/contracts.js";
import type { Transform } from "../../core/formats.js";
import type { Comment, Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { type ListedComment, readCommentList, repliesInGuide } from "../../service/wire/comments.js";
import { type ReleaseLine, readReleaseLines } from "../../service/wire/guide-lists.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";
import { COMMENTS } from "../extract/listing.js";
import { SourcePeople } from "../people/source-people.js";
import { NOBODY, type PeopleThere, peopleThere } from "../people/target-people.js";
import { type Outlook, outlookOf } from "./transform-preview.js";

/**
 * What puts comments on the pages that they are about, and replies behind the comments that they
 * answer: a page's own answer has none, and a guide's item counts its replies only. Both come from
 * the answers that are kept: the guide's own, and the list of all comments.
 */
export async function withComments(items: ItemReader): Promise<Transform> {
  const record = await items.get(COMMENTS);
  const listed = record?.kind === "record" ? readCommentList(record.body.answer) : [];
  const onPages = commentsOnPages(listed);
  const answers = new Map(listed.map(({ comment }) => [comment.id, comment.answers ?? []]));
  return (item) => [complete(item, onPages, answers)];
}

type Answers = ReadonlyMap<number, readonly Comment[]>;

function complete(item: Item, onPages: ReadonlyMap<number, readonly Comment[]>, listed: Answers): Item {
  if (item.kind === "guide") {
    const own = repliesInGuide(item.raw);
    const replied = (comments: readonly Comment[]): readonly Comment[] =>
      comments.map((comment) => ({ ...comment, answers: own.get(comment.id) ?? listed.get(comment.id) ?? [] }));
    const steps = item.body.steps.map((step) => ({ ...step, comments: replied(step.comments) }));
    return { ...item, body: { ...item.body, steps, comments: replied(item.body.comments) } };
  }
  if (item.kind !== "wiki" && item.kind !== "category") return item;
  const comments = item.body.id === null ? undefined : onPages.get(item.body.id);
  return comments === undefined ? item : ({ ...item, body: { ...item.body, comments } } as Item);
}

function commentsOnPages(listed: readonly ListedComment[]): ReadonlyMap<number, readonly Comment[]> {
  const pages = new Map<number, Comment[]>();
  for (const { context, contextid, comment } of listed) {
    if (context !== "wiki") continue;
    pages.set(contextid, [...(pages.get(contextid) ?? []), comment]);
  }
  return pages;
}

const RELEASES: Key = "record/releases";

/**
 * What puts title and date of their releases on guides, which know them by their numbers only;
 * undefined: there are none.
 */
export async function withReleases(items: ItemReader): Promise<Transform | undefined> {
  const record = await items.get(RELEASES);
  const lines = record?.kind === "record" ? readReleaseLines(record.body.answer) : [];
  if (lines.length === 0) return undefined;
  const byId = new Map<number, ReleaseLine>(lines.map((line) => [line.id, line]));
  return (item) => {
    if (item.kind !== "guide" || item.body.releases.length === 0) return [item];
    const releaseLines = item.body.releases.flatMap((id) => byId.get(id) ?? []);
    return [{ ...item, body: { ...item.body, releaseLines } }];
  };
}

/** What becomes of items on their way, the people of the target included. */
interface OnTheWay {
  /** The user's, and after them the one that puts the people of the target in place. */
  readonly transforms: readonly Transform[];
  readonly outlook: Outlook;
  readonly people: PeopleThere;
}

interface Parts {
  readonly transforms: readonly Transform[];
  readonly options: { readonly home?: boolean };
  readonly control: Control;
}

/**
 * Takes every item through the user's transforms once, and finds whom it names at the target. Where
 * content goes home, people are who they are.
 */
export async function withPeople(
  workspace: Workspace,
  target: Target,
  { transforms, options, control }: Parts,
): Promise<OnTheWay> {
  if (options.home === true) {
    return { transforms, outlook: await outlookOf(workspace, transforms, control), people: NOBODY };
  }
  const source = new SourcePeople();
  const outlook = await outlookOf(workspace, transforms, control, (item) => source.see(item));
  const emails = await source.readRecords(workspace.items);
  const people = await peopleThere(source, emails, target.directory(), control.abort);
  return {
    transforms: [...transforms, mapPeople(people)],
    outlook: { ...outlook, titles: new Map([...people.pages, ...outlook.titles]) },
    people,
  };
}
