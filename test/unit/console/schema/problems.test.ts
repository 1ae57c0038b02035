import { ApiError, SchemaError } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { placeIn, problemsOf, warningProblem } from '../../../../packages/console/src/schema/problems.js';

const status = { kind: 'Status', apiVersion: 'v1', metadata: {} } as const;

describe('problemsOf', () => {
  it('reads each cause of a Status at its field', () => {
    const causes = [
      { field: 'spec.rules[0].host', message: 'Invalid value: "x"', reason: 'FieldValueInvalid' },
      { field: '<nil>', message: 'a rule of the whole object' },
      { field: 'spec.size', reason: 'FieldValueRequired' },
    ];
    expect(problemsOf(new ApiError(422, { ...status, message: 'invalid', details: { causes } }))).toEqual([
      { path: 'spec.rules[0].host', message: 'Invalid value: "x"' },
      { path: '', message: 'a rule of the whole object' },
      { path: 'spec.size', message: 'FieldValueRequired' },
    ]);
  });

  it('reads the fields that a strict decoder refuses', () => {
    const message = 'Widget: strict decoding error: unknown field "spec.sise", duplicate field "spec.size"';
    expect(problemsOf(new ApiError(400, { ...status, message }))).toEqual([
      { path: 'spec.sise', message: 'unknown field' },
      { path: 'spec.size', message: 'duplicate field' },
    ]);
  });

  it('reads the findings of a schema check, and keeps the message of any other error', () => {
    const object = { apiVersion: 'v1', kind: 'Widget', metadata: {} };
    const found = new SchemaError(object, [{ path: 'spec.a', reason: 'type', message: 'must be a string' }]);
    expect(problemsOf(found)).toEqual([{ path: 'spec.a', message: 'must be a string' }]);
    expect(problemsOf(new Error('no answer'))).toEqual([{ path: '', message: 'no answer' }]);
    expect(problemsOf(new ApiError(403, { ...status, message: 'forbidden' }))).toEqual([
      { path: '', message: 'forbidden' },
    ]);
  });
});

describe('warningProblem', () => {
  it.each([
    ['unknown field "spec.sise"', 'spec.sise', 'unknown field'],
    ['spec.old: deprecated since 1.2', 'spec.old', 'spec.old: deprecated since 1.2'],
    ['v1beta1 is deprecated', '', 'v1beta1 is deprecated'],
  ])('reads %s', (text, path, message) => {
    expect(warningProblem(text)).toEqual({ path, message, severity: 'warning' });
  });
});

describe('placeIn', () => {
  const value = {
    metadata: { labels: { 'a.b/c': 'x', 'a.b': 'y', '0': 'z', 'q]r': '' } },
    spec: { rules: [{ host: '' }], 'dotted.name': { inner: 1 }, dotted: 2 },
  };
  it.each([
    ['', []],
    ['spec.rules[0].host', ['spec', 'rules', 0, 'host']],
    ['metadata.labels[a.b/c]', ['metadata', 'labels', 'a.b/c']],
    ['metadata.labels.a.b/c', ['metadata', 'labels', 'a.b/c']],
    ['metadata.labels[0]', ['metadata', 'labels', '0']],
    ['metadata.labels[q]r]', ['metadata', 'labels', 'q]r']],
    ['spec.dotted.name.inner', ['spec', 'dotted.name', 'inner']],
    ['spec.missing[3].x', ['spec', 'missing', 3, 'x']],
    ['spec.missing[key].x', ['spec', 'missing', 'key', 'x']],
    ['spec.missing["a.b"]', ['spec', 'missing', 'a.b']],
    ['spec.rules[', ['spec', 'rules', '']],
  ])('reads %s by the type of the value', (path, place) => {
    expect(placeIn(path, value)).toEqual(place);
  });
});
