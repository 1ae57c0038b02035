/** The SDK bundles for browsers: nothing in it needs Node, and it runs with what browsers have. */
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/shared.js';

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'sdk',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('the browser bundle', () => {
  it('holds a generated client and needs nothing of Node', async () => {
    const text = await bundle('generated/client.ts');
    expect(text).toContain('csidrivers');
    expect(text).not.toMatch(/["'`]node:|require\(/);
  });

  it('runs with what browsers have', async () => {
    const asked: string[] = [];
    const page = createContext({
      ...{ URL, URLSearchParams, TextDecoder, TextEncoder, AbortController, setTimeout, clearTimeout },
      location: new URL('http://page.example.com/'),
      fetch: (url: string) => {
        asked.push(url);
        return Promise.resolve(new Response('{"kind":"CSIDriver","metadata":{"name":"d"}}'));
      },
    });
    page.globalThis = page;
    runInContext(await bundle('generated/client.ts'), page);
    const name: unknown = await runInContext(
      "sdk.createClient({ baseUrl: '/proxy/' }).storage.v1.csiDrivers.get('d').then((d) => d.metadata.name)",
      page,
    );
    expect(name).toBe('d');
    expect(asked).toEqual(['/proxy/apis/storage.platform.io/v1/csidrivers/d']);
  });

  it('would not bundle the Node entry', async () => {
    await expect(bundle('client/node.ts')).rejects.toThrow(/Could not resolve "node:/);
  });
});
