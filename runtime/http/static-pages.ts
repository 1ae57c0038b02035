/** Serves the pages of a folder beside the API. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type H3Event, type Middleware, serveStatic } from 'h3';

/** First parts of the paths that stay the API's, even if the folder has files there. */
const ownParts = new Set([
  '.well-known',
  'api',
  'apis',
  'debug',
  'healthz',
  'livez',
  'metrics',
  'openapi',
  'openid',
  'readyz',
  'storage',
  'version',
]);

/**
 * Returns middleware that answers GET and HEAD with the files of a folder. It answers before the user is known: pages
 * are public, because browsers load them before anybody can sign in. `/` is the folder's `index.html` for browsers and
 * the API's for other clients. Browsers also get `index.html` for paths that neither the folder nor a route has.
 */
export function staticPages(folder: string): Middleware {
  return async (event, next) => {
    const { method, headers } = event.req;
    const path = event.url.pathname;
    const [, part = ''] = path.split('/', 2);
    if ((method !== 'GET' && method !== 'HEAD') || ownParts.has(part)) return next();
    const isBrowser = headers.get('accept')?.includes('text/html') ?? false;
    if (path === '/' && !isBrowser) return next();
    const found = await serveFile(event, folder);
    if (found !== undefined) return found;
    const isPage = isBrowser && event.context.matchedRoute === undefined && !/\.\w+$/.test(path);
    const page = isPage ? await serveFile(event, folder, '/index.html') : undefined;
    return page ?? next();
  };
}

/** Serves the file that the path of an event names, or another one in its place; `undefined` if it does not exist. */
async function serveFile(event: H3Event, folder: string, other?: string): Promise<unknown> {
  let found: FoundFile | undefined;
  return serveStatic(event, {
    fallthrough: true,
    async getMeta(id) {
      found = await fileAt(folder, other ?? id);
      if (!found) return undefined;
      event.res.headers.set('x-content-type-options', 'nosniff');
      // Browsers ask each time whether the file has changed.
      event.res.headers.set('cache-control', 'no-cache');
      return { size: found.size, mtime: found.mtimeMs, ...(other === undefined ? {} : { type: 'text/html' }) };
    },
    getContents: async () => found && new Uint8Array(await readFile(found.path)),
  });
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Finds a file below the folder. Hidden files, and links that lead out of the folder, count as missing. */
async function fileAt(folder: string, id: string): Promise<FoundFile | undefined> {
  if (/(^|\/)\./.test(id) || id.includes('\0')) return undefined;
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, id));
    const found = await stat(path);
    if (!found.isFile() || !path.startsWith(root + sep)) return undefined;
    return { path, size: found.size, mtimeMs: found.mtimeMs };
  } catch {
    return undefined;
  }
}
