import type { Site } from "../state/site.js";
import { commentHands } from "./comment-hands.js";
import type { Editor } from "./editor.js";
import { guideHands, stepHands } from "./guide-hands.js";
import { newEmbed } from "./new-embed.js";
import { newImage } from "./new-image.js";
import { wikiHands } from "./wiki-hands.js";

/** Everything that another person can do on a site. */
export function createEditor(site: Site): Editor {
  return {
    ...guideHands(site),
    ...stepHands(site),
    ...wikiHands(site),
    ...commentHands(site),
    setStepLimits: (limits) => {
      site.settings.stepLimits = limits;
    },
    newImage: (seed) => newImage(site, seed).id,
    newEmbed: (userid, url) => newEmbed(site, userid, url),
    setRow: (rows, fields) => Number(site.rows[rows].put(fields)[site.rows[rows].id]),
    removeRow: (rows, id) => {
      if (!site.rows[rows].remove(id)) throw new Error(`The sandbox has no row ${id} of ${rows}.`);
    },
    clear: () => {
      const { images, videos, documents, embeds } = site.media;
      const tables = [
        site.guides,
        site.wikis,
        site.categoryParents,
        site.wikiParents,
        images,
        videos,
        documents,
        embeds,
        site.training.jobs,
      ];
      for (const table of [...tables, site.tags, site.comments, ...Object.values(site.rows)]) table.clear();
    },
  };
}
