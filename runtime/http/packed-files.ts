/** Reads the files of an application once, and compresses them once for each coding. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An existing file. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The content codings (RFC 9110, section 8.4.1), and the endings of file names with each. */
export const codings = { br: '.br', gzip: '.gz' } as const;
type Coding = keyof typeof codings;

/** One form of a file, as clients get it. */
export interface PackedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The tag of this content in this form (RFC 9110, section 8.8.3). It does not depend on the time of the file. */
  readonly etag: string;
}

/** Returns a form of a file: compressed or unchanged. */
export type PackFile = (file: FoundFile, coding: Coding | undefined) => Promise<PackedFile>;

/**
 * Returns a function that keeps each form while its file does not change. Only use it for folders with few files: all
 * forms of the console take a megabyte and a half.
 */
export function definePackedFiles(): PackFile {
  const known = new Map<string, { readonly stamp: string; readonly packed: Promise<PackedFile> }>();
  return (file, coding) => {
    const { path, size, mtimeMs } = file;
    const [name, stamp] = [`${coding ?? ''} ${path}`, `${size} ${mtimeMs}`];
    const kept = known.get(name);
    if (kept?.stamp === stamp) return kept.packed;
    const packed = pack(path, coding);
    known.set(name, { stamp, packed });
    packed.catch(() => known.delete(name));
    return packed;
  };
}

const compress = {
  gzip: promisify(gzip),
  // At Node's default, the best quality, a file of half a megabyte takes a second.
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }),
} as const;

async function pack(path: string, coding: Coding | undefined): Promise<PackedFile> {
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  if (coding === undefined) return { bytes: content, etag: `"${hash}"` };
  return { bytes: await compress[coding](content), etag: `"${hash}-${coding}"` };
}

/** File types worth compressing. Pictures and fonts are already compressed. */
const textual = /\.(css|html|js|json|map|svg|txt|webmanifest)$/;

/** Returns the coding for a path and the `Accept-Encoding` of a request; `undefined` for none. */
export function codingFor(path: string, accepted: string | null): Coding | undefined {
  if (accepted === null || !textual.test(path)) return undefined;
  const names = accepted.split(',').flatMap((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}
