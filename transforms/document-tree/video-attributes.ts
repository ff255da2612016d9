import type { Video } from "../wiki/tree.js";
import { parameterOf } from "../wiki/tree-readers.js";
import type { DocumentAttributes } from "./document-node.js";

/** What the paragraph of a video says about it (wiki-syntax 4.2); only defaults were ever seen for all but the address. */
export function videoAttributes(video: Video): DocumentAttributes {
  const url = video.target.trim();
  return {
    align: parameterOf(video, "align") ?? "center",
    caption: parameterOf(video, "caption") ?? "",
    formats: [],
    poster: "",
    rule: "Video",
    service: SERVICES.find(({ host }) => host.test(url))?.service ?? "",
    size: parameterOf(video, "size") ?? "large",
    url,
  };
}

/** `youtube` was seen, the other is by analogy. */
const SERVICES = [
  {
    service: "youtube",
    host: /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtube-nocookie\.com|youtu\.be)(?:[/?#:]|$)/i,
  },
  { service: "vimeo", host: /^https?:\/\/(?:[\w-]+\.)*vimeo\.com(?:[/?#:]|$)/i },
] as const;
