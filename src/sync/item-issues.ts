import { resizedOf } from "../../transforms/fit/resized-key.js";
import { imagesOf } from "../../transforms/fit/step-division.js";
import type { Loaded } from "../core/contracts.js";
import type { Issue } from "../core/model/issue.js";
import type { Checked } from "./check.js";
import { refusedMedia } from "./check-media.js";
import type { LoadJob } from "./load-job.js";
import type { Prepared } from "./prepare.js";

/** What the checks before any write have to say of an item; nothing of one that was there before us and stays as it is. */
export async function itemIssues(
  job: LoadJob,
  checked: Checked,
  { item, issues }: Prepared,
  loaded: Loaded,
): Promise<readonly Issue[]> {
  if (loaded.written.get(item.key)?.adopted === true) return [];
  const media: Issue[] = [];
  // One that is too small to be uploaded goes in another size, where a step shows it.
  const resized = new Set(
    item.kind === "guide" ? item.body.steps.flatMap(imagesOf).flatMap((key) => resizedOf(key)?.of ?? []) : [],
  );
  for (const { key } of item.media) {
    if (!checked.media.refused.has(key) || resized.has(key)) continue;
    for (const issue of await refusedMedia(job, checked.fit, key)) media.push({ ...issue, key: item.key });
  }
  return [...job.notes.get(item.key), ...item.issues, ...issues, ...onceEach(job.target.losses(item)), ...media];
}

/** A guide may have one style in hundreds of lines: the first of them stands for all. A comparison asks for each line. */
function onceEach(losses: readonly Issue[]): readonly Issue[] {
  const told = new Set<string>();
  return losses.filter(({ code, message }) => {
    if (code !== "bullet-style") return true;
    const isNew = !told.has(message);
    told.add(message);
    return isNew;
  });
}
