import { readFile } from "node:fs/promises";
import { openPackage } from "../../../src/training/package/check-package.js";
import { preparePackage } from "../../../src/training/package/normalise-package.js";

// node check-child.js check|digest LIST: looks at each of a list of packages, one after the other,
// as `training check` does; prints how many are good.
const [mode = "", list = ""] = process.argv.slice(2);
const paths = JSON.parse(await readFile(list, "utf8")) as readonly string[];
let accepted = 0;
for (const path of paths) {
  const looked = mode === "digest" ? await preparePackage(path) : await openPackage(path);
  await looked.close();
  if (looked.checked.verdict !== "refuse") accepted += 1;
}
process.stdout.write(`${accepted}\n`);
