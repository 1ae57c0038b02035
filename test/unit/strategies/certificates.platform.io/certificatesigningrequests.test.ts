import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import {
  defineCertificateSigningRequests,
  signerNameErrors,
} from '../../../../strategies/certificates.platform.io/certificatesigningrequests.js';
import { makeCertificate, makeKeys, makeRequest } from '../../../support/certificates.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineCertificateSigningRequests(platformNaming);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const [pem, certificate] = await Promise.all([
  makeRequest('O=devs, CN=alice'),
  makeKeys()
    .then(makeCertificate)
    .then((made) => made.toString('pem')),
]);
const request = base64(pem);

const spec = { request, signerName: 'example.com/signer', usages: ['client auth'], username: 'alice' };
const time = '2024-01-01T00:00:00Z';
const condition = (type: string, more: JsonObject = {}): JsonObject => ({
  type,
  status: 'True',
  lastUpdateTime: time,
  lastTransitionTime: time,
  ...more,
});

const csr = (status: JsonObject = {}, more: JsonObject = {}): ApiObject =>
  objectOf(handlers, { spec: { ...spec, ...more }, status }, { name: 'r' });

const errors = (object: ApiObject) => handlers.validate?.(object, contextOf()) ?? [];

describe('a new request', () => {
  it('belongs to the caller, and is undecided, whatever it contains', () => {
    const object = csr(
      { conditions: [condition('Approved')], certificate: 'x' },
      { username: 'root', groups: ['g'], uid: 'x' },
    );
    const user = { name: 'bob', uid: '7', groups: ['a', 'b'], extra: { scope: ['read'] } };
    handlers.prepareForCreate?.(object, contextOf({ user }));
    expect(object.spec).toMatchObject({ username: 'bob', uid: '7', groups: ['a', 'b'], extra: { scope: ['read'] } });
    expect(object.status).toEqual({});
  });

  it('has no values that the caller does not have', () => {
    const object = csr({}, { uid: 'x', groups: ['g'], extra: { a: ['b'] } });
    handlers.prepareForCreate?.(object, contextOf({ user: { name: '', uid: '', groups: [], extra: {} } }));
    expect(JSON.parse(JSON.stringify(object.spec))).toEqual({
      request,
      signerName: spec.signerName,
      usages: spec.usages,
    });
  });
});

describe('the requested certificate', () => {
  let tampered = '';
  beforeAll(() => {
    const lines = pem.split('\n');
    const data = Buffer.from(lines.slice(1, -2).join(''), 'base64');
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
    tampered = [lines[0], data.toString('base64'), ...lines.slice(-2)].join('\n');
  });

  it('needs a request with a valid signature', () => {
    expect(errors(csr())).toEqual([]);
    expect(errors(csr({}, { request: base64(tampered) }))).toMatchObject([{ field: 'spec.request' }]);
  });

  it.each([
    [undefined, '[]byte(nil)'],
    [null, '[]byte(nil)'],
    ['', '[]byte{}'],
    [base64('no'), '[]byte{0x6e, 0x6f}'],
  ])('cannot be %j', (value, printed) => {
    const why = `Invalid value: ${printed}: PEM block type must be CERTIFICATE REQUEST`;
    expect(errors(csr({}, { request: value }))).toMatchObject([{ field: 'spec.request', message: why }]);
  });

  it('is cut in messages', () => {
    const [error] = errors(csr({}, { request: Buffer.alloc(1_000_000).toString('base64') }));
    expect(error?.message.length).toBeLessThan(50_000);
  });

  it('names each usage once', () =>
    expect(errors(csr({}, { usages: ['any', 'signing', 'any', 'any'] }))).toMatchObject([
      { field: 'spec.usages[2]', message: 'Duplicate value: "any"' },
      { field: 'spec.usages[3]' },
    ]));

  it('cannot be for the legacy signer, under its served name', () => {
    const legacy = { signerName: 'platform.io/legacy-unknown' };
    expect(errors(csr({}, legacy))).toMatchObject([
      { field: 'spec.signerName', message: expect.stringContaining('legacy') },
    ]);
    expect(defineCertificateSigningRequests(kubernetesNaming).validate?.(csr({}, legacy), contextOf())).toEqual([]);
  });
});

describe('conditions', () => {
  const problems = (conditions: JsonValue[]) =>
    errors(csr({ conditions })).map(({ field, reason }) => `${field} ${reason}`);

  it.each([
    [[condition('Approved', { status: 'False' })], ['status.conditions[0].status FieldValueNotSupported']],
    [[condition('Custom', { status: 'False' })], []],
    [[condition('Custom', { status: 'maybe' })], ['status.conditions[0].status FieldValueNotSupported']],
    [[condition('approved', { status: 'Unknown' })], []],
    [[{}], ['status.conditions[0].type FieldValueRequired', 'status.conditions[0].status FieldValueRequired']],
    [[condition('A'), condition('A')], ['status.conditions[1].type FieldValueDuplicate']],
    [
      [condition('Denied'), condition('Failed'), condition('Approved')],
      ['status.conditions[2].type FieldValueInvalid'],
    ],
  ])('%#: each must be valid', (conditions, expected) => expect(problems(conditions)).toEqual(expected));

  it('exclude each other as a list from 1.34 on', () => {
    const later = defineCertificateSigningRequests(platformNaming, emulate('1.34'));
    const request = csr({ conditions: [condition('Denied'), condition('Approved')] });
    const found = later.validate?.(request, contextOf()) ?? [];
    expect(found.map(({ field }) => field)).toEqual(['status.conditions']);
  });

  const update = (subresource: string, from: JsonObject, to: JsonObject) => {
    const object = csr(to);
    const old = csr(from);
    const context = contextOf({ subresource });
    handlers.prepareForUpdate?.(object, old, context);
    const found = handlers.validateUpdate?.(object, old, context) ?? [];
    return { object, messages: found.map(({ field, message }) => `${field}: ${message}`) };
  };

  it('of a decision are added through approval only', () => {
    const approved = { conditions: [condition('Approved')] };
    expect(update('approval', {}, approved).messages).toEqual([]);
    expect(update('status', {}, approved).messages).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect(update('status', {}, { conditions: [condition('Failed')] }).messages).toEqual([]);
  });

  it('of a decision do not change when a signer writes', () => {
    const before = [condition('Approved', { reason: 'Good' }), condition('Custom')];
    const after = [condition('Custom', { reason: 'New' }), condition('Approved', { reason: 'Other', message: 'm' })];
    const { object, messages } = update('status', { conditions: before }, { conditions: after });
    expect(messages).toEqual([]);
    expect(object.status).toEqual({ conditions: [condition('Custom', { reason: 'New' }), before[0]] });
  });

  it('that are permanent are never removed', () => {
    const before = { conditions: [condition('Denied'), condition('Failed'), condition('Custom')] };
    const taken = (subresource: string) => update(subresource, before, {}).messages;
    for (const subresource of ['approval', 'status']) {
      expect(taken(subresource)).toEqual([
        'status.conditions: Forbidden: updates may not remove a condition of type "Denied"',
        'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
      ]);
    }
  });

  it('get missing times', () => {
    const before = { conditions: [condition('Custom')] };
    const now = '2024-05-06T07:08:09Z';
    const bare = (status: string) => ({ conditions: [{ type: 'Custom', status }] });
    expect(update('approval', before, bare('True')).object.status).toEqual({
      conditions: [condition('Custom', { lastUpdateTime: now })],
    });
    expect(update('status', before, bare('False')).object.status).toEqual({
      conditions: [condition('Custom', { status: 'False', lastUpdateTime: now, lastTransitionTime: now })],
    });
  });
});

describe('the certificate', () => {
  const update = (subresource: string, from: JsonObject, to: JsonObject) => {
    const object = csr(to);
    const old = csr(from);
    const context = contextOf({ subresource });
    handlers.prepareForUpdate?.(object, old, context);
    const found = handlers.validateUpdate?.(object, old, context) ?? [];
    return { status: JSON.parse(JSON.stringify(object.status)), fields: found.map(({ message }) => message) };
  };
  const signed = { certificate: base64(certificate) };

  it('is written through status', () => {
    expect(update('status', {}, signed)).toEqual({ status: signed, fields: [] });
    expect(update('approval', {}, signed)).toEqual({ status: {}, fields: [] });
    expect(update('', {}, signed)).toEqual({ status: {}, fields: [] });
  });

  it('is written once', () => {
    const rule = 'Forbidden: updates may not modify existing certificate content';
    expect(update('status', signed, { certificate: base64(`${certificate}\n`) }).fields).toEqual([rule]);
    expect(update('status', signed, {}).fields).toEqual([rule]);
    expect(update('status', signed, signed).fields).toEqual([]);
  });

  it('may not be set another way', () => {
    const found = handlers.validateUpdate?.(csr(signed), csr(), contextOf({ subresource: 'approval' }));
    expect(found).toMatchObject([{ field: 'status.certificate', message: expect.stringContaining('may not set') }]);
  });

  it('must be a certificate', () => {
    expect(errors(csr(signed))).toEqual([]);
    expect(errors(csr({ certificate: base64('x') }))).toMatchObject([
      {
        field: 'status.certificate',
        message: expect.stringMatching(/^Invalid value: "<certificate data>": must contain/),
      },
    ]);
  });
});

describe('cells of a request', () => {
  const cell = (object: ApiObject, column: string) => handlers.columns?.[column]?.(object, 0);

  it.each([
    [[], '', 'Pending'],
    [['Approved'], '', 'Approved'],
    [['Approved'], 'x', 'Approved,Issued'],
    [['Denied', 'Failed'], '', 'Denied,Failed'],
    [['Custom'], 'x', 'Pending,Issued'],
  ])('show the state of the request: %j %j', (types, issued, text) => {
    const status = {
      conditions: types.map((type) => condition(type)),
      ...(issued === '' ? {} : { certificate: issued }),
    };
    expect(cell(csr(status), 'Condition')).toBe(text);
  });

  it('show the requester, the signer and the duration', () => {
    expect(cell(csr(), 'SignerName')).toBe('example.com/signer');
    expect(cell(csr(), 'Requestor')).toBe('alice');
    expect(cell(csr(), 'RequestedDuration')).toBe('<none>');
    expect(cell(csr({}, { expirationSeconds: 86400 }), 'RequestedDuration')).toBe('24h');
  });
});

const problems = (name: string) => signerNameErrors('spec.signerName', name).map(({ message }) => message);

describe('signerNameErrors', () => {
  it.each(['example.com/signer', 'a.b/c', 'example.com/ns.name-1', `${'a'.repeat(63)}.example.com/${'b'.repeat(253)}`])(
    'accepts %s',
    (name) => expect(problems(name)).toEqual([]),
  );

  it.each(['example.com', 'a/b/c', 'a/b/c/d'])('requires a domain and a path: %s', (name) =>
    expect(problems(name)).toEqual([
      `Invalid value: "${name}": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ]),
  );

  it.each([
    ['nodots/x', ['should be a domain with at least two segments']],
    ['/x', ['validating label ""', 'should be a domain']],
    ['example.com/', ['validating label ""']],
    ['Example.com/x', ['validating label "Example"']],
    ['example..com/x', ['validating label ""']],
    ['example.com/Bad_Path', ['validating label "Bad_Path"']],
    [`${'a'.repeat(64)}.com/x`, ['must be no more than 63 characters']],
    [`${'a.'.repeat(130)}com/x`, ['Too long: must have at most 253 bytes']],
    [`a.b/${'c.'.repeat(300)}d`, ['Too long: must have at most 571 bytes']],
  ])('reports mistakes in %s', (name, parts) => {
    const found = problems(name);
    expect(found).toHaveLength(parts.length);
    for (const [i, part] of parts.entries()) expect(found[i]).toContain(part);
  });
});
