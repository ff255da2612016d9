import { resolve } from "node:path";
import { z } from "zod";
import { type CommandName, option } from "./option.js";
import { mappingSchema } from "./values.js";

const LOADING: readonly CommandName[] = ["migrate", "load", "plan", "verify", "retry"];

/** A restore has people at another site, and keeps types and categories. */
const WITH_PEOPLE: readonly CommandName[] = [...LOADING, "restore"];

/** The absolute path of a file, which later runs read again; empty for `none`, which takes back what an earlier run was given. */
const fileSchema = z.unknown().transform((value, context): string | null => {
  if (value === "none" || value === "") return "";
  if (typeof value === "string" && value.trim() !== "") return resolve(value);
  context.addIssue({ code: "custom", message: "expected a CSV file with the columns old and new, or none" });
  return z.NEVER;
});

const mapFileSchema = z.unknown().transform((value, context): string => {
  if (typeof value === "string" && value.trim() !== "") return resolve(value);
  context.addIssue({ code: "custom", message: "expected a file that guideferry map --json printed" });
  return z.NEVER;
});

/** Who and what is called otherwise at the target. */
export const MAPPING_OPTIONS = {
  userMap: option<string | null>({
    about:
      "CSV with the columns old and new: who users of the source are at the target, by id, unique name or e-mail; new empty: nobody",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal unique names, then equal e-mail addresses",
    commands: WITH_PEOPLE,
  }),
  teamMap: option<string | null>({
    about: "the same for teams, by id or name",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal names",
    commands: WITH_PEOPLE,
  }),
  movedMap: option<string | null>({
    about:
      "what another workspace moved to this target, as its `guideferry map --json` prints it: references lead there, and none of it is loaded again",
    value: "FILE",
    flag: "map",
    schema: mapFileSchema,
    fallback: null,
    fallbackText: "none",
    commands: ["migrate", "load", "plan", "retry"],
  }),
  typeMap: option<Readonly<Record<string, string>>>({
    about: "guides of a type of the source become guides of another type",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "types stay",
    repeatable: true,
    commands: LOADING,
  }),
  categoryMap: option<Readonly<Record<string, string>>>({
    about: "categories get another title; several with one new title become one",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "titles stay",
    repeatable: true,
    commands: LOADING,
  }),
} as const;
