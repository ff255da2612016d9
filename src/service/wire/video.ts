import type { Key } from "../../core/model/key.js";
import type { Media } from "../../core/model/media.js";
import { readAddress } from "./address.js";
import { readImage } from "./image.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";

/** The key of a video object (api-facts 3.5), or null where none is. Its address is asked for later: encodings may come late. */
export function readVideo(place: Place, uses: MediaUses, path: string): Key | null {
  const video = place.object();
  const id = video?.at("videoid").integer() ?? null;
  if (video === undefined || id === null) return null;
  const key: Key = `video/${id}`;
  uses.add({ key, url: null, guid: null, fileName: video.at("filename").textOrNull(), path });
  return key;
}

/**
 * The answer of `GET media/videos/{id}`; undefined when there is nothing to fetch, as while the site transcodes it. The use of its poster
 * is added: `image` is an image's detail, which may be null.
 */
export function readVideoDetail(video: Place, uses: MediaUses): Media | undefined {
  const id = video.at("videoid").integer();
  const original = originalAddress(video);
  const url = original ?? bestEncoding(video);
  if (id === null || url === null) return undefined;
  const detail = video.at("image").object();
  const poster = detail === undefined ? null : readImage(detail.at("image"), uses, "poster");
  // `meta` describes what was uploaded: of an encoding no size is told.
  const size = original === null ? 0 : (video.at("meta").object()?.at("file_size_in_bytes").integer() ?? 0);
  return {
    id,
    guid: video.at("guid").textOrNull(),
    fileName: video.at("filename").textOrNull(),
    url,
    width: video.at("width").number(),
    height: video.at("height").number(),
    markup: null,
    sourceImage: null,
    ...(size > 0 ? { toldSize: size } : {}),
    ...(poster === null ? {} : { poster }),
    content: null,
  };
}

/** No public answer shows one, but where a site offers what was uploaded, that is better than any encoding. */
function originalAddress(video: Place): string | null {
  return readAddress(video.at("original")) ?? readAddress(video.at("download_url"));
}

interface Encoding {
  readonly url: string;
  readonly pixels: number;
  readonly bitrate: number;
  readonly mp4: boolean;
}

/** The address of the encoding with most pixels, then the highest bit rate; mp4 on a tie. */
function bestEncoding(video: Place): string | null {
  const encodings = video.at("encodings").items().flatMap(readEncoding);
  const [best] = encodings.toSorted(
    (a, b) => b.pixels - a.pixels || b.bitrate - a.bitrate || Number(b.mp4) - Number(a.mp4),
  );
  return best?.url ?? null;
}

function readEncoding(place: Place): readonly Encoding[] {
  const encoding = place.object();
  const url = encoding === undefined ? null : readAddress(encoding.at("url"));
  if (encoding === undefined || url === null) return [];
  const pixels = (encoding.at("width").number() ?? 0) * (encoding.at("height").number() ?? 0);
  const bitrate = encoding.at("max_video_bitrate").number() ?? 0;
  return [{ url, pixels, bitrate, mp4: encoding.at("format").textOrNull() === "mp4" }];
}
