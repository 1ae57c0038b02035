/** `kindforge import` as a command, against servers that run and servers that misbehave. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../support/ask.js';
import { scratchFolder, write } from '../support/scratch-folder.js';
import { type ScriptedAnswer, scriptedServer } from '../support/scripted-server.js';
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { root } from '../support/shared.js';
import { kubeconfigFor } from '../support/write-kubeconfig.js';
import { readYaml } from '../support/yaml.js';

/** The definition of CustomResourceDefinitions, for a server that has them. */
const CUSTOM_RESOURCES = `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: customresourcedefinitions.apiextensions.k8s.io }
spec:
  group: apiextensions.k8s.io
  names: { plural: customresourcedefinitions, kind: CustomResourceDefinition, shortNames: [crd], categories: [api-extensions] }
  scope: Cluster
  versions:
    - name: v1
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

/** The output of an import of the widgets. */
const widgetNames = { spec: { names: { plural: 'widgets', kind: 'Widget', singular: 'widget' } } };

const widgets = readFileSync(join(root, 'examples/hello/widgets.yaml'), 'utf8');

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
};

const folder = scratchFolder();
let server: ServerProcess;
beforeAll(async () => {
  write(folder, { 'served/crds.yaml': CUSTOM_RESOURCES, 'served/widgets.yaml': widgets });
  server = await startServerProcess('--storage', 'memory', '--schemas', path('served'));
}, 300_000);
afterAll(() => server.end('SIGTERM'));

const path = (...parts: string[]): string => join(folder, ...parts);

const discoveryOf = async (url: string, groupVersion: string): Promise<unknown> => {
  const list: { resources: { storageVersionHash?: string }[] } = await (
    await fetch(`${url}/apis/${groupVersion}`)
  ).json();
  return list.resources.map(({ storageVersionHash: _, ...rest }) => rest);
};

const openApiOf = async (url: string, groupVersion: string): Promise<object> =>
  (await fetch(`${url}/openapi/v3/apis/${groupVersion}`)).json();

describe('import openapi', () => {
  it('makes definitions of all kinds of a server, which can be checked, generated and served', async () => {
    const out = path('imported');
    const { code, err } = await runCommand('import', 'openapi', server.url, '--out', out);
    expect(err).toMatch(/\d+ resources with the types of \d+ group versions in /);
    expect(code).toBe(0);
    // A document does not have the conversions of versions. This is the only warning.
    const remarks = { code: 0, out: expect.not.stringMatching(/KF(?!4034 warning)/) };
    expect(await runCommand('check', '--schemas', out)).toMatchObject(remarks);
    expect(await runCommand('generate', '--schemas', out, '--out', path('generated'))).toMatchObject(remarks);

    const own = path('own');
    const groups = ['--groups', 'shop.example.com,apiextensions.k8s.io'];
    expect(await runCommand('import', 'openapi', server.url, ...groups, '--out', own)).toMatchObject({ code: 0 });
    const again = await startServerProcess('--storage', 'memory', '--schemas', own);
    onTestFinished(async () => void (await again.end('SIGTERM')));
    for (const groupVersion of ['shop.example.com/v1', 'apiextensions.k8s.io/v1']) {
      expect(await discoveryOf(again.url, groupVersion)).toEqual(await discoveryOf(server.url, groupVersion));
      expect(await openApiOf(again.url, groupVersion)).toEqual(await openApiOf(server.url, groupVersion));
    }
  }, 180_000);

  it.each(['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/shop.example.com/v1'])(
    'reads documents at their own address: %s',
    async (document) => {
      const out = path(`at${document.replaceAll('/', '-')}`);
      expect(await runCommand('import', 'openapi', server.url + document, '--out', out)).toMatchObject({ code: 0 });
      expect(readYaml(readFileSync(join(out, 'shop.example.com/widgets.yaml')))).toMatchObject(widgetNames);
    },
    300_000,
  );

  it('overwrites nothing without --force', async () => {
    const out = path('kept');
    const file = join(out, 'shop.example.com/widgets.yaml');
    const document = `${server.url}/openapi/v3/apis/shop.example.com/v1`;
    mkdirSync(join(out, 'shop.example.com'), { recursive: true });
    writeFileSync(file, 'mine');
    const refused = await runCommand('import', 'openapi', document, '--out', out);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`these files exist already:\n  ${file}\n  nothing was written; add --force`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(existsSync(join(out, 'types'))).toBe(false);
    expect(await runCommand('import', 'openapi', document, '--out', out, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('kind: ResourceDefinition');
  }, 300_000);

  it.each<[string, ScriptedAnswer, number, string]>([
    [
      'credentials',
      { code: 401 },
      2,
      'answers 401: the server needs credentials; name a --kubeconfig with a user that may read it, or save it with `kubectl',
    ],
    ['rights', { code: 403 }, 2, 'answers 403: the server does not allow it'],
    ['another address', { code: 404 }, 2, 'answers 404; servers have their documents at /openapi/v3 and /openapi/v2'],
    ['help', { code: 500 }, 2, 'answers 500'],
    ['no web page', { headers: { 'content-type': 'text/html' } }, 2, 'is a web page; name the address of the document'],
    ['no web page under a false name', { send: (response) => response.end('<!DOCTYPE html>') }, 2, 'is a web page'],
    ['no half of a document', { send: (response) => response.end('{"swagger": ') }, 1, '/api.json:1:'],
    [
      'an answer that ends',
      { send: (response) => response.destroy() },
      2,
      'is the server running, and is this its address?',
    ],
  ])(
    'reports why a server refuses: %s',
    async (_title, answer, code, message) => {
      const scripted = await scriptedServer([answer]);
      try {
        const ended = await runCommand('import', 'openapi', `${scripted.url}/api.json`, '--out', path('never'));
        expect(ended.err).toContain(message);
        expect(ended.err).not.toContain('    at ');
        expect(ended.code).toBe(code);
      } finally {
        await scripted.close();
      }
    },
    300_000,
  );

  it.each([
    ['all that it has', []],
    ['a document of it', ['/openapi/v3/apis/shop.example.com/v1']],
  ])(
    'reads with the credentials of a kubeconfig: %s',
    async (what, source) => {
      const guard = createServer(async ({ headers, url = '' }, response) => {
        if (headers.authorization !== 'Bearer of-mine') return response.writeHead(401).end();
        const answer = await fetch(server.url + url);
        return response.writeHead(answer.status).end(await answer.text());
      });
      const scripted = await scriptedServer([], () => guard);
      try {
        const config = path('guarded.json');
        writeFileSync(config, kubeconfigFor(scripted.url, { token: 'of-mine' }));
        const out = path(`guarded ${what}`);
        const flags = ['--groups', 'shop.example.com', '--kubeconfig', config, '--out', out];
        expect(await runCommand('import', 'openapi', ...source, ...flags)).toMatchObject({ code: 0 });
        expect(readYaml(readFileSync(join(out, 'shop.example.com/widgets.yaml')))).toMatchObject(widgetNames);
      } finally {
        await scripted.close();
      }
    },
    300_000,
  );

  it.each([
    ['nothing', [], 'a source is missing; give a file, a URL, or --kubeconfig'],
    ['a context of nothing', ['api.json', '--context', 'x'], '--context needs --kubeconfig'],
    [
      'another server',
      ['http://127.0.0.1:1', '--kubeconfig', 'x'],
      'with --kubeconfig, the source must be a path on its server',
    ],
  ])(
    'refuses %s',
    async (_title, flags, message) => {
      const ended = await runCommand('import', 'openapi', ...flags, '--out', path('never'));
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    },
    300_000,
  );

  it('reports the mistakes of a document with their places', async () => {
    writeFileSync(path('wrong.json'), '{"swagger": "2.0", "definitions": {"A": 1, "B": 2}}');
    expect(await runCommand('import', 'openapi', path('wrong.json'), '--out', path('never'))).toEqual({
      code: 1,
      out: ['A', 'B'].map((name) => `${path('wrong.json')}: definitions.${name}: must be an object\n`).join(''),
      err: '2 errors; nothing was written\n',
    });
    expect(existsSync(path('never'))).toBe(false);
  }, 300_000);
});

describe('import crds', () => {
  beforeAll(async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const body = { ...gadgets, metadata: { ...gadgets.metadata, annotations }, status: {} };
    const answer = await ask(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
    expect(answer.code).toBe(201);
  });

  const kubeconfig = (): string => {
    const config = {
      'current-context': 'none',
      contexts: [{ name: 'here', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: server.url } }],
    };
    writeFileSync(path('config'), JSON.stringify(config));
    return path('config');
  };

  it.each(['server', 'kubeconfig'])(
    'writes the applied definition: --%s',
    async (flag) => {
      const out = path(`crds-${flag}`);
      const where = flag === 'server' ? ['--server', server.url] : ['--kubeconfig', kubeconfig(), '--context', 'here'];
      expect(await runCommand('import', 'crds', ...where, '--out', out)).toMatchObject({ code: 0 });
      expect(readYaml(readFileSync(join(out, 'example.com/gadgets.yaml'), 'utf8'))).toEqual(gadgets);
      expect(await runCommand('check', '--schemas', out)).toMatchObject({ code: 0, out: '' });
    },
    300_000,
  );

  it.each<[string, () => string[], string]>([
    ['no server', () => [], 'give either --kubeconfig or --server'],
    ['two servers', () => ['--kubeconfig', 'x', '--server', server.url], 'give either --kubeconfig or --server'],
    ['a context of nothing', () => ['--server', server.url, '--context', 'x'], '--context needs --kubeconfig'],
    ['no such context', () => ['--kubeconfig', kubeconfig()], 'the kubeconfig has no context named "none"'],
    ['no such file', () => ['--kubeconfig', path('nowhere')], 'no kubeconfig at'],
    ['no address', () => ['--server', 'nonsense'], '"nonsense" is not the base URL of a server'],
  ])(
    'names the wrong flag: %s',
    async (_title, flags, message) => {
      const { code, err } = await runCommand('import', 'crds', ...flags(), '--out', path('never'));
      expect(err).toContain(message);
      expect(code).toBe(2);
    },
    300_000,
  );

  it.each<[string, ScriptedAnswer, string]>([
    [
      'credentials',
      { code: 401, body: { kind: 'Status', reason: 'Unauthorized' } },
      'name a --kubeconfig with credentials',
    ],
    [
      'rights',
      { code: 403, body: { kind: 'Status', reason: 'Forbidden', message: 'no' } },
      'ask for the right to list them',
    ],
    [
      'other definitions',
      { code: 404, body: { kind: 'Status', reason: 'NotFound' } },
      'the server has no customresourcedefinitions',
    ],
  ])(
    'reports why a server refuses: %s',
    async (_title, answer, message) => {
      const scripted = await scriptedServer([answer]);
      try {
        const { code, err } = await runCommand('import', 'crds', '--server', scripted.url, '--out', path('never'));
        expect(err).toContain(message);
        expect(code).toBe(2);
      } finally {
        await scripted.close();
      }
    },
    300_000,
  );
});
