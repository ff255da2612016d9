import { benchBackups } from "./backup/main.js";
import { benchConversions } from "./convert/main.js";

// npm run bench -- convert [WORD] | backup. Without a name of a bench all of them run; another word chooses conversions.
const [first = "", second = ""] = process.argv.slice(2);
const isNamed = first === "convert" || first === "backup";
if (first !== "backup") benchConversions(isNamed ? second : first);
if (first === "backup" || first === "") await benchBackups();
