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
  it('has a generated client and needs nothing of Node', async () => {
    const text = await bundle('generated/client.ts');
    expect(text).toContain('csidrivers');
    expect(text).not.toMatch(/["'`]node:|require\(/);
  });

  it("runs in a browser's environment", async () => {
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

  it("checks objects in a browser's environment", async () => {
    const document = {
      components: {
        schemas: {
          Top: {
            type: 'object',
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              spec: { type: 'object', properties: { name: { type: 'string', not: { pattern: '^[a-z]$' } } } },
            },
            'x-kubernetes-group-version-kind': [{ group: 'toys.example.com', version: 'v1', kind: 'Top' }],
          },
        },
      },
    };
    const resources = [{ name: 'tops', singularName: 'top', namespaced: true, kind: 'Top', verbs: ['list'] }];
    const answers: Readonly<Record<string, unknown>> = {
      '/api': { versions: [] },
      '/apis': {
        groups: [{ name: 'toys.example.com', versions: [{ groupVersion: 'toys.example.com/v1', version: 'v1' }] }],
      },
      '/apis/toys.example.com/v1': { groupVersion: 'toys.example.com/v1', resources },
      '/openapi/v3': { paths: { 'apis/toys.example.com/v1': { serverRelativeURL: '/openapi/v3/toys' } } },
      '/openapi/v3/toys': document,
    };
    const page = createContext({
      ...{ URL, URLSearchParams, TextDecoder, TextEncoder, AbortController, setTimeout, clearTimeout },
      location: new URL('http://page.example.com/'),
      fetch: (url: string) => Promise.resolve(new Response(JSON.stringify(answers[url]))),
    });
    page.globalThis = page;
    runInContext(await bundle('client/index.ts'), page);
    const found: unknown = await runInContext(
      `sdk.dynamicClient({ baseUrl: '/' })
        .check({ apiVersion: 'toys.example.com/v1', kind: 'Top', spec: { name: 'a', spin: 1 } })
        .then((findings) => JSON.stringify(findings.map(({ path, message }) => path + ': ' + message)))`,
      page,
    );
    expect(JSON.parse(String(found))).toEqual([
      'spec.spin: unknown field',
      'spec.name: Invalid value: must not validate the schema (not)',
    ]);
  });

  it('has the schema engine in a file of its own, which is loaded with the first check', async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'client/index.ts')],
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
      outdir: 'pages',
      absWorkingDir: root,
      platform: 'browser',
      format: 'esm',
      logLevel: 'silent',
    });
    const { outputs } = metafile;
    const loadedWith = (file: string): string[] => [
      file,
      ...(outputs[file]?.imports ?? [])
        .filter(({ kind }) => kind === 'import-statement')
        .flatMap(({ path }) => loadedWith(path)),
    ];
    const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'client/index.ts') ?? '';
    const first = loadedWith(entry).flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    expect(first).toContain('client/dynamic/dynamic-client.ts');
    expect(first.filter((file) => /^runtime\/schema\/|re2js/.test(file))).toEqual([]);
    const all = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(all).toContain('runtime/schema/engine/validate.ts');
  });

  it('fails with the Node entry', () => expect(bundle('client/node.ts')).rejects.toThrow(/Could not resolve "node:/));
});
