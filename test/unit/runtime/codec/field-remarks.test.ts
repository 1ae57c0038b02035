/** The order of warnings about a body's fields. */
import { describe, expect, it } from 'vitest';
import { fieldRemarks, unknownRemarks } from '../../../../runtime/codec/field-remarks.js';
import { decodeJson } from '../../../../runtime/codec/json.js';
import { decodeYaml } from '../../../../runtime/codec/yaml/yaml.js';

const text = '{"m":{"z":1,"y":1,"y":2},"b":1,"m2":[{"x":1}],"b":2,"a":3}';
const unknown = ['a', 'b', 'm.z', 'm2[0].x'];

function remarksOf(decode: typeof decodeJson, typed: boolean): readonly string[] {
  const decoded = decode(text);
  return decoded.ok ? fieldRemarks(decoded, unknown, text, typed ? 'typed' : 'structural') : [decoded.problem];
}

describe('warnings about fields', () => {
  it('follow the text of JSON that is read into typed structures', () => {
    expect(remarksOf(decodeJson, true)).toEqual([
      'unknown field "m.z"',
      'duplicate field "m.y"',
      'unknown field "m2[0].x"',
      'duplicate field "b"',
      'unknown field "b"',
      'unknown field "a"',
    ]);
  });

  it('have unknown fields last, and are sorted by name otherwise', () => {
    const named = ['unknown field "a"', 'unknown field "b"', 'unknown field "m.z"', 'unknown field "m2[0].x"'];
    expect(remarksOf(decodeJson, false)).toEqual(['duplicate field "m.y"', 'duplicate field "b"', ...named]);
    expect(remarksOf(decodeYaml, true).slice(2)).toEqual(named);
  });

  it('sort by the keys of each object, and by the positions in lists', () => {
    const paths = ['spec.b', 'spec.a.z', 'spec-a', 'spec.l[10].a', 'spec.l[9].b', 'spec.l[9].a'];
    expect(unknownRemarks(paths, 'typed')).toEqual(
      ['spec.a.z', 'spec.b', 'spec.l[9].a', 'spec.l[9].b', 'spec.l[10].a', 'spec-a'].map(
        (path) => `unknown field "${path}"`,
      ),
    );
  });

  it('keep the order in which fields of custom resources were found', () => {
    const paths = ['spec.other', 'spec.a', 'spec.metadata.extra'];
    expect(unknownRemarks(paths, 'structural')).toEqual(paths.map((path) => `unknown field "${path}"`));
  });
});
