import { startSandbox } from "../../../src/sandbox/index.js";
import type { Ask, Told } from "./site-process.js";

// The sandbox in a process of its own, so that neither its memory nor its work counts as that of
// the backup.

const [folder = ""] = process.argv.slice(2);
const sandbox = await startSandbox({ site: folder });
let seen = 0;

const tell = (told: Told): void => void process.send?.(told);

process.on("message", (ask: Ask) => {
  if (ask.kind === "count") {
    const requests = sandbox.recorded.slice(seen);
    seen = sandbox.recorded.length;
    const media = requests.filter(({ path }) => path.startsWith("/media/")).length;
    tell({ kind: "count", api: requests.length - media, media });
  }
  if (ask.kind === "change") {
    for (const id of ask.edited) sandbox.edit.guide(id, { introduction: `Edited in night ${ask.night}: ${id}.` });
    for (const id of ask.pictured) sandbox.edit.exchangeImage(id, id * 100, `${ask.night}-${id}`);
    for (const id of ask.deleted) sandbox.edit.deleteGuide(id);
    tell({ kind: "changed" });
  }
});

process.on("disconnect", () => {
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

tell({ kind: "ready", url: sandbox.origin, token: sandbox.token });
