/**
 * Numbers at the edges of their types pass through every format unchanged, or are refused. The server never rounds in
 * silence.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { customResource } from '../support/kinds.js';
import { servingForTests } from '../support/serving.js';

const group = 'example.com';
const definition = customResource({
  kind: 'Count',
  scope: 'Cluster',
  schema: {
    type: 'object',
    properties: {
      whole: { type: 'integer' },
      long: { type: 'integer', format: 'int64' },
      wide: { type: 'number' },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      text: { type: 'string', maxLength: 'LONG' },
      least: { type: 'string', minLength: 'ODD' },
      list: { type: 'array', maxItems: 'LONG', items: { type: 'string', maxLength: 9 } },
      map: { type: 'object', maxProperties: 'ODD', additionalProperties: { type: 'string' } },
    },
    'x-kubernetes-validations': [{ rule: '!has(self.whole) || self.whole == int(string(self.whole))' }],
  },
});

const server = servingForTests({ naming: 'kubernetes' });
beforeAll(async () => {
  const made = await send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    JSON.stringify(definition).replaceAll('"LONG"', '9223372036854775807').replaceAll('"ODD"', '9007199254740993'),
  );
  expect(made.status).toBe(201);
  await eventually(async () => expect((await fetch(`${server().url}/apis/${group}/v1/counts`)).status).toBe(200));
});

const send = (
  method: string,
  path: string,
  body: string,
  contentType = 'application/json',
  accept = 'application/json',
) => fetch(server().url + path, { method, headers: { 'content-type': contentType, accept }, body });

/** The ways to write a field. Each sends the number as text, and resolves to the text of the answer. */
const ways: Readonly<Record<string, (field: string, number: string) => Promise<Response>>> = {
  'created in JSON': (field, number) =>
    send('POST', `/apis/${group}/v1/counts?dryRun=All`, `{${identity},"metadata":{"name":"a"},"${field}":${number}}`),
  'created in YAML': (field, number) =>
    send(
      'POST',
      `/apis/${group}/v1/counts?dryRun=All`,
      `{apiVersion: ${group}/v1, kind: Count, metadata: {name: a}, ${field}: ${number}}`,
      'application/yaml',
    ),
  'read in YAML': async (field, number) => {
    const body = `{${identity},"metadata":{"name":"a"},"${field}":${number}}`;
    return send('POST', `/apis/${group}/v1/counts?dryRun=All`, body, 'application/json', 'application/yaml');
  },
  applied: (field, number) =>
    send(
      'PATCH',
      `/apis/${group}/v1/counts/a?dryRun=All&fieldManager=test`,
      `{${identity},"metadata":{"name":"a"},"${field}":${number}}`,
      'application/apply-patch+yaml',
    ),
  'stored and read': async (field, number) => {
    const name = 'stored';
    await send('DELETE', `/apis/${group}/v1/counts/${name}`, '');
    const body = `{${identity},"metadata":{"name":"${name}"},"${field}":${number}}`;
    const made = await send('POST', `/apis/${group}/v1/counts`, body);
    return made.ok ? fetch(`${server().url}/apis/${group}/v1/counts/${name}`) : made;
  },
};
const identity = `"apiVersion":"${group}/v1","kind":"Count"`;

/** Returns the number of a field in the form of an answer, or the answer's code. */
async function shown(field: string, response: Response): Promise<string> {
  const text = await response.text();
  const found =
    new RegExp(`^\\s*"?${field}"?:\\s*([^,}\\s]+)`, 'm').exec(text) ?? new RegExp(`"${field}":([^,}]+)`).exec(text);
  return response.ok ? (found?.[1] ?? text) : String(response.status);
}

const whole: readonly (readonly [string, string])[] = [
  ['0', '0'],
  ['-0', '0'],
  ['1.0', '1'],
  ['1e3', '1000'],
  ['100e-2', '1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', '422'],
  ['-9223372036854775809', '422'],
  ['18446744073709551615', '422'],
  ['1e19', '422'],
  ['1.5', '422'],
];

describe.each(Object.entries(ways))('a number that is %s', (_, write) => {
  it.each(whole)('%s is %s for an integer field', async (number, expected) => {
    expect(await shown('whole', await write('whole', number))).toBe(expected);
    expect(await shown('long', await write('long', number))).toBe(expected);
  });

  it.each([
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e-7', 1e-7],
    ['1e21', 1e21],
    // The nearest double, as in the reference, because fields of this type are doubles.
    ['9223372036854775808', 2 ** 63],
    ['123456789012345678901234567890', 1.2345678901234568e29],
  ])('%s is the same double', async (number, expected) => {
    for (const field of ['wide', 'any']) expect(Number(await shown(field, await write(field, number)))).toBe(expected);
  });

  it.each(['9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    '%s keeps all digits anywhere',
    async (number) => {
      for (const field of ['wide', 'any']) expect(await shown(field, await write(field, number))).toBe(number);
    },
  );
});

it.each(['/openapi/v2', `/openapi/v3/apis/${group}/v1`])('bounds of lengths keep all digits in %s', async (path) => {
  const text = await (await fetch(server().url + path)).text();
  for (const [keyword, digits] of [
    ['maxLength', '9223372036854775807'],
    ['minLength', '9007199254740993'],
    ['maxItems', '9223372036854775807'],
    ['maxProperties', '9007199254740993'],
  ]) {
    expect(text).toContain(`"${keyword}":${digits}`);
  }
});

it('bounds of lengths are printed and kept with all digits', async () => {
  const of = (fields: string) => `{${identity},"metadata":{"name":"a"},${fields}}`;
  const place = `/apis/${group}/v1/counts?dryRun=All`;
  const refused = await send('POST', place, of('"least":"a"'));
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('should be at least 9007199254740993 chars long');
  expect((await send('POST', place, of('"text":"a","list":["a"],"map":{"a":"b"}'))).status).toBe(201);
});

it('a number that no double can hold is refused', async () =>
  expect(await shown('wide', (await ways['created in JSON']?.('wide', '1e400')) ?? Response.error())).toBe('400'));

it('a number of 64 bits passes through protobuf unchanged', async () => {
  const toleration = '{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":9223372036854775807}';
  const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},"spec":{"containers":[{"name":"a","image":"a"}],"tolerations":[${toleration}]}}`;
  const protobuf = 'application/vnd.kubernetes.protobuf';
  const made = await send('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod, 'application/json', protobuf);
  expect(made.status).toBe(201);
  const again = await fetch(`${server().url}/api/v1/namespaces/default/pods?dryRun=All`, {
    method: 'POST',
    headers: { 'content-type': protobuf },
    body: await made.arrayBuffer(),
  });
  expect(await again.text()).toContain('"tolerationSeconds":9223372036854775807');
});
