import type { Issue } from "../model/issue.js";
import type { Key } from "../model/key.js";
import type { LoadJob } from "./load-job.js";
import type { PlannedItem } from "./planned-item.js";

/** What transforms leave out, and what they failed on. */
export function leftOut({ outlook, workspace }: LoadJob, because: ReadonlyMap<Key, string>): readonly PlannedItem[] {
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
    ...[...outlook.dropped].map(([key, issues]) => ({ ...common(key), action: "leave", issues }) as const),
    ...[...outlook.failed].map(
      ([key, error]) => ({ ...common(key), action: "refuse", issues: [failure(key, error)] }) as const,
    ),
  ];
}

function failure(key: Key, error: unknown): Issue {
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "transform-failed",
    level: "error",
    key,
    path: "",
    message,
    remedy: "Mend or leave out the transform.",
  };
}
