import { PROFILES } from "../../../transforms/training/profile.js";
import { isObject } from "../../core/util/json.js";
import type { Environment } from "./credential-names.js";
import { kebab } from "./option.js";
import type { OptionName } from "./table.js";

/** A name that an option had before, in the form of a key: `deleteGone`. */
interface OldName {
  readonly option: OptionName;
  readonly before: string;
  /** Only the flag had this name; the variable and the key have theirs still. */
  readonly flagOnly?: true;
  /** Another option has this name now: only these values mean the old one. */
  readonly values?: readonly string[];
}

/** Names that still work, with a warning. The help and the docs do not show them. */
const OLD_NAMES: readonly OldName[] = [
  { option: "deleteRemoved", before: "deleteGone" },
  { option: "contentVersion", before: "version", flagOnly: true },
  { option: "snapshots", before: "times" },
  { option: "strictness", before: "profile", values: PROFILES },
];

/** The old flag of an option, in camel case and without dashes, if no option has it now. */
export function oldFlagOf(name: OptionName): string | undefined {
  return OLD_NAMES.find(({ option, values }) => option === name && values === undefined)?.before;
}

/** The name of an option in run logs and plan files, where a name never changes. */
export function storedNameOf(name: OptionName): string {
  return OLD_NAMES.find(({ option, flagOnly }) => option === name && !flagOnly)?.before ?? name;
}

type Values<T> = Readonly<Record<string, T>>;
type Warn = (text: string) => void;

export function renameFlags(flags: Values<unknown>, warn: Warn): Values<unknown> {
  return renamed(flags, OLD_NAMES, { name: (key) => key, shown: (key) => `--${kebab(key)}`, warn });
}

export function renameVariables(environment: Environment, warn: Warn): Environment {
  const variable = (key: string): string => `GUIDEFERRY_${kebab(key).replaceAll("-", "_").toUpperCase()}`;
  return renamed(environment, OF_EVERY_FORM, { name: variable, shown: variable, warn });
}

/** The content of a configuration file. What is not an object comes back as it is. */
export function renameKeys(content: unknown, warn: Warn = () => undefined): unknown {
  if (!isObject(content)) return content;
  return renamed(content, OF_EVERY_FORM, { name: (key) => key, shown: (key) => `"${key}"`, warn });
}

const OF_EVERY_FORM = OLD_NAMES.filter(({ flagOnly }) => flagOnly !== true);

interface Form {
  readonly name: (key: string) => string;
  readonly shown: (key: string) => string;
  readonly warn: Warn;
}

/** Where both names have a value, the new one wins. */
function renamed<T>(values: Values<T>, names: readonly OldName[], { name, shown, warn }: Form): Values<T> {
  const moved: Record<string, T> = {};
  const kept: Record<string, T> = { ...values };
  for (const { option, before, values: meant } of names) {
    const value = values[name(before)];
    if (value === undefined || meant?.some((word) => word === value) === false) continue;
    warn(`${shown(before)} is an old name. Use ${shown(option)} instead.`);
    moved[name(option)] = value;
    delete kept[name(before)];
  }
  return { ...moved, ...kept };
}
