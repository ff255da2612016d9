/**
 * A file of the index: a script that hands a text of JSON over, since pages that are opened from a disk can load scripts and nothing else. It is ASCII
 * alone, so that no browser reads it in another encoding, and its text takes a byte a character in the browser's memory.
 *
 * Scripts may be loaded by pages of any origin, which would so read what only their visitor can reach. So it does nothing but on a page from a disk (nobody can make
 * `location` another one); pages of a web server fetch it as a text, which only its own may, and take out what stands between the first and the last quote.
 */
export function searchScript(name: string, json: string): string {
  return `location.protocol==="file:"&&searchFile(${JSON.stringify(name)},'${escaped(json)}');\n`;
}

/** As a string of JavaScript in single quotes, which JSON hardly has. */
function escaped(json: string): string {
  return json.replace(/[\\']|[^\x20-\x7E]/g, (sign) => {
    if (sign === "\\" || sign === "'") return `\\${sign}`;
    return `\\\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
