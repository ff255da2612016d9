/**
 * Writes texts to a stream, the next one when the last is taken. Ends quietly when the reader goes away (`| head`): what it wanted
 * it has. Throws any other fault of the stream, and what the texts throw.
 */
export async function writeStream(stream: NodeJS.WritableStream, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    if (text !== "" && !(await write(stream, text))) return;
  }
}

/** Whether the stream has a reader. */
function write(stream: NodeJS.WritableStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve(true);
      else if ("code" in error && error.code === "EPIPE") resolve(false);
      else reject(error);
    });
  });
}
