import { type FitContext, resizedOf } from "../../../transforms/fit/context.js";
import { SERVICE_LIMITS, type Size } from "../../../transforms/fit/limits.js";
import type { Resolution } from "../../../transforms/references/rewrite-options.js";
import type { Context } from "../../core/contracts.js";
import { isMediaKey, type Key, type Kind, kindOf, wikiOf } from "../../core/model/key.js";
import { idUnder, isUnder } from "../../service/target/identity.js";
import { SiteTexts } from "../../service/target/texts.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Needs } from "../order.js";
import { lastingAddress, storedMedia } from "../stored-media.js";
import type { LoadJob } from "./load-job.js";
import { notResizable } from "./resize-image.js";

/** What a target may ask, for any operation. */
export type SharedContext = Omit<Context, "begin" | "keep">;

/**
 * Answers from the ledger, the workspace and the map.
 * | @param isUntaken media of a kind that the target does not take: they do not move
 */
export function contextOf(
  job: Pick<LoadJob, "ledger" | "workspace" | "preview" | "people">,
  map: LoadMap,
  isUntaken: (media: Key) => boolean = () => false,
): SharedContext {
  const { ledger, workspace } = job;
  return {
    idOf: async (key) => ((await isUnderItsTitle(job, key)) ? await ledger.idOf(key) : undefined) ?? personAt(job, key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: (key) => map.moving.has(resizedOf(key)?.of ?? key) && !isUntaken(key),
    isAtSource: (key) => isAtSource(job, key),
    addressOf: (key) => fileAtSource(job, key),
    bytes: (sha256) => workspace.media.read(sha256),
    namesPart: (title) => ledger.namesPart(title),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/** Only guides and pages can be known as missing at the source. */
function isAtSource({ workspace }: Pick<LoadJob, "workspace">, key: Key): boolean {
  return !PAGES.has(kindOf(key)) || workspace.items.isAtSource(key);
}

const PAGES: ReadonlySet<string> = new Set(["guide", "category", "wiki"]);

/** The address of a media file. Addresses of pages follow from their keys. */
async function fileAtSource({ workspace }: Pick<LoadJob, "workspace">, key: Key): Promise<string | undefined> {
  if (!isMediaKey(key)) return undefined;
  const item = await storedMedia(workspace, key);
  return item === undefined ? undefined : lastingAddress(item);
}

/** Texts link to people who are on the target, even where their page is not sent. */
function personAt({ people }: Pick<LoadJob, "people">, key: Key): string | undefined {
  return idUnder(key, people.pages.get(key));
}

/** A page with a new title counts as missing until it exists under that title. */
async function isUnderItsTitle({ ledger, preview }: Pick<LoadJob, "ledger" | "preview">, key: Key): Promise<boolean> {
  if (kindOf(key) !== "category" && kindOf(key) !== "wiki") return true;
  const written = await ledger.written(key);
  return written === undefined || isUnder(written, preview.titles.get(key));
}

/** What the check found before the first write. */
export interface LoadMap {
  readonly categories: readonly Key[];
  readonly wikis: readonly Key[];
  readonly guides: readonly Key[];
  /** Translations of guides: loaded after the guides, where the target takes them. */
  readonly translations: readonly Key[];
  readonly refused: ReadonlySet<Key>;
  /** Chosen items that another workspace moved to the target. */
  readonly mapped: ReadonlySet<Key>;
  /** Refused media, and media without bytes. */
  readonly mediaRefused: ReadonlySet<Key>;
  readonly moving: Moving;
  readonly needs: Needs;
}

/** Everything that gets an id on the target, steps included. */
export interface Moving {
  has(key: Key): boolean;
}

const OWNER = "moves with";
const MAPPED = "moved by another workspace";

/**
 * Remembers what moves. The keys of guides and pages are in memory, those of their steps, which are
 * many more, on the disk with their item.
 */
export class MovingNotes {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    for (const topic of [OWNER, MAPPED]) scratch.clear(topic);
    this.#scratch = scratch;
  }

  note(item: Key, keys: readonly Key[]): void {
    for (const key of keys) if (key !== item) this.#scratch.put(OWNER, key, item);
  }

  noteMapped(key: Key): void {
    this.#scratch.put(MAPPED, key, "");
  }

  with(items: Pick<ReadonlySet<Key>, "has">): Moving {
    return {
      has: (key) => {
        if (items.has(key)) return true;
        const owner = this.#scratch.get(OWNER, key) as Key | undefined;
        if (owner !== undefined && items.has(owner)) return true;
        return this.#scratch.get(MAPPED, key) !== undefined;
      },
    };
  }
}

type FittingMedia = Pick<CheckedMedia, "refused" | "sizeOf" | "extensionOf" | "addressOf">;

export type FittingJob = Pick<LoadJob, "source" | "survey" | "options" | "workspace" | "people" | "stepLimits">;

/** The facts for the fit rules, for one target and one set of moving items. */
export function fitContext(job: FittingJob, moving: Moving, media: FittingMedia): FitContext {
  const { guideTypes, subjectTypes, flags } = job.survey;
  const sites = { source: () => job.source, target: () => job.survey.identity, dangling: job.options.dangling };
  const texts = new SiteTexts(sites);
  const resolve = (key: Key): Resolution => {
    if (moving.has(key)) return { later: true };
    return isAtSource(job, key) ? { never: true } : { absent: true };
  };
  const targets = { resolve, addressOf: (key: Key) => media.addressOf(key) };
  return {
    limits: { ...SERVICE_LIMITS, ...job.stepLimits, guideTypes, subjectTypes, flags },
    policy: job.options.fit,
    measure: (text, where) => texts.longest(text, where, targets, (kind) => DIGITS[kind]),
    imageSize: (key) => resizedOf(key)?.size ?? media.sizeOf(key),
    smallImages: job.options.smallImages ?? "enlarge",
    notResizable: (key) => notResizable(media.extensionOf(key)),
    mediaRefused: (key) => resizedOf(key) === undefined && media.refused.has(key),
    isThere: (key) => job.people.pages.has(key),
    isNobody: (key) => {
      const { namespace, title } = wikiOf(key);
      const known = namespace === "TEAM" ? job.people.teams : job.people.users;
      return known.get(Number(title))?.given === "nobody";
    },
  };
}

/** Digits of an id. Fixed for every target, so that each run splits a text in the same way. */
const DIGITS: Readonly<Record<Kind, number>> = {
  guide: 7,
  step: 8,
  image: 8,
  video: 8,
  document: 8,
  category: 0,
  wiki: 0,
  record: 0,
};

/** Only the keys of refused media are in memory. */
export interface CheckedMedia {
  readonly refused: ReadonlySet<Key>;
  /** Of an image below a limit: others are not noted. */
  sizeOf(key: Key): Size | undefined;
  /** From the file name or type of an image below a limit. */
  extensionOf(key: Key): string | undefined;
  /** The source file of a refused medium; undefined: it has no lasting address. */
  addressOf(key: Key): string | undefined;
  /** Of media with equal bytes the one to upload, by `uploadKey`: the same in every run. */
  firstOf(content: string): Key | undefined;
}

interface MediaNotes extends CheckedMedia {
  refuse(key: Key, address: string | undefined): void;
  /** Notes a size below a limit, since most images are large enough. */
  measure(key: Key, size: Size, extension: string | undefined): void;
  send(content: string, key: Key): void;
}

const SIZES = "media size";
const UPLOADS = "media upload";
const ADDRESSES = "media address";

export function createMediaNotes(scratch: Scratch): MediaNotes {
  for (const topic of [SIZES, UPLOADS, ADDRESSES]) scratch.clear(topic);
  const refused = new Set<Key>();
  return {
    refused,
    refuse: (key, address) => {
      refused.add(key);
      if (address !== undefined) scratch.put(ADDRESSES, key, address);
    },
    addressOf: (key) => scratch.get(ADDRESSES, key),
    sizeOf: (key) => {
      const [width, height] = scratch.get(SIZES, key)?.split("x").map(Number) ?? [];
      return width === undefined || height === undefined ? undefined : { width, height };
    },
    extensionOf: (key) => scratch.get(SIZES, key)?.split("x", 3)[2] || undefined,
    measure: (key, { width, height }, extension = "") => scratch.put(SIZES, key, `${width}x${height}x${extension}`),
    firstOf: (content) => scratch.get(UPLOADS, content) as Key | undefined,
    send: (content, key) => scratch.putFirst(UPLOADS, content, key),
  };
}
