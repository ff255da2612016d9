/** What macOS and Windows leave in folders and put into archives. */
export function isJunk(path: string): boolean {
  return JUNK.test(path);
}

const JUNK = /(?:^|\/)(?:__MACOSX|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)(?:\/|$)/i;

export function isArchiveName(path: string): boolean {
  return /\.(?:zip|omanual|7z|rar|tar|tgz|gz|bz2|xz|zst|jar|cab|iso)$/i.test(path);
}
