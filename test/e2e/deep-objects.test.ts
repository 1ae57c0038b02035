/** Objects that are nested as deep as may be: all that reads, writes and shows them copes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServing } from '../support/serving.js';

/** Levels that objects may have. */
const mostLevels = 1000;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'frees.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'frees', singular: 'free', kind: 'Free', listKind: 'FreeList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};

/** A text of so many levels. */
const shapes: Readonly<Record<string, (levels: number) => string>> = {
  objects: (levels) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
  lists: (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
};

let server: ListeningServer;
const collection = '/apis/example.com/v1/namespaces/default/frees';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const json = 'application/json';
const applied = 'application/apply-patch+yaml';

async function send(
  method: string,
  path: string,
  body?: string,
  type = json,
  accept = json,
): Promise<[number, string]> {
  const headers = { 'content-type': type, accept };
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return [answer.status, await answer.text()];
}

/** The first revision that an answer names. */
const revisionIn = (text: string): string => /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? '';

beforeAll(async () => {
  server = await startServing({ naming: 'kubernetes' });
  expect((await send('POST', definitions, JSON.stringify(definition)))[0]).toBe(201);
});
afterAll(() => server?.stop());

describe.each(Object.entries(shapes))('%s nested as deep as may be', (shape, textOf) => {
  /** An object of so many levels, its own included. */
  const object = (name: string, levels: number): string =>
    `{"apiVersion":"example.com/v1","kind":"Free","metadata":{"name":"${name}"},"spec":${textOf(levels - 1)}}`;
  const path = `${collection}/${shape}`;

  it('are created, applied, patched and replaced', async () => {
    const whole = object(shape, mostLevels);
    const stored = `"spec":${textOf(mostLevels - 1)}`;
    const writes: [string, string, string, string?][] = [
      ['POST', `${collection}?fieldValidation=Strict`, whole],
      ['PATCH', `${path}-applied?fieldManager=one`, object(`${shape}-applied`, mostLevels), applied],
      ['PATCH', `${path}?fieldManager=two&force=true`, whole, applied],
      ['PATCH', path, whole, 'application/merge-patch+json'],
      [
        'PATCH',
        path,
        `[{"op":"replace","path":"/spec","value":${textOf(mostLevels - 2)}}]`,
        'application/json-patch+json',
      ],
    ];
    for (const [method, place, body, type] of writes) {
      const [code, text] = await send(method, place, body, type);
      expect([method, type, Math.floor(code / 100)]).toEqual([method, type, 2]);
      if (type !== 'application/json-patch+json') expect(text).toContain(stored);
    }
    const revision = revisionIn((await send('GET', path))[1]);
    const next = whole.replace('"metadata":{', `"metadata":{"resourceVersion":"${revision}",`);
    const [code, text] = await send('PUT', path, next);
    expect(code).toBe(200);
    expect(text).toContain(stored);
  });

  it.each([json, 'application/yaml', `${json};as=Table;g=meta.k8s.io;v=v1`, `${json};pretty=1`])(
    'are shown as %s, alone and in lists',
    async (accept) => {
      for (const place of [path, collection]) {
        const [code, text] = await send('GET', place, undefined, json, accept);
        expect(code).toBe(200);
        expect(text).toContain(shape);
      }
    },
  );

  it('are watched and deleted', async () => {
    const [, list] = await send('GET', collection);
    const revision = revisionIn(list);
    expect((await send('DELETE', path))[0]).toBe(200);
    const [code, events] = await send('GET', `${collection}?watch=1&timeoutSeconds=1&resourceVersion=${revision}`);
    expect(code).toBe(200);
    expect(events).toContain(textOf(mostLevels - 1));
    expect((await send('GET', path))[0]).toBe(404);
  });

  it.each([mostLevels + 1, mostLevels + 2, 5000, 10_000, 10_001])('are refused with %d levels', async (levels) => {
    const whole = object('deeper', levels);
    expect((await send('POST', collection, whole))[0]).toBe(400);
    expect((await send('PATCH', `${collection}/deeper?fieldManager=a`, whole, applied))[0]).toBe(400);
    expect((await send('POST', collection, object(`flat-${shape}-${levels}`, 3)))[0]).toBe(201);
    const place = `${collection}/flat-${shape}-${levels}`;
    expect((await send('PUT', place, object(`flat-${shape}-${levels}`, levels)))[0]).toBe(400);
    expect((await send('PATCH', place, `{"spec":${textOf(levels - 1)}}`, 'application/merge-patch+json'))[0]).toBe(400);
    const operation = `[{"op":"add","path":"/spec/deep","value":${textOf(levels - 2)}}]`;
    expect((await send('PATCH', place, operation, 'application/json-patch+json'))[0]).toBeGreaterThanOrEqual(400);
  });
});

describe.each(Object.entries(shapes))('%s of fields that nobody knows', (shape, textOf) => {
  const maps = '/api/v1/namespaces/default/configmaps';
  /** A map whose body has so many levels, and what is stored of it. */
  const map = (name: string, levels: number, more = ''): string =>
    `{"metadata":{"name":"${name}"},"extra":${textOf(levels - 1)}${more},"data":{"a":"b"}}`;
  const name = `of-${shape}`;
  const place = `${maps}/${name}`;

  it('are passed over down to 10,000 levels, in all that is written', async () => {
    const [created, text] = await send('POST', maps, map(name, 10_000));
    expect([created, text.includes('extra'), text.includes('"data":{"a":"b"}')]).toEqual([201, false, true]);
    expect((await send('PUT', place, map(name, 10_000, ',"exact":1.5')))[0]).toBe(200);
    for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      const [code, patched] = await send('PATCH', place, `{"extra":${textOf(9999)},"data":{"c":"${type}"}}`, type);
      expect([code, patched.includes(type)]).toEqual([200, true]);
    }
    expect((await send('GET', place))[1]).not.toContain('extra');
  });

  it('are told of where that is asked for, and in the order of the text', async () => {
    const body = `{"metadata":{"name":"strict"},"z":${textOf(9999)},"y":{"b":1,"b":2},"x":1}`;
    const [code, text] = await send('POST', `${maps}?fieldValidation=Strict`, body);
    expect(code).toBe(400);
    expect(JSON.parse(text).message).toMatch(
      /strict decoding error: unknown field "z", (unknown field "y", )?duplicate field "y.b".*unknown field "x"$/,
    );
  });

  it('are refused where they are still deeper', async () => {
    const [code, text] = await send('POST', maps, map('deeper', 10_001));
    expect([code, text.includes('exceeded max depth')]).toEqual([400, true]);
    expect((await send('PATCH', place, `{"extra":${textOf(10_000)}}`, 'application/merge-patch+json'))[0]).toBe(400);
  });

  it('are merged where they are written twice', async () => {
    const deep = textOf(9998);
    const [code, text] = await send(
      'POST',
      maps,
      `{"metadata":{"name":"twice-${shape}"},"a":{"b":${deep}},"a":{"b":${deep}}}`,
    );
    expect([code, text.includes('"a"')]).toEqual([201, false]);
  });
});
