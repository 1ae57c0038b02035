import { describe, expect, it } from 'vitest';
import { denial, readReview, reviewRequest } from '../../../../../plugins/admission/webhooks/review.js';
import { toStatus } from '../../../../../runtime/objects/status.js';
import { moduleOf } from '../../../../support/modules.js';
import { configMaps, object, write } from '../attributes.js';

const version = 'admission.example.com/v1';
const review = (response: unknown, more: object = {}): string =>
  JSON.stringify({ apiVersion: version, kind: 'AdmissionReview', response, ...more });

describe('a request', () => {
  const custom = moduleOf('shop.example.com', 'widgets', 'Widget', { decoding: 'structural' });

  it.each([
    [configMaps, true, { name: 'a', creationTimestamp: null }],
    [configMaps, false, { name: 'a' }],
    [custom, true, { name: 'a' }],
  ])('has a null for the time of creation if an object requires it', (resource, unsetTimes, metadata) => {
    const seen = { object: object(), oldObject: undefined };
    const request = reviewRequest('u', write({ resource }), resource, seen, unsetTimes);
    expect(request.object).toEqual({ ...object(), metadata });
  });
});

describe('an answer', () => {
  it('is read with its patch decoded', () => {
    const patch = Buffer.from('[]').toString('base64');
    const read = readReview(review({ uid: 'u', allowed: true, patch, patchType: 'JSONPatch' }), version, 'u');
    expect(read).toMatchObject({
      ok: true,
      answer: { allowed: true, patch: '[]', patchType: 'JSONPatch', warnings: [] },
    });
  });

  it('may be YAML', () => {
    const text = `apiVersion: ${version}\nkind: AdmissionReview\nresponse: { uid: u, allowed: true }\n`;
    expect(readReview(text, version, 'u')).toMatchObject({ ok: true, answer: { allowed: true } });
  });

  it('refuses if it does not allow', () =>
    expect(readReview(review({ uid: 'u' }), version, 'u')).toMatchObject({ ok: true, answer: { allowed: false } }));

  it.each([
    ['no JSON', 'hello', /^failed to call webhook: couldn't get version\/kind; json parse error: /],
    ['no object', '[]', /^failed to call webhook: couldn't get version\/kind; json parse error: /],
    ['no response', review(null), /^received invalid webhook response: webhook response was absent$/],
    ['another uid', review({ uid: 'x', allowed: true }), /: expected response.uid="u", got "x"$/],
    ['no uid', review({ allowed: true }), /: expected response.uid="u", got ""$/],
    [
      'another version',
      review({ uid: 'u' }, { apiVersion: 'admission.example.com/v1beta1' }),
      /: converting \(v1beta1.AdmissionReview\) to \(v1.AdmissionReview\): unknown conversion$/,
    ],
    ['another kind', review({ uid: 'u' }, { kind: 'Other' }), /: no kind "Other" is registered for version /],
    ['a text for a truth', review({ uid: 'u', allowed: 'yes' }), /AdmissionResponse.response.allowed of type bool$/],
    ['a number among warnings', review({ uid: 'u', warnings: [1] }), /response.warnings of type \[\]string$/],
    [
      'a bad patch',
      review({ uid: 'u', patch: '***' }),
      /^failed to call webhook: illegal base64 data at input byte 0$/,
    ],
  ])('with %s cannot be used', (_, text, problem) =>
    expect(readReview(text, version, 'u')).toEqual({ ok: false, problem: expect.stringMatching(problem) }),
  );

  it('of the older version needs no uid', () => {
    const older = 'admission.example.com/v1beta1';
    const text = JSON.stringify({ response: { allowed: true } });
    expect(readReview(text, older, 'u')).toMatchObject({ ok: true, answer: { allowed: true } });
  });
});

const by = 'admission webhook "a.example.com" denied the request';

it.each([
  [undefined, 400, `${by} without explanation`],
  [{ code: 200, status: 'Success', message: 'fine' }, 400, `${by}: fine`],
  [{ code: 409, reason: 'Conflict' }, 409, `${by}: Conflict`],
  [{ code: 1000, message: 'far off' }, 400, `${by}: far off`],
])('%j', (status, code, message) =>
  expect(toStatus(denial('a.example.com', status))).toMatchObject({ code, body: { code, message } }),
);
