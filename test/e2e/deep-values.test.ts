/** Values of the greatest allowed depth, in everything that reads objects besides the verbs, and after a restart. */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition, freeOf, shapes } from '../support/deep-values.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const folder = scratchFolder();
const flags = {
  naming: 'kubernetes',
  storage: `lmdb:${join(folder, 'db')}`,
  featureGates: 'ValidatingAdmissionPolicy=true',
  runtimeConfig: 'admissionregistration.k8s.io/v1alpha1=true',
} as const;
const [frees, definitions, policies, bindings, revisions] = [
  '/apis/example.com/v1/namespaces/default/frees',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicybindings',
  '/apis/apps/v1/namespaces/default/controllerrevisions',
] as const;
const types = {
  json: 'application/json',
  yaml: 'application/yaml',
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  patch: 'application/json-patch+json',
} as const;

let server: ListeningServer;

async function send(method: string, path: string, body?: string, type: string = types.json): Promise<[number, string]> {
  const headers = { 'content-type': type };
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return [answer.status, await answer.text()];
}

const nested = (shape: string, levels: number): string => shapes[shape]?.(levels) ?? '';

beforeAll(async () => {
  server = await startServing(flags);
  expect((await send('POST', definitions, JSON.stringify(definition)))[0]).toBe(201);
});
afterAll(() => server?.stop());

describe('deep values', () => {
  it('are seen by policies', async () => {
    const [apiVersion, resources] = ['admissionregistration.k8s.io/v1alpha1', ['frees']];
    const rule = { apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources };
    const policy = {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'same' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'oldObject == null || object.spec == oldObject.spec' }],
      },
    };
    expect((await send('POST', policies, JSON.stringify(policy)))[0]).toBe(201);
    const spec = { policyName: 'same', validationActions: ['Deny'] };
    const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'same' }, spec };
    expect((await send('POST', bindings, JSON.stringify(binding)))[0]).toBe(201);
    for (const shape of Object.keys(shapes)) {
      const path = `${frees}/seen-${shape}`;
      expect((await send('POST', frees, freeOf(`seen-${shape}`, nested(shape, 9900))))[0]).toBe(201);
      const labels = '{"metadata":{"labels":{"a":"b"}}}';
      expect((await send('PATCH', path, labels, types.merge))[0]).toBe(200);
      const other = `{"spec":${nested(shape, 9900).replace(/\{\}|\[\]/, '[1]')}}`;
      await expect
        .poll(async () => (await send('PATCH', `${path}?dryRun=All`, other, types.merge))[0], { timeout: 5000 })
        .toBe(422);
    }
    expect((await send('DELETE', `${bindings}/same`))[0]).toBe(200);
    expect((await send('DELETE', `${policies}/same`))[0]).toBe(200);
  });

  it('may be data of built-in kinds, and errors print as much of them as fits', async () => {
    const revision = (data: string): string =>
      `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"deep"},"revision":1,"data":${data}}`;
    const data = nested('objects', 9990);
    expect((await send('POST', revisions, revision(data)))[0]).toBe(201);
    for (const type of [types.merge, types.strategic, types.apply]) {
      const path = `${revisions}/deep?fieldManager=a${type === types.apply ? '&force=true' : ''}`;
      const [code, text] = await send('PATCH', path, revision(data), type);
      expect([type, code, text.includes(data)]).toEqual([type, 200, true]);
      const [changed, told] = await send('PATCH', path, revision(data.replace('{}', '{"b":1}')), type);
      expect([type, changed, told.includes('"b\\":1')]).toEqual([type, 422, true]);
    }
  });

  it.each([
    ['"properties":{"a":', '}', 422],
    ['"type":"array","items":', '', 400],
    ['"not":', '', 400],
    ['"additionalProperties":', '', 400],
    ['"allOf":[', ']', 400],
  ])('are refused as schemas, as in {%s…%s}', async (open, close, code) => {
    const levels = code === 422 ? 399 : 9000;
    const schema = `${`{${open}`.repeat(levels)}{}${`${close}}`.repeat(levels)}`;
    const body = JSON.stringify(definition)
      .replaceAll('frees', 'nests')
      .replace(/"spec":\{"type":"object"[^}]*\}/, `"spec":${schema}`);
    expect((await send('POST', definitions, body))[0]).toBe(code);
  });

  it.each(['default', 'example', 'enum'])('are refused as the %s of a schema, beyond 1,000 levels', async (keyword) => {
    const bodyOf = (levels: number): string => {
      const value = keyword === 'enum' ? `[${nested('objects', levels)}]` : nested('objects', levels);
      const text = JSON.stringify(definition).replaceAll('frees', `${keyword}s`).replaceAll('"Free', `"${keyword}`);
      return text.replace('"spec":{"type":"object",', `"spec":{"type":"object","${keyword}":${value},`);
    };
    expect((await send('POST', definitions, bodyOf(9000)))[0]).toBe(422);
    expect((await send('POST', definitions, bodyOf(1001)))[0]).toBe(422);
    expect((await send('POST', definitions, bodyOf(1000)))[0]).toBe(201);
    expect((await send('GET', '/openapi/v3/apis/example.com/v1'))[0]).toBe(200);
  });

  it('of any depth get an answer from any verb, and the server survives', async () => {
    type Write = readonly [method: string, query: string, body: (spec: string, name: string) => string, type: string];
    const writes: Record<string, Write> = {
      update: ['PUT', '', (spec, name) => freeOf(name, spec), types.json],
      merge: ['PATCH', '', (spec) => `{"spec":${spec}}`, types.merge],
      replace: ['PATCH', '', (spec) => `[{"op":"replace","path":"/spec","value":${spec}}]`, types.patch],
      copy: ['PATCH', '', () => '[{"op":"copy","from":"/spec","path":"/spec/b"}]', types.patch],
      apply: ['PATCH', '?fieldManager=a&force=true', (spec, name) => freeOf(name, spec), types.apply],
      yaml: ['PATCH', '?fieldManager=b', (spec, name) => freeOf(name, `${spec} # YAML`), types.apply],
    };
    const step = fc.record({
      verb: fc.constantFrom(...Object.keys(writes)),
      shape: fc.constantFrom(...Object.keys(shapes)),
      levels: fc.integer({ min: 2, max: 10_000 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const name = `random-${round++}`;
        expect((await send('POST', frees, freeOf(name, '{"a":{}}')))[0]).toBe(201);
        for (const { verb, shape, levels } of steps) {
          const [method, query, body, type] = writes[verb] ?? ['GET', '', () => '', types.json];
          const [code, text] = await send(method, `${frees}/${name}${query}`, body(nested(shape, levels), name), type);
          expect([verb, shape, levels, code < 500, text.length > 0]).toEqual([verb, shape, levels, true, true]);
          expect((await send('GET', `${frees}/${name}`))[0]).toBe(200);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are equal after a restart', async () => {
    const [, before] = await send('GET', frees);
    await server.stop();
    server = await startServing(flags);
    const [code, after] = await send('GET', frees);
    const itemsOf = (text: string): string => text.slice(text.indexOf('"items"'));
    expect([code, before.length > 100_000, itemsOf(after) === itemsOf(before)]).toEqual([200, true, true]);
  });
});
