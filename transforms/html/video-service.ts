/** A video at a service that the site can embed. */
export interface ServiceVideo {
  readonly service: "youtube" | "vimeo";
  readonly id: string;
}

// Addresses of pages, of frames, and short ones. Ids are what the services give out: letters, digits, `-` and `_`.
const ADDRESSES: readonly (readonly [ServiceVideo["service"], RegExp])[] = [
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/watch\?(?:[^#]*&)?v=([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/(?:embed|v|shorts|live)\/([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/youtu\.be\/([\w-]+)/i],
  ["vimeo", /^(?:https?:)?\/\/(?:player\.|www\.)?vimeo\.com\/(?:video\/)?(\d+)/i],
];

/** Reads a video's address; undefined when it is at no known service. */
export function readVideoAddress(address: string): ServiceVideo | undefined {
  for (const [service, pattern] of ADDRESSES) {
    const id = pattern.exec(address.trim())?.[1];
    if (id !== undefined) return { service, id };
  }
  return undefined;
}

/** The address of the page that shows the video: what people write into a text. */
export function videoPage({ service, id }: ServiceVideo): string {
  return service === "youtube" ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
