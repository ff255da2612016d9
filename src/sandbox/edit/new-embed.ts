import type { Site } from "../state/site.js";

/** Puts a page of another site into a person's media manager, as the site's own pages do. Returns its objectid. */
export function newEmbed(site: Site, userid: number, url: string): number {
  const id = site.next("video");
  const facts = { type: "video", version: "1.0", width: 560, height: 315, title: "A page elsewhere" };
  site.media.embeds.set(id, {
    id,
    guid: site.newGuid(),
    filename: url,
    owner: userid,
    inManager: true,
    date: site.now(),
    loaded: { embedid: id, objectid: id, url, html: `<iframe src="${url}"></iframe>`, ...facts },
  });
  return id;
}
