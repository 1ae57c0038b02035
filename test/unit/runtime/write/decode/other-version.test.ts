/** Errors for a body in another version than its resource's. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule, Schema } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { unknownInItsVersion } from '../../../../../runtime/write/decode/other-version.js';
import { moduleOf } from '../../../../support/modules.js';

const spec = (...names: string[]): Schema => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])) },
  },
});

function version(name: string, schema: Schema): ResourceModule {
  return moduleOf('example.com', 'lamps', 'Lamp', { version: name, decoding: 'structural', schema });
}

const v2 = serveResource(version('v2', spec('b')));
const v1 = serveResource(version('v1', spec('a')), {
  sibling: (apiVersion) => (apiVersion === 'example.com/v2' ? v2 : undefined),
});
const body = (apiVersion: string, kind = 'Lamp') => ({
  apiVersion,
  kind,
  metadata: { name: 'x', extra: 1 },
  status: {},
  spec: { a: '', b: '' },
});

describe('a body in another version', () => {
  it('is held against that version', () => {
    expect(unknownInItsVersion(v1, body('example.com/v2'))).toEqual(['metadata.extra', 'spec.a', 'status']);
  });

  it('has no known fields where the definition has no such version', () => {
    expect(unknownInItsVersion(v1, body('example.com/v9'))).toEqual(['metadata.extra', 'spec', 'status']);
  });

  it('is left alone where it is of another group or kind, or of a built-in kind in a version that there is not', () => {
    expect(unknownInItsVersion(v1, body('example.org/v1'))).toBeUndefined();
    expect(unknownInItsVersion(v1, body('example.com/v2', 'Other'))).toBeUndefined();
    const builtIn = serveResource({ ...moduleOf('example.com', 'lamps', 'Lamp'), decoding: 'typed' });
    expect(unknownInItsVersion(builtIn, body('example.com/v9'))).toBeUndefined();
  });

  it('stays as it is', () => {
    const written = body('example.com/v2');
    unknownInItsVersion(v1, written);
    expect(written).toEqual(body('example.com/v2'));
  });
});
