import type { Guide } from "../../model/guide.js";
import type { Issue } from "../../model/issue.js";
import type { Item } from "../../model/item.js";
import type { Key } from "../../model/key.js";
import { languageIn } from "../../model/key.js";
import type { Media } from "../../model/media.js";
import type { Wiki } from "../../model/wiki.js";
import type { Dialect } from "./dialect.js";
import { noUpload } from "./handlers/upload.js";
import type { Loss } from "./loss.js";
import type { People } from "./people.js";
import { partLosses, stepLosses } from "./piece-losses.js";

/** What the site can do, as far as losses depend on it. */
export interface Abilities {
  readonly dialect: Dialect;
  readonly people: People;
  /** The account that writes: the author of all that no other author can be given. */
  readonly account: number | null;
}

type Losses<B> = (body: B, abilities: Abilities, key: Key) => readonly Loss[];

const LOSSES: { readonly [K in Item["kind"]]: Losses<Extract<Item, { kind: K }>["body"]> } = {
  guide: guideLosses,
  wiki: wikiLosses,
  category: wikiLosses,
  image: imageLosses,
  video: (_video, { dialect }) => (dialect.uploadsFiles ? [] : [noUpload("video")]),
  document: (document, { dialect }) => (dialect.uploadsFiles ? documentLosses(document) : [noUpload("document")]),
  record: () => [],
};

/** What of an item the service has no write for (api-facts 11, row 12), each with its reason and remedy. */
export function lossesOf(item: Item, abilities: Abilities): readonly Issue[] {
  const losses = LOSSES[item.kind] as Losses<Item["body"]>;
  return losses(item.body, abilities, item.key).map((loss) => ({ ...loss, level: "loss", key: item.key }));
}

function guideLosses(guide: Guide, abilities: Abilities, key: Key): readonly Loss[] {
  if (languageIn(key) !== undefined) return [translation(guide)];
  return [
    ...dates("created, published and modified"),
    ...authorLoss(guide.author, abilities),
    ...commentLosses(guide),
    ...viewerLosses(guide, abilities),
    ...stepLosses(guide),
    ...partLosses(guide, abilities.dialect),
    ...(guide.releases.length === 0 ? [] : [releases(guide)]),
    ...(guide.archived ? [archived()] : []),
    ...(guide.workLogEnabled === true && !abilities.dialect.hasWorkLog ? [workLog()] : []),
  ];
}

function wikiLosses(wiki: Wiki, _abilities: Abilities): readonly Loss[] {
  return [
    ...dates("created and modified"),
    ...(wiki.author === null
      ? []
      : [
          {
            code: "author",
            path: "author",
            message: `Its author ${wiki.author.name} can't be set: a page belongs to who writes it.`,
          },
        ]),
    ...(wiki.position === null || wiki.namespace !== "CATEGORY"
      ? []
      : [
          {
            code: "sibling-order",
            path: "position",
            message: `Its place ${wiki.position + 1} among its siblings can't be set: the service has no call for it.`,
            remedy: "Order the categories by hand.",
          },
        ]),
  ];
}

function imageLosses(image: Media): readonly Loss[] {
  if (image.markup === null || image.markup === "") return [];
  return [
    {
      code: "image-markup",
      path: "markup",
      message: "Its annotations are carried as pixels and can't be edited any more: no public call takes markup.",
      remedy: "Keep the workspace: it holds the untouched picture and the markup.",
    },
  ];
}

function documentLosses(document: Media): readonly Loss[] {
  return [
    {
      code: "file-name",
      path: "fileName",
      message: `Its file name ${document.fileName ?? ""} is carried with 12 digits of its hash at the end: they tell after a crash that it was sent.`,
    },
  ];
}

function translation(guide: Guide): Loss {
  return {
    code: "guide-translation",
    path: "",
    message: `Its translation into ${guide.language} is not carried: the service has no public call that makes one.`,
    remedy: "It is whole in the workspace; make it by hand where it matters.",
  };
}

function dates(which: string): readonly Loss[] {
  return [
    {
      code: "dates",
      path: "dates",
      message: `The dates (${which}) are set by the service to the time of the writing.`,
    },
  ];
}

function authorLoss(author: Guide["author"], { dialect, people, account }: Abilities): readonly Loss[] {
  if (author === null) return [];
  const id = people.userOf(author);
  if (id !== undefined && (dialect.writesAuthor || id === account)) return [];
  const reason =
    id === undefined
      ? "nobody of that unique name is at the target"
      : "this site's guides can't be given to another author";
  return [
    {
      code: "author",
      path: "author",
      message: `Its author ${author.name} is not carried: ${reason}.`,
      remedy: "Create the user there first, with the same unique name.",
    },
  ];
}

function commentLosses(guide: Guide): readonly Loss[] {
  const places = [
    { path: "comments", comments: guide.comments },
    ...guide.steps.map((step, index) => ({ path: `steps[${index}].comments`, comments: step.comments })),
  ];
  return places
    .filter(({ comments }) => comments.length > 0)
    .map(({ path, comments }) => ({
      code: "comments",
      path,
      message: `${comments.length} comment(s) by ${[...new Set(comments.map((comment) => comment.author?.name ?? "nobody"))].join(", ")} are not carried: the service would give them a new author and date.`,
      remedy: "They are whole in the workspace.",
    }));
}

function viewerLosses(guide: Guide, { people }: Abilities): readonly Loss[] {
  if (guide.viewers === null) return [];
  const users = guide.viewers.users
    .filter((user) => people.userOf(user) === undefined)
    .map((user) => ({ path: "viewers.users", who: `user ${user.name}` }));
  const teams = guide.viewers.teams
    .filter((team) => people.teamOf(team.name) === undefined)
    .map((team) => ({ path: "viewers.teams", who: `team ${team.name}` }));
  return [...users, ...teams].map(({ path, who }) => ({
    code: "viewer",
    path,
    message: `The ${who} may see this private guide at the source, and is not known at the target.`,
    remedy: "Create them there first, with the same unique name.",
  }));
}

function releases(guide: Guide): Loss {
  return {
    code: "releases",
    path: "releases",
    message: `${guide.releases.length} release(s) are not carried: what a release's body looks like is not public.`,
    remedy: "They are in the workspace as records.",
  };
}

function archived(): Loss {
  return {
    code: "archived",
    path: "archived",
    message: "It is archived at the source; no public call archives a guide, so it is an ordinary one at the target.",
    remedy: "Archive it by hand.",
  };
}

function workLog(): Loss {
  return {
    code: "work-log",
    path: "workLogEnabled",
    message: "Its work log is on at the source, and the target has none.",
  };
}
