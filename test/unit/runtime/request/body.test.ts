/** Request bodies: their media type, their size, and their value. */
import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../../runtime/request/api-request.js';
import { readObjectBody } from '../../../../runtime/request/body.js';
import { verbRequest } from '../../../support/verb-requests.js';
import { widgets } from '../../../support/widgets.js';

const typed = { ...widgets, decoding: 'typed' } as const;

async function read(body: string, contentType?: string, module: typeof widgets | typeof typed = widgets) {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const result = await readObjectBody(verbRequest({ body, headers, module }));
  return result.ok ? { value: result.value.value, remarks: result.value.remarks([]) } : result.failure.reason;
}

describe('a body', () => {
  it.each([
    ['{"a":1}', undefined],
    ['{"a":1}', 'application/json'],
    ['{"a":1}', 'application/json; charset=utf-8'],
    ['a: 1', 'application/yaml'],
  ])('%s as %s is read', async (body, contentType) => {
    expect(await read(body, contentType)).toEqual({ value: { a: 1 }, remarks: [] });
  });

  it('may be empty, and then has no value', async () => {
    expect(await read('')).toEqual({ value: null, remarks: [] });
    expect(await read('', 'application/yaml')).toEqual({ value: null, remarks: [] });
    expect(await read('', 'application/yaml', typed)).toEqual({ value: {}, remarks: [] });
  });

  it.each([
    ['{', undefined, 'BadRequest'],
    ['{"a":1} x', undefined, 'BadRequest'],
    ['a: [', 'application/yaml', 'BadRequest'],
    ['{}', 'text/plain', 'UnsupportedMediaType'],
  ])('%j as %s is refused', async (body, contentType, reason) => {
    expect(await read(body, contentType)).toBe(reason);
  });

  it('reports fields that it has twice; objects among them are merged for typed kinds', async () => {
    const body = '{"a":{"b":1},"a":{"c":2}}';
    const remarks = ['duplicate field "a"'];
    expect(await read(body)).toEqual({ value: { a: { c: 2 } }, remarks });
    expect(await read(body, undefined, typed)).toEqual({ value: { a: { b: 1, c: 2 } }, remarks });
  });

  it('is as large as the server allows', async () => {
    const verb = verbRequest({ services: { maxBodyBytes: 7 } });
    const limits: number[] = [];
    const request = {
      ...verb.request,
      readBody: (limit: number) => {
        limits.push(limit);
        return Promise.resolve({ ok: false, failure: { reason: 'RequestEntityTooLarge', message: 'no' } } as const);
      },
    };
    expect(await readObjectBody({ ...verb, request })).toMatchObject({ failure: { reason: 'RequestEntityTooLarge' } });
    expect(limits).toEqual([7]);
  });
});

describe('a header', () => {
  it('that is sent more than once counts as its first value', () => {
    const verb = verbRequest();
    const request = { ...verb.request, headers: { accept: ['a', 'b'] } };
    expect(headerOf(request, 'accept')).toBe('a');
    expect(headerOf(verb.request, 'accept')).toBeUndefined();
  });
});
