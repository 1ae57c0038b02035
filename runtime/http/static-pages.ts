/** Serves the pages of a folder beside the API. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type H3Event, type Middleware, serveStatic } from 'h3';
import { codingFor, definePackedFiles, type FoundFile, type PackFile } from './packed-files.js';

/** The first parts of the API's own paths, even if the folder has files there. */
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
 * Returns middleware that answers GET and HEAD with the files of a folder. It answers before the user is known. Pages
 * are public, because browsers load them before anybody can sign in. For `/`, browsers get the folder's `index.html`,
 * and other clients the API's answer. Browsers also get `index.html` for paths that neither the folder nor a route has.
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

/** An application in one folder. All its paths begin with `under`. */
export interface Application {
  /** The path, such as `/console/`. */
  readonly under: string;
  readonly folder: string;
  /** The headers of each file. */
  readonly headers: Readonly<Record<string, string>>;
  /** The page to show while the folder has no `index.html`. */
  readonly missing: string;
}

/**
 * Returns middleware that answers GET and HEAD below `under`, before the user is known: with a file, or with
 * `index.html` for the addresses of its pages. Files below `assets/` have a hash in their names, so browsers keep them.
 * Compresses texts for clients that accept this.
 */
export function applicationPages({ under, folder, headers, missing }: Application): Middleware {
  const pack = definePackedFiles();
  return (event, next) => {
    const path = event.url.pathname;
    if (!path.startsWith(under)) return path === under.slice(0, -1) ? redirect(under) : next();
    const { method } = event.req;
    if (method !== 'GET' && method !== 'HEAD') return next();
    for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
    return serveApplication(event, { folder, missing, pack }, `/${path.slice(under.length)}`);
  };
}

interface Served extends Pick<Application, 'folder' | 'missing'> {
  readonly pack: PackFile;
}

async function serveApplication(event: H3Event, { folder, missing, pack }: Served, path: string): Promise<unknown> {
  const isFile = /\.\w+$/.test(path);
  const found = isFile ? await servePacked(event, folder, path, pack) : undefined;
  if (found !== undefined) return found;
  // Names of objects may have dots, so the address of a page can look like a file.
  const page = path.startsWith('/assets/') ? undefined : await servePacked(event, folder, '/index.html', pack);
  if (page !== undefined) return page;
  event.res.status = path.startsWith('/assets/') ? 404 : 503;
  event.res.headers.set('content-type', 'text/html; charset=utf-8');
  return missing;
}

const redirect = (location: string): Response => new Response(null, { status: 308, headers: { location } });

/** Returns the type of a file that replaces another one. */
const typeOf = (path: string): { readonly type?: string } => (path === '/index.html' ? { type: 'text/html' } : {});

const keptForAYear = 'public, max-age=31536000, immutable';

/** Serves a file of an application from memory; `undefined` if it does not exist. */
async function servePacked(event: H3Event, folder: string, path: string, pack: PackFile): Promise<unknown> {
  const coding = codingFor(path, event.req.headers.get('accept-encoding'));
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return serveStatic(event, {
    fallthrough: true,
    async getMeta() {
      const found = await fileAt(folder, path);
      if (!found) return undefined;
      const packed = await pack(found, coding);
      bytes = packed.bytes;
      event.res.headers.set('vary', 'accept-encoding');
      setHeaders(event, path.startsWith('/assets/'));
      // Sends no time, because tools that build images set the same time for all files.
      return {
        size: bytes.length,
        etag: packed.etag,
        ...(coding === undefined ? {} : { encoding: coding }),
        ...typeOf(path),
      };
    },
    getContents: () => bytes,
  });
}

function setHeaders({ res: { headers } }: H3Event, isKept: boolean): void {
  headers.set('x-content-type-options', 'nosniff');
  // Browsers check each time whether a file has changed, unless its name has a hash.
  headers.set('cache-control', isKept ? keptForAYear : 'no-cache');
}

/** Serves the file that the path of an event names, or another file instead; `undefined` if it does not exist. */
async function serveFile(event: H3Event, folder: string, other?: string): Promise<unknown> {
  let found: FoundFile | undefined;
  return serveStatic(event, {
    fallthrough: true,
    async getMeta(id) {
      found = await fileAt(folder, other ?? id);
      if (!found) return undefined;
      setHeaders(event, false);
      return { size: found.size, mtime: found.mtimeMs, ...(other === undefined ? {} : typeOf(other)) };
    },
    getContents: async () => found && new Uint8Array(await readFile(found.path)),
  });
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
