import { z } from "zod";
import { ITEM_KINDS, type Key } from "./key.js";

const KEY = new RegExp(`^(?:${[...ITEM_KINDS, "step"].join("|")})/.+`, "s");

/** A key, checked for its form only. */
export const keySchema = z.custom<Key>((value) => typeof value === "string" && KEY.test(value), "not a key");

/** A user as content names them: enough to say who it was, nothing to sign in with. */
export const personSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The site-wide unique name; what people are recognised by at another site. */
  uniqueName: z.string().nullable(),
});
export type Person = Readonly<z.infer<typeof personSchema>>;
