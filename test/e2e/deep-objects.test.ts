/** Objects of the greatest allowed depth: the server can read, write and show them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { definition, freeOf, shapes } from '../support/deep-values.js';
import { servingForTests } from '../support/serving.js';

/** The levels of the objects to write and read in all ways. */
const depths: readonly number[] = [999, 1000, 1001, 5000, 9990];

const server = servingForTests({ naming: 'kubernetes' });
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
  const answer = await fetch(server().url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return [answer.status, await answer.text()];
}

/** Counts the levels of a chain of objects. */
function depthOf(value: unknown): number {
  let levels = 0;
  for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at).at(-1)) levels++;
  return levels;
}

/** Returns the first revision in an answer. */
const revisionIn = (text: string): string => /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? '';

beforeAll(async () => {
  expect((await send('POST', definitions, JSON.stringify(definition)))[0]).toBe(201);
});

const forms = ['pretty=1', 'as=Table;g=meta.k8s.io;v=v1', 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1'];
const cases = Object.keys(shapes).flatMap((shape) => depths.map((levels) => [shape, levels] as const));

/** Prints an object of so many levels, including itself. */
const objectOf = (shape: string, levels: number, name: string, metadata = ''): string =>
  freeOf(name, specOf(shape, levels), metadata);

const bare = (name: string): string => `{"apiVersion":"example.com/v1","kind":"Free","metadata":{"name":"${name}"}}`;

/** Prints the part of the spec in such an object. */
const specOf = (shape: string, levels: number): string => shapes[shape]?.(levels - 1) ?? '';

describe.each(cases)('%s nested %d levels deep', (shape, levels) => {
  const name = `${shape}-${levels}`;
  const path = `${collection}/${name}`;
  const spec = specOf(shape, levels);
  const stored = `"spec":${spec}`;

  it('are created, applied, patched and replaced, and have owners', async () => {
    const whole = objectOf(shape, levels, name);
    const operation = `[{"op":"replace","path":"/spec","value":${spec}}]`;
    const writes: [string, string, string, string?][] = [
      ['POST', `${collection}?fieldValidation=Strict`, whole],
      ['PATCH', `${path}-applied?fieldManager=one`, objectOf(shape, levels, `${name}-applied`), applied],
      ['PATCH', `${path}-applied?fieldManager=two&force=true`, objectOf(shape, levels, `${name}-applied`), applied],
      // The field that `one` gives up stays, because `two` applies it too.
      ['PATCH', `${path}-applied?fieldManager=one`, bare(`${name}-applied`), applied],
      ['PATCH', `${path}?fieldManager=two&force=true`, whole, applied],
      ['PATCH', path, `{"metadata":{"labels":{"a":"b"}},${stored}}`, 'application/merge-patch+json'],
      ['PATCH', path, operation, 'application/json-patch+json'],
    ];
    for (const [method, place, body, type] of writes) {
      const [code, text] = await send(method, place, body, type);
      expect([method, type, Math.floor(code / 100), text.slice(0, code < 300 ? 0 : 300)]).toEqual([
        method,
        type,
        2,
        '',
      ]);
      expect(text).toContain(stored);
      const { managedFields } = JSON.parse(text).metadata;
      expect(managedFields.length).toBeGreaterThan(0);
      if (method === 'POST') expect(depthOf(managedFields[0].fieldsV1)).toBe(shape === 'objects' ? levels : 3);
    }
    const revision = revisionIn((await send('GET', path))[1]);
    const replaced = objectOf(shape, levels, name, `,"resourceVersion":"${revision}","labels":{"c":"d"}`);
    const [code, text] = await send('PUT', path, replaced);
    expect([code, text.includes(stored)]).toEqual([200, true]);
  });

  it('lose fields that no manager applies any more', async () => {
    const [code, text] = await send('PATCH', `${path}-applied?fieldManager=two`, bare(`${name}-applied`), applied);
    expect([code, text.includes('"spec"')]).toEqual([200, false]);
  });

  it('can be written back as they were read, with their owners', async () => {
    const [, text] = await send('GET', path);
    const [code, again] = await send('PUT', path, text.replace('"labels":{', '"labels":{"e":"f",'));
    expect([code, again.includes('"e":"f"')]).toEqual([200, true]);
  });

  it.each(['application/json', 'application/yaml', ...forms.map((form) => `${json};${form}`)])(
    'are shown as %s, alone and in lists',
    async (accept) => {
      const inList = accept.replace('Metadata;', 'MetadataList;');
      for (const [place, type] of [[path, accept] as const, [`${collection}?labelSelector=c`, inList] as const]) {
        const [code, text] = await send('GET', place, undefined, json, type);
        expect([code, text.includes(`"${name}"`) || text.includes(`name: ${name}`)]).toEqual([200, true]);
      }
    },
  );

  it.runIf(levels === depths.at(-1))('are watched and deleted', async () => {
    const revision = revisionIn((await send('GET', `${collection}?limit=1`))[1]);
    expect((await send('DELETE', path))[0]).toBe(200);
    expect((await send('DELETE', `${path}-applied`))[0]).toBe(200);
    const [code, events] = await send('GET', `${collection}?watch=1&timeoutSeconds=1&resourceVersion=${revision}`);
    expect([code, events.includes(stored)]).toEqual([200, true]);
    expect((await send('GET', path))[0]).toBe(404);
  });
});

describe.each(Object.keys(shapes))('%s', (shape) => {
  it('may be as deep as a body, but then cannot be written back with their managed fields', async () => {
    const path = `${collection}/${shape}-most`;
    expect((await send('POST', collection, objectOf(shape, 10_000, `${shape}-most`)))[0]).toBe(201);
    const labels = '{"metadata":{"labels":{"a":"b"}}}';
    expect((await send('PATCH', path, labels, 'application/merge-patch+json'))[0]).toBe(200);
    const [code, text] = await send('GET', path);
    expect([code, text.includes(specOf(shape, 10_000))]).toEqual([200, true]);
    // Managed fields are five levels deeper than a chain of objects. They do not list items of lists.
    expect((await send('PUT', path, text))[0]).toBe(shape === 'objects' ? 400 : 200);
  });

  it.each([10_001, 400_000])('are refused with %d levels', async (levels) => {
    const whole = objectOf(shape, levels, 'deeper');
    const flat = `${shape}-${levels}`;
    const place = `${collection}/${flat}`;
    expect((await send('POST', collection, bare(flat)))[0]).toBe(201);
    const operation = `[{"op":"add","path":"/spec","value":${specOf(shape, levels)}}]`;
    const writes: [string, string, string, string?][] = [
      ['POST', collection, whole],
      ['PATCH', `${collection}/deeper?fieldManager=a`, whole, applied],
      ['PUT', place, objectOf(shape, levels, flat)],
      ['PATCH', place, `{"spec":${specOf(shape, levels)}}`, 'application/merge-patch+json'],
      ['PATCH', place, operation, 'application/json-patch+json'],
    ];
    for (const [method, at, body, type] of writes) {
      expect([method, type, (await send(method, at, body, type))[0]]).toEqual([method, type, 400]);
    }
  });
});

describe.each(Object.entries(shapes))('%s of unknown fields', (shape, textOf) => {
  const maps = '/api/v1/namespaces/default/configmaps';
  /** Prints a map of so many levels in the body. */
  const map = (name: string, levels: number, more = ''): string =>
    `{"metadata":{"name":"${name}"},"extra":${textOf(levels - 1)}${more},"data":{"a":"b"}}`;
  const name = `of-${shape}`;
  const place = `${maps}/${name}`;

  it('are ignored down to 10,000 levels, in every write', async () => {
    const [created, text] = await send('POST', maps, map(name, 10_000));
    expect([created, text.includes('extra'), text.includes('"data":{"a":"b"}')]).toEqual([201, false, true]);
    expect((await send('PUT', place, map(name, 10_000, ',"exact":1.5')))[0]).toBe(200);
    for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      const [code, patched] = await send('PATCH', place, `{"extra":${textOf(9999)},"data":{"c":"${type}"}}`, type);
      expect([code, patched.includes(type)]).toEqual([200, true]);
    }
    expect((await send('GET', place))[1]).not.toContain('extra');
  });

  it('are reported if the client asks for it, in the order of the text', async () => {
    const body = `{"metadata":{"name":"strict"},"z":${textOf(9999)},"y":{"b":1,"b":2},"x":1}`;
    const [code, text] = await send('POST', `${maps}?fieldValidation=Strict`, body);
    expect(code).toBe(400);
    expect(JSON.parse(text).message).toMatch(
      /strict decoding error: unknown field "z", (unknown field "y", )?duplicate field "y.b".*unknown field "x"$/,
    );
  });

  it('are refused if they are deeper', async () => {
    const [code, text] = await send('POST', maps, map('deeper', 10_001));
    expect([code, text.includes('exceeded max depth')]).toEqual([400, true]);
    expect((await send('PATCH', place, `{"extra":${textOf(10_000)}}`, 'application/merge-patch+json'))[0]).toBe(400);
  });

  it('are merged if the body has them twice', async () => {
    const deep = textOf(9998);
    const [code, text] = await send(
      'POST',
      maps,
      `{"metadata":{"name":"twice-${shape}"},"a":{"b":${deep}},"a":{"b":${deep}}}`,
    );
    expect([code, text.includes('"a"')]).toEqual([201, false]);
  });
});
