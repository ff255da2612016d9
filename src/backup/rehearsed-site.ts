import type { HomeSite } from "../service/target/home-site.js";
import type { Target } from "../core/contracts.js";

/** The two ends of a site that are written to. */
interface Written {
  readonly target: Target;
  readonly homeSite: HomeSite;
}

/** The same site, to which nothing is sent: it does as it is told, and counts. What is deleted there is taken to come back when it is asked for. */
export function rehearsedSite({ target, homeSite }: Written): Written {
  let [writes, calls] = [0, 0];
  const done = async (): Promise<undefined> => {
    calls += 1;
    return undefined;
  };
  return {
    target: {
      ...target,
      writes: () => writes,
      apply: async (operation, context) => {
        const rehearsed = await target.rehearse(operation, context);
        writes += rehearsed.writes;
        return rehearsed.receipt;
      },
    },
    homeSite: { ...homeSite, undelete: done, revert: done, writes: () => calls },
  };
}
