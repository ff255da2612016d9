import { maySee } from "../../rules/rights.js";
import { paged } from "../../server/query.js";
import { type Call, ok, type Reply, type Route } from "../../server/route.js";
import { listAt } from "../../state/answer.js";
import { guideKey } from "../../state/guide.js";
import { guideSummary } from "../../views/guide-summary-view.js";

/** Collections of guides (facts, 9); a row names its guides by number. */
export const COLLECTIONS: readonly Route[] = [
  { method: "GET", path: "/collections", access: "anyone", run: listCollections },
];

async function listCollections(call: Call): Promise<Reply> {
  await call.beforeList();
  const { site } = call;
  return ok(
    paged(site.rows.collections.all(), call.query).map((row) => ({
      ...row,
      guides: listAt(row, "guides").flatMap((guideid) => {
        const guide = site.guides.get(guideKey(Number(guideid)));
        return guide?.deleted === false && maySee(guide, call.caller) ? [guideSummary(site, guide)] : [];
      }),
    })),
  );
}
