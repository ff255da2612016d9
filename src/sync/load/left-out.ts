import { messageOf } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Checked } from "./check.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import { isDone } from "./perform.js";
import type { PlannedItem } from "./planned-item.js";

/** Refused items that are complete on the target, since an earlier run made them fit. */
export async function refusedButCurrent(
  job: Pick<LoadJob, "workspace" | "ledger">,
  { map }: Pick<Checked, "map">,
  planner: ItemPlanner,
): Promise<ReadonlySet<Key>> {
  const current = new Set<Key>();
  for (const key of map.refused) {
    const written = await job.ledger.written(key);
    const item = written === undefined || written.adopted ? undefined : await job.workspace.items.get(key);
    for (const { prepared } of item === undefined ? [] : planner.underOtherPolicies(item)) {
      const done = await Promise.all(prepared.map(({ item: piece }) => isWholeThere(planner, piece)));
      if (done.every((each) => each)) current.add(key);
    }
  }
  return current;
}

async function isWholeThere(planner: ItemPlanner, piece: Item): Promise<boolean> {
  const { loaded, operations } = await planner.plan(piece);
  return operations.every((operation) => isDone(operation, loaded));
}

export function leftOutByTransforms(
  { preview, workspace }: Pick<LoadJob, "workspace" | "preview">,
  because: ReadonlyMap<Key, string>,
): readonly PlannedItem[] {
  const common = (key: Key) => ({
    key,
    title: workspace.items.entry(key)?.title ?? key,
    because: because.get(key) ?? null,
    steps: [],
    operations: [],
    places: [],
    edited: [],
    requests: 0,
    kinds: {},
  });
  return [
    ...[...preview.dropped].map(([key, issues]) => ({ ...common(key), action: "leave", issues }) as const),
    ...[...preview.failed].map(
      ([key, error]) => ({ ...common(key), action: "refuse", issues: [failure(key, error)] }) as const,
    ),
  ];
}

function failure(key: Key, error: unknown): Issue {
  const message = messageOf(error);
  return {
    code: "transform-failed",
    level: "error",
    key,
    path: "",
    message,
    remedy: "Correct the transform, or run without it.",
  };
}
