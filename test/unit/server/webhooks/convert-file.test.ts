/** Objects of versions that are no longer served, converted without a server. */
import { expect, it } from 'vitest';
import { convertFile } from '../../../../server/webhooks/convert-file.js';

async function convert(object: object, apiVersion: string) {
  const bytes = Buffer.from(JSON.stringify(object));
  const converted = await convertFile({ name: 'a.json', bytes, apiVersion, format: 'json', naming: 'platform' });
  return converted.ok ? JSON.parse(converted.text) : converted.problems;
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** A kind with its old version, its new one, and the new form of a field. */
const pairs: readonly [kind: string, from: string, to: string, spec: object, becomes: object][] = [
  [
    'TokenReview',
    'authentication.platform.io/v1beta1',
    'authentication.platform.io/v1',
    { token: 'x' },
    { token: 'x' },
  ],
  [
    'SubjectAccessReview',
    'authorization.platform.io/v1beta1',
    'authorization.platform.io/v1',
    { group: ['g'] },
    { groups: ['g'] },
  ],
  [
    'LocalSubjectAccessReview',
    'authorization.platform.io/v1beta1',
    'authorization.platform.io/v1',
    { group: ['g'] },
    { groups: ['g'] },
  ],
  [
    'SelfSubjectAccessReview',
    'authorization.platform.io/v1beta1',
    'authorization.platform.io/v1',
    { resourceAttributes: { verb: 'get' } },
    { resourceAttributes: { verb: 'get' } },
  ],
  [
    'SelfSubjectRulesReview',
    'authorization.platform.io/v1beta1',
    'authorization.platform.io/v1',
    { namespace: 'n' },
    { namespace: 'n' },
  ],
  ['ReplicaSet', 'apps/v1beta1', 'apps/v1', { template }, { selector: { matchLabels: { a: 'b' } } }],
];

it.each(pairs)('converts a %s of %s to %s', async (kind, from, to, spec, becomes) => {
  const converted = await convert({ apiVersion: from, kind, spec }, to);
  expect(converted).toMatchObject({ apiVersion: to, kind, spec: becomes });
  if ('group' in spec) expect(converted.spec).not.toHaveProperty('group');
});

it('converts reviews to the earlier version, too', async () => {
  const [own, other] = ['authorization.platform.io/v1', 'authorization.platform.io/v1beta1'];
  const review = { apiVersion: own, kind: 'SubjectAccessReview', spec: { groups: ['g'] } };
  const converted = await convert(review, other);
  expect(converted).toMatchObject({ apiVersion: other, spec: { group: ['g'] } });
  expect(converted.spec).not.toHaveProperty('groups');
});
