import { z } from "zod";
import { ITEM_KINDS, type Key } from "./key.js";

const KEY = new RegExp(`^(?:${[...ITEM_KINDS, "step"].join("|")})/.+`, "s");

/** A key, checked for its form only. */
export const keySchema = z.custom<Key>((value) => typeof value === "string" && KEY.test(value), "not a key");

/**
 * What a map of people says of somebody. `target`: the id is theirs at the target. `nobody`: they have nobody there, on purpose.
 * Absent: they are who they are at the source.
 */
const givenSchema = z.enum(["target", "nobody"]).optional();

/** A user as content names them: enough to say who it was, nothing to sign in with. */
export const personSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The site-wide unique name; what people are recognised by at another site. */
  uniqueName: z.string().nullable(),
  given: givenSchema,
});
export type Person = Readonly<z.infer<typeof personSchema>>;

/** A team of users; it is recognised by its name at another site. */
export const teamSchema = z.object({ id: z.number().int(), name: z.string(), given: givenSchema });
export type Team = Readonly<z.infer<typeof teamSchema>>;
