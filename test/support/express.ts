/** Express, for tests that mount a server in it. It is installed with the example that does so. */
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './shared.js';

/** An app of Express, as far as tests use it. */
interface App extends RequestListener {
  use(middleware: RequestListener): App;
  use(path: string, listener: RequestListener): App;
}

const load = createRequire(join(root, 'examples/mounting/package.json'));

export const hasExpress = existsSync(join(root, 'examples/mounting/node_modules/express'));

/** For the names of tests that need it. */
export const expressOrWhyNot = hasExpress ? 'Express' : 'Express (skipped: `npm run install:all` installs it)';

/** Makes an app. Throws if Express is not installed. */
export const makeExpressApp = (): App => load('express')();

/** Makes the middleware that reads bodies. Throws if Express is not installed. */
export const readsBodies = (): RequestListener => load('express').json();
