import { ITEM_KINDS, type Key } from "../../core/model/key.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Reason } from "../../sync/dependencies.js";
import { type Selection, takesEverything } from "../../sync/selection.js";
import type { CommandCall } from "../command.js";
import type { Settings } from "../options/table.js";
import { shellQuote } from "../output/words.js";

export function selectionOf(settings: Settings): Selection {
  const { only, include, exclude, since, includePrivate, dependencies } = settings;
  return { only: new Set(only), include, exclude, since, includePrivate, dependencies };
}

/** The choice as options of a command line; empty: everything. */
export function flagsOfSelection(settings: Settings): string {
  const { only, include, exclude, since, dependencies } = settings;
  if (takesEverything(selectionOf(settings))) return "";
  const flags = [
    ...(ITEM_KINDS.every((kind) => only.includes(kind)) ? [] : ["--only", only.join(",")]),
    ...(include.length === 0 ? [] : ["--include", include.join(",")]),
    ...(exclude.length === 0 ? [] : ["--exclude", exclude.join(",")]),
    ...(since === null ? [] : ["--since", new Date(since * 1000).toISOString()]),
    ...(dependencies ? [] : ["--no-dependencies"]),
  ];
  return shellQuote(flags);
}

interface ChosenFrom {
  readonly call: Pick<CommandCall, "settings">;
  readonly workspace: Pick<Workspace, "source" | "items">;
}

/** The items of a workspace that the options choose, with the reasons; undefined: everything. */
export async function storedSelection({ call, workspace }: ChosenFrom): Promise<ReadonlyMap<Key, Reason> | undefined> {
  const selection = selectionOf(call.settings);
  const source = workspace.source();
  if (source === undefined || takesEverything(selection)) return undefined;
  const { selectStored } = await import("../../sync/dependencies.js");
  return selectStored(workspace.items, selection, source);
}
