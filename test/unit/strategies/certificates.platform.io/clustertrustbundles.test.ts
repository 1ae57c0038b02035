import { expect, it } from 'vitest';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { defineClusterTrustBundles } from '../../../../strategies/certificates.platform.io/clustertrustbundles.js';
import { selfSigned } from '../../../support/certificate-authority.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedObject } from '../../../support/stored-objects.js';

const handlers = defineClusterTrustBundles();
const sound = stringAt(objectAt(storedObject(handlers), 'spec'), 'trustBundle');

it.each([
  ['ca', '', []],
  ['example.com:ca:first', 'example.com/ca', []],
  ['a:b', '', ['must not have ":" in its name']],
  ['first', 'example.com/ca', ['must be named with prefix example.com:ca:']],
  ['example.com:ca:A', 'example.com/ca', ['a lowercase RFC 1123 subdomain']],
  ['ca:', 'ca', ['must consist of lower case', 'must be a fully qualified domain and path']],
])('checks the name %j for the signer %j', (name, signerName, errors) => {
  const found = errorsOf(handlers, objectOf(handlers, { spec: { signerName, trustBundle: sound } }, { name }));
  expect(found.length).toBe(errors.length);
  for (const [i, error] of errors.entries()) expect(found[i]).toContain(error);
});

it('accepts only certificates of authorities, and each once', async () => {
  const problemsOf = (trustBundle: string): readonly string[] =>
    (handlers.validateCreate?.(objectOf(handlers, { spec: { trustBundle } }), contextOf()) ?? []).map(fieldErrorText);
  const { cert } = await selfSigned({ subject: 'CN=web' });
  expect(problemsOf(sound)).toEqual([]);
  expect(problemsOf(`${sound}${sound}`)).toEqual([expect.stringContaining('duplicate trust anchor (indices [0 1])')]);
  expect(problemsOf(`${sound}${cert}`)).toEqual([expect.stringContaining('entry 1 does not have the CA bit set')]);
  expect(problemsOf('')).toEqual([expect.stringContaining('at least one trust anchor')]);
  expect(problemsOf(sound.replaceAll('CERTIFICATE', 'KEY'))).toEqual([expect.stringContaining('bad block type: KEY')]);
});
