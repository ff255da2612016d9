import type { Route } from "../../server/route.js";
import { IMPORT_ROUTES } from "./training/imports.js";
import { MODULE_ROUTES } from "./training/modules.js";
import { spelt } from "./training/spelling.js";

/** External training modules (training modules, 1.3): every field and state here is inferred. Courses are an admin's work. */
export const TRAINING_MODULES: readonly Route[] = [...MODULE_ROUTES, ...IMPORT_ROUTES].map(spelt);
