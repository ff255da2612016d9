import { fitGuide } from "../../../transforms/fit/fit.js";
import { SERVICE_LIMITS, type Size } from "../../../transforms/fit/limits.js";
import { imagesOf } from "../../../transforms/fit/rules/steps.js";
import { StatusError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item, Step } from "../../core/model/item.js";
import { extensionOf } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Operation, Receipt } from "../../core/writing.js";
import { pixelsOf } from "../stored-media.js";
import type { Checked } from "./check.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import type { OperationWriter } from "./perform.js";
import { type MediaWriter, mediaAt } from "./send-media.js";
import { type FittingJob, fitContext } from "./write-context.js";

type StepJob = FittingJob & Pick<LoadJob, "ledger" | "mediaOf">;

/** Sends a replacement for steps that the site refuses. */
export class RefusedSteps {
  readonly #job: StepJob;
  readonly #checked: Pick<Checked, "map">;
  readonly #writer: OperationWriter;
  readonly #media: MediaWriter;
  readonly #state: LoadState;

  constructor(
    job: StepJob,
    checked: Pick<Checked, "map">,
    writer: OperationWriter,
    media: MediaWriter,
    state: LoadState,
  ) {
    this.#job = job;
    this.#checked = checked;
    this.#writer = writer;
    this.#media = media;
    this.#state = state;
  }

  /**
   * Sends a replacement for a step that the site refused; throws every other error. The other steps
   * and the fields of the guide are sent all the same, and the guide counts as failed.
   * | At the origin site nothing is made to fit in advance. The original is sent first, then the
   * step as `--fit` makes it, then the step without its media.
   * | @returns undefined: no replacement was sent
   */
  async replace(item: Item, operation: Operation, error: unknown): Promise<Receipt | undefined> {
    if (!isRefusal(operation, error)) throw error;
    const receipt = await this.#performReplacement({ item, operation, error });
    if (receipt === undefined) this.#state.noteRefusedStep(operation.item, error);
    return receipt;
  }

  async #performReplacement({ item, operation, error }: RefusedStep): Promise<Receipt | undefined> {
    const job = this.#job;
    const { call } = operation;
    if (job.options.toOrigin !== true || job.options.fit === "refuse" || call.verb !== "save-step") return undefined;
    for (const { step, level, done } of await replacementsOf(job, this.#checked, item, call.step)) {
      // Has the hash of the original, so that the next restore has nothing to do.
      const other: Operation = { ...operation, call: { ...call, step }, needs: needsOf(operation, call.step, step) };
      try {
        await this.#media.sendFor(other);
        const receipt = await this.#writer.perform(other);
        const message = `The site refused the original step (${error.message}). ${done}`;
        const remedy = "The backup has the original step.";
        const issue: Issue = { code: "refused-by-site", level, key: operation.item, path: step.key, message, remedy };
        const reported = { ...receipt, issues: [...receipt.issues, issue] };
        await job.ledger.done(operation, reported);
        return reported;
      } catch (again) {
        if (!isRefusal(operation, again)) throw again;
      }
    }
    return undefined;
  }
}

/** Statuses that refuse the content. Others are a problem of the site or the account. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

function isRefusal({ call }: Operation, error: unknown): error is StatusError {
  return call.verb === "save-step" && error instanceof StatusError && REFUSALS.has(error.status);
}

interface RefusedStep {
  readonly item: Item;
  readonly operation: Operation;
  readonly error: StatusError;
}

interface Other {
  readonly step: Step;
  readonly level: Issue["level"];
  readonly done: string;
}

function needsOf({ needs }: Operation, before: Step, now: Step): readonly Key[] {
  const own = new Set<Key>(imagesOf(before));
  const kept = needs.filter((key) => !own.has(key) && (now.media.type !== "none" || kindsBeside(before) !== key));
  return [...kept, ...imagesOf(now)];
}

function kindsBeside({ media }: Step): Key | undefined {
  return media.type === "video" ? media.video : undefined;
}

async function replacementsOf(
  job: StepJob,
  checked: Pick<Checked, "map">,
  item: Item,
  step: Step,
): Promise<readonly Other[]> {
  const others: Other[] = [];
  const fitted =
    item.kind === "guide"
      ? await fittedStep(job, checked, { ...item, body: { ...item.body, steps: [step] } })
      : undefined;
  if (fitted !== undefined) others.push(fitted);
  if (step.media.type !== "none" && (step.media.type !== "images" || step.media.images.length > 0)) {
    const lines = fitted?.step ?? step;
    const done = `It was sent without its media (${step.media.type}).`;
    others.push({ step: { ...lines, media: { type: "none" } }, level: "loss", done });
  }
  return others;
}

/** Made to fit by the usual limits; undefined: no change, or more than one step. */
async function fittedStep(
  job: StepJob,
  { map }: Pick<Checked, "map">,
  guide: Extract<Item, { kind: "guide" }>,
): Promise<Other | undefined> {
  const facts = await factsOf(job, guide.body.steps.flatMap(imagesOf));
  const media = {
    refused: new Set<Key>(),
    sizeOf: (key: Key) => facts.get(key)?.size,
    extensionOf: (key: Key) => facts.get(key)?.extension,
    addressOf: () => undefined,
  };
  const fit = fitContext({ ...job, stepLimits: SERVICE_LIMITS }, map.moving, media);
  const { item, issues } = fitGuide(guide, fit);
  const [step, ...more] = item?.body.steps ?? [];
  if (step === undefined || step === guide.body.steps[0] || more.length > 0) return undefined;
  const own = issues.filter(({ path }) => path.startsWith("steps["));
  const level = own.some((issue) => issue.level === "loss") ? "loss" : "note";
  return { step, level, done: own.map(({ message }) => message).join(" ") };
}

interface ImageFacts {
  readonly size: Size;
  readonly extension: string | undefined;
}

async function factsOf(
  job: Pick<LoadJob, "workspace" | "mediaOf">,
  images: readonly Key[],
): Promise<ReadonlyMap<Key, ImageFacts>> {
  const facts = new Map<Key, ImageFacts>();
  for (const key of images) {
    const item = await mediaAt(job, key);
    if (item === undefined || item.body.content === null) continue;
    const { width, height } = item.body;
    const size =
      width === null || height === null
        ? await pixelsOf(job.workspace.media.open(item.body.content.sha256))
        : { width, height };
    if (size !== undefined) facts.set(key, { size, extension: extensionOf(item.body) });
  }
  return facts;
}
