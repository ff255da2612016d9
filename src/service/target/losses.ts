import type { Person, Team } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { Comment, Guide, Item, Line, Media, Wiki } from "../../core/model/item.js";
import { type Key, languageIn } from "../../core/model/key.js";
import { objectIn } from "../../core/util/json.js";
import type { People } from "./people.js";
import { type Remark, remarksIn } from "./remarks.js";

export interface Abilities {
  readonly people: People;
  /** Default false. */
  readonly postsComments?: boolean;
  /** Shown by a probe. Default false. */
  readonly takesTranslations?: boolean;
  /** Default true: a probe or an answer shows otherwise. */
  readonly takesPages?: boolean;
}

type Losses<B> = (body: B, abilities: Abilities, key: Key) => readonly Loss[];

const LOSSES: { readonly [K in Item["kind"]]: Losses<Extract<Item, { kind: K }>["body"]> } = {
  guide: guideLosses,
  wiki: wikiLosses,
  category: wikiLosses,
  image: imageLosses,
  video: videoLosses,
  document: documentLosses,
  record: () => [],
};

/** The values of an item that no call writes (api-facts 11, row 12). */
export function lossesOf(item: Item, abilities: Abilities): readonly Issue[] {
  const losses = LOSSES[item.kind] as Losses<Item["body"]>;
  const comments = languageIn(item.key) === undefined ? commentLosses(item, abilities.postsComments === true) : [];
  return [...losses(item.body, abilities, item.key), ...quizLosses(item), ...comments].map((loss) => ({
    level: "loss",
    ...loss,
    key: item.key,
  }));
}

function guideLosses(guide: Guide, abilities: Abilities, key: Key): readonly Loss[] {
  if (languageIn(key) !== undefined) return abilities.takesTranslations === true ? [] : [translation(guide)];
  return [
    ...dates("created, published and modified"),
    ...authorLoss(guide.author, abilities),
    ...viewerLosses(guide, abilities),
    ...stepLosses(guide),
    ...releases(guide),
    ...(guide.archived ? [archived()] : []),
  ];
}

function wikiLosses(wiki: Wiki, { takesPages = true }: Abilities): readonly Loss[] {
  return [
    ...(takesPages ? [] : (wiki.translations ?? []).map(({ language }) => pageTranslation(language))),
    ...dates("created and modified"),
    ...(wiki.namespace === "USER" || wiki.namespace === "TEAM" ? [ownName(wiki)] : []),
    ...(wiki.author === null
      ? []
      : [
          {
            code: "author" as const,
            path: "author",
            message: `Its author ${wiki.author.name} cannot be set: the author of a page is the account that writes it.`,
          },
        ]),
    ...(wiki.position === null || wiki.namespace !== "CATEGORY"
      ? []
      : [
          {
            code: "sibling-order" as const,
            path: "position",
            message: `Its position ${wiki.position + 1} among the categories with the same parent cannot be set: the service has no call for it.`,
            remedy: "Order the categories by hand.",
          },
        ]),
  ];
}

/** The service accepts no display title for these (api-facts 8.4: a field of another namespace). */
function ownName({ namespace, displayTitle }: Wiki): Loss {
  const who = namespace === "USER" ? "person" : "team";
  return {
    code: "page-name",
    level: "note",
    path: "displayTitle",
    message: `Its title was ${displayTitle ?? "empty"} at the source. On the target, its title is the name of the ${who} there.`,
  };
}

function imageLosses(image: Media): readonly Loss[] {
  if (image.markup === null || image.markup === "") return [];
  return [
    {
      code: "image-markup",
      path: "markup",
      message:
        "Its annotations become part of the picture, so people cannot edit them: the public API has no call for annotations.",
      remedy: "Keep the workspace: it has the original picture and the annotations.",
    },
  ];
}

function videoLosses({ poster }: Media): readonly Loss[] {
  if (poster === undefined) return [];
  return [
    {
      code: "poster",
      path: "poster",
      message: `Its poster ${poster} was left out: the target makes its own poster from the video, and the public API has no call to set another.`,
      remedy: "The workspace and the backups have it.",
    },
  ];
}

function documentLosses(document: Media): readonly Loss[] {
  return [
    {
      code: "file-name",
      path: "fileName",
      message: `Its file name ${document.fileName ?? ""} gets 12 digits of its hash at the end. After a crash, guideferry finds the file by them.`,
    },
  ];
}

function translation(guide: Guide): Loss {
  return {
    code: "guide-translation",
    path: "",
    message: `Its translation into ${guide.language} was left out: the public API has no known call to create one, and this site refuses the call that creates translations of pages.`,
    remedy: "The workspace has all of it. Create it by hand if you need it.",
  };
}

/** The loss for a site that would replace the page with its translation. */
export function pageTranslation(language: string): Loss {
  return {
    code: "page-translation",
    path: `translations.${language}`,
    message: `Its translation into ${language} was left out: the site ignores the language of a write, so the translation would replace the page itself.`,
    remedy: "Create it on the site by hand. The workspace has its whole text.",
  };
}

function dates(which: string): readonly Loss[] {
  return [
    {
      code: "dates",
      path: "dates",
      message: `The dates (${which}) are not kept: the service sets them to the time of the write.`,
    },
  ];
}

/** Only the write shows whether a known user can be the author. */
function authorLoss(author: Guide["author"], { people }: Abilities): readonly Loss[] {
  if (author === null) return [];
  if (author.given === "nobody") return [dropped("author", "author", `Its author ${author.name}`)];
  return people.userOf(author) === undefined ? [noAuthor(author.name, false)] : [];
}

/** `isKnown`: the target has the user, and the site refuses them as the author. */
export function noAuthor(name: string, isKnown: boolean): Loss {
  const reason = isKnown
    ? "this site does not let this account set the author of a guide"
    : "the target has no user with that unique name or e-mail address, and no --user-map names one";
  return {
    code: "author",
    path: "author",
    message: `Its author ${name} was left out: ${reason}.`,
    ...(isKnown ? {} : { remedy: "Name the user on the target with --user-map, or create the user there first." }),
  };
}

/** Left out on purpose, so it is no loss. */
function dropped(what: "author" | "viewer", path: string, who: string): Loss {
  return {
    code: `${what}-dropped`,
    level: "note",
    path,
    message: `${who} has no match on the target, as the map of people says.`,
  };
}

function viewerLosses(guide: Guide, { people }: Abilities): readonly Loss[] {
  const { users, teams } = guide.viewers ?? { users: [], teams: [] };
  return [
    ...users.flatMap((user) => viewerLoss(user, "user", people.userOf(user))),
    ...teams.flatMap((team) => viewerLoss(team, "team", people.teamOf(team))),
  ];
}

function viewerLoss(who: Person | Team, kind: "user" | "team", id: number | undefined): readonly Loss[] {
  const path = `viewers.${kind}s`;
  if (who.given === "nobody") return [dropped("viewer", path, `The ${kind} ${who.name}, who may see it,`)];
  if (id !== undefined) return [];
  return [
    {
      code: "viewer",
      path,
      message: `The ${kind} ${who.name} may see this private guide at the source, and has no match on the target.`,
      remedy: `Name the ${kind} on the target with --${kind}-map, or create the ${kind} there first.`,
    },
  ];
}

/** One line for each release, as evidence of what was released when. */
function releases(guide: Guide): readonly Loss[] {
  const lines = new Map((guide.releaseLines ?? []).map((line) => [line.id, line]));
  return guide.releases.map((id) => {
    const { title = "", publishDate = null } = lines.get(id) ?? {};
    const when =
      publishDate === null ? "" : `, published on ${new Date(publishDate * 1000).toISOString().slice(0, 10)},`;
    return {
      code: "releases",
      path: "releases",
      message: `The release ${id}${title === "" ? "" : ` "${title}"`}${when} is not recreated: the format of a release is not public.`,
      remedy: "The workspace has it as a record.",
    };
  });
}

function archived(): Loss {
  return {
    code: "archived",
    path: "archived",
    message:
      "It is archived at the source. The public API has no call to archive a guide, so it is not archived on the target.",
    remedy: "Archive it on the target by hand.",
  };
}

/** Default level: `loss`. */
type Loss = Omit<Issue, "key" | "level"> & Partial<Pick<Issue, "level">>;

function stepLosses(guide: Guide): readonly Loss[] {
  return guide.steps.flatMap((step, index) => [
    ...(step.media.type === "embed"
      ? [
          {
            code: "embed" as const,
            path: `steps[${index}].media`,
            message: `The embed ${step.media.url} was left out: the public API has no call to create an embed.`,
            remedy: "Add it by hand.",
          },
        ]
      : []),
    ...step.lines.flatMap((line, place) =>
      line.bulletStyle === null
        ? []
        : [
            {
              code: "bullet-style" as const,
              path: `steps[${index}].lines[${place}].bulletStyle`,
              message: `The source's own bullet style ${styleName(line.bulletStyle)} became the bullet ${line.bullet}: each site has its own styles.`,
              remedy: "Choose a style of the target by hand if you need one.",
            },
          ],
    ),
  ]);
}

/** The label and the id, since two styles may have the same label. */
function styleName({ id, label }: NonNullable<Line["bulletStyle"]>): string {
  return label === null || label === "" ? String(id) : `${JSON.stringify(label)} (${id})`;
}

/** From the list row (api-facts 3.2). No call attaches a quiz, and only its title is public. */
export function quizLosses({ kind, raw }: Item): readonly Loss[] {
  const { json, summary } = objectIn(raw);
  const [quiz] = [json, summary].map((each) => objectIn(objectIn(each)["attachedQuiz"])).filter(isSomething);
  if (kind !== "guide" || quiz === undefined) return [];
  const title = [quiz["quiz_title"], quiz["title"]].find((each) => typeof each === "string" && each !== "");
  return [
    {
      code: "quiz",
      path: "attachedQuiz",
      message: `The quiz${title === undefined ? "" : ` "${String(title)}"`} that is attached to it was left out: the public API has no call to attach a quiz.`,
      remedy: "Attach a quiz by hand. The workspace has the whole answer for the guide.",
    },
  ];
}

function isSomething(value: object): boolean {
  return Object.keys(value).length > 0;
}

/** All comments, or author and date of posted ones. */
function commentLosses(item: Item, posts: boolean): readonly Loss[] {
  const remarks = remarksIn(item);
  return posts ? remarks.flatMap(remarkLosses) : notCarried(remarks);
}

function remarkLosses(remark: Remark): readonly Loss[] {
  const { comment, path, refusal } = remark;
  const unread = comment.replies - (comment.answers?.length ?? 0);
  return [
    refusal === null
      ? {
          code: "comment-author",
          path: `${path}[${comment.id}].author`,
          message: `${nameOf(remark)} is posted in the name of the account, with the current date.`,
        }
      : {
          code: "comment-not-posted",
          path,
          message: `${nameOf(remark)} is not posted: ${refusal}.`,
          remedy: "The workspace has its whole text.",
        },
    ...(refusal === null && unread > 0 ? [unreadReplies(remark, unread)] : []),
  ];
}

function unreadReplies(remark: Remark, unread: number): Loss {
  return {
    code: "comment-not-posted",
    path: remark.path,
    message: `${nameOf(remark)} has ${unread} replies that are not in the workspace, so they are not posted.`,
    remedy: "Read the source again: guideferry extract SITE --refresh all",
  };
}

function nameOf({ comment, parent }: Remark): string {
  const what = parent === null ? `Comment ${comment.id}` : `Reply ${comment.id} to comment ${parent.id}`;
  return `${what} by ${authorOf(comment)}${dateOf(comment)}`;
}

function dateOf({ date }: Comment): string {
  return date === null ? "" : ` of ${new Date(date * 1000).toISOString().slice(0, 10)}`;
}

function authorOf({ author }: Comment): string {
  return author === null || author.name === "" ? "nobody" : author.name;
}

function notCarried(remarks: readonly Remark[]): readonly Loss[] {
  const paths = [...new Set(remarks.map(({ path }) => path))];
  return paths.map((path) => {
    const comments = remarks.filter((remark) => remark.path === path).map(({ comment }) => comment);
    return {
      code: "comments",
      path,
      message: `${comments.length} comment(s) by ${[...new Set(comments.map(authorOf))].join(", ")} were left out: the service would give them a new author and date.`,
      remedy: "The workspace has them. To post them in the name of the account, run with --post-comments.",
    };
  });
}
