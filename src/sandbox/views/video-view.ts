import { type Answer, isAnswer, listAt } from "../state/answer.js";
import type { VideoRecord } from "../state/media.js";
import type { Site } from "../state/site.js";
import { imageDetail } from "./image-view.js";

/** A video object (facts, 3.5), as in steps and as the answer of `GET /media/videos/{id}`; no encodings until it is ready. */
export function videoView(site: Site, video: VideoRecord): Answer {
  const ready = video.pollsLeft === 0;
  const poster = video.image === null ? undefined : site.media.images.get(video.image);
  return {
    srcid: null,
    duration: 1000,
    ...video.loaded,
    videoid: video.id,
    objectid: video.id,
    filename: video.filename,
    width: video.width,
    height: video.height,
    image: poster === undefined ? null : imageDetail(site, poster),
    encodings: ready ? encodingsOf(site, video) : [],
    meta: video.loaded["meta"] ?? metaOf(video, ready),
  };
}

function encodingsOf(site: Site, video: VideoRecord): readonly Answer[] {
  const loaded = listAt(video.loaded, "encodings").filter(isAnswer);
  if (loaded.length > 0) return loaded;
  return [
    {
      column: "MP4_720",
      label: `${video.height}p`,
      format: "mp4",
      mime: "video/mp4",
      codecs: "avc1.4D401E, mp4a.40.2",
      width: video.width,
      height: video.height,
      url: `${site.mediaOrigin}/media/${video.guid}_MP4_720.mp4`,
      always_generate: true,
    },
  ];
}

function metaOf(video: VideoRecord, ready: boolean): Answer {
  return {
    id: video.id,
    state: ready ? "finished" : "processing",
    width: video.width,
    height: video.height,
    duration_in_ms: 1000,
    channels: "2",
    md5_checksum: null,
  };
}
