// The parts of undici that lib/ contains: the classes that connect and send requests. undici's main module also loads fetch, WebSocket,
// caches and mocks, which doubles the time until the first request (docs/decisions/command-modules.md).
//
// These files of undici are not documented. If a version moves one, the build fails.
import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

// As in undici's main module: `dispatcher.request` and the like.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, EnvHttpProxyAgent, Pool };
