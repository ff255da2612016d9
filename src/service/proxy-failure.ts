/** No connection to a proxy could be made. It names the proxy without its user and password. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
  override readonly cause: Error;

  constructor(proxy: URL, cause: Error) {
    super(`the proxy ${proxy.protocol}//${proxy.host} can't be reached`);
    this.cause = cause;
  }
}
