/** Rules as the last stage of validation. */

import { describe, expect, it } from 'vitest';
import type { ApiObject, FieldError, Schema } from '../../../../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../../../../runtime/objects/field-error.js';
import { type EmulatedVersion, emulate } from '../../../../../runtime/objects/release.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../../runtime/resource/served-resource.js';
import { checkRules, validateCreate, validateUpdate } from '../../../../../runtime/write/stages/validation.js';
import { changedModule } from '../../../../support/modules.js';
import { writeOf } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const count: Schema = {
  type: 'integer',
  'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'only grows' }],
};
const schema: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
    status: { type: 'object', properties: { count } },
  },
  'x-kubernetes-validations': [{ rule: '!has(self.spec.size) || self.spec.size > 0', message: 'has no size' }],
};
const counted: Schema = {
  type: 'object',
  properties: { status: { type: 'object', properties: { count } } },
};
const ruled = changedModule(widgets, { schema });
const write = writeOf({ module: ruled });

const made = (size?: number, counted?: number): ApiObject => ({
  ...widget('a', size === undefined ? {} : { size }, { namespace: 'default', uid: 'u', resourceVersion: '1' }),
  ...(counted === undefined ? {} : { status: { count: counted } }),
});

describe('rules in validation', () => {
  it('run for new objects', () => {
    expect(validateCreate({ write, object: made(1) })).toBe(undefined);
    expect(validateCreate({ write, object: made(0) })?.message).toBe(
      'Widget.example.com "a" is invalid: <nil>: Invalid value: "object": has no size',
    );
  });

  it('run for the whole object in updates, with its old state', () => {
    expect(validateUpdate({ write, object: made(1, 2), old: made(1, 2) })).toBe(undefined);
    expect(validateUpdate({ write, object: made(0, 1), old: made(1, 2) })?.details?.causes).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: "object": has no size', field: '<nil>' },
      { reason: 'FieldValueInvalid', message: 'Invalid value: "integer": only grows', field: 'status.count' },
    ]);
  });

  it('are skipped, with an error, for objects with unreliable fields', () => {
    const [missing, skipped] = validateCreate({ write, object: made() })?.details?.causes ?? [];
    expect(missing).toEqual({ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.size' });
    expect(skipped?.field).toBe('<nil>');
    expect(skipped?.message).toMatch(/^Invalid value: "null": some validation rules were not checked/);
  });

  it.each([
    [undefined, 'Invalid value: "object": has no size'],
    ['1.28', 'Invalid value: "object": has no size'],
    ['1.29', expect.stringContaining('some validation rules were not checked')],
  ] as const)(
    'run in spite of wrong values, and before 1.29 of values that are not in an enum: %s',
    (release, message) => {
      const errors = [invalidValue('a', 1, 'is wrong'), notSupported('b', 1, [])];
      checkRules(serveResource(ruled, { release: emulate(release) }), made(0), undefined, errors);
      expect(errors.at(-1)?.message).toEqual(message);
    },
  );

  it('cost nothing in resources without rules', () => {
    const resource = serveResource(widgets);
    expect(resource.rules).toBe(undefined);
    const errors = [required('a')];
    checkRules(resource, made(), undefined, errors);
    expect(errors).toHaveLength(1);
  });

  it('are compiled once, for the requested release', () => {
    const later: Schema = { type: 'object', 'x-kubernetes-validations': [{ rule: "quantity('1').isInteger()" }] };
    const module = changedModule(widgets, { schema: later });
    const resource = serveResource(module);
    expect(resource.rules).toBe(resource.rules);
    expect(resource.rules?.rules[0]?.test).toHaveProperty('expression');
    const early = serveResource(module, { release: emulate('1.27') });
    expect(early.rules?.rules[0]?.test).toHaveProperty('mistake');
  });

  it('show simple values in place of types since release 1.35', () => {
    const text: Schema = { type: 'string', 'x-kubernetes-validations': [{ rule: 'false', message: 'is wrong' }] };
    const repeated = { rule: 'false', reason: 'FieldValueDuplicate' } as const;
    const module = changedModule(widgets, {
      schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { count, text }, 'x-kubernetes-validations': [repeated] } },
        'x-kubernetes-validations': [{ rule: "int('x') == 1" }, { rule: 'false', message: 'is whole' }],
      },
    });
    const messages = (release?: EmulatedVersion): readonly string[] => {
      const errors: FieldError[] = [];
      const object = { ...made(), spec: { count: 1, text: 'a"b' } };
      const old = { ...made(), spec: { count: 2, text: '' } };
      checkRules(serveResource(module, { release: emulate(release) }), object, old, errors);
      return errors.map(({ message }) => message).slice(1);
    };
    const typed = ['Invalid value: "object": is whole', 'Duplicate value: "object"'];
    expect(messages()).toEqual([...typed, 'Invalid value: "integer": only grows', 'Invalid value: "string": is wrong']);
    expect(messages('1.34')).toEqual(messages());
    expect(messages('1.35')).toEqual([
      'Invalid value: is whole',
      'Duplicate value',
      'Invalid value: 1: only grows',
      'Invalid value: "a\\"b": is wrong',
    ]);
  });

  it('are the generated ones, for the latest release only', () => {
    const program = { text: 'self >= oldSelf', evaluate: () => ({ ok: true, value: false, cost: 1 }) as const };
    const rule = { test: program, isTransition: false, message: undefined };
    const generated = changedModule(ruled, {
      schema: counted,
      rules: new Map([['/properties/status/properties/count', [rule]]]),
    });
    const found = (resource: ServedResource): number => {
      const errors: FieldError[] = [];
      checkRules(resource, made(1, 2), undefined, errors);
      return errors.length;
    };
    expect(found(serveResource(generated))).toBe(1);
    expect(found(serveResource(generated, { release: emulate('1.27') }))).toBe(0);
    expect(found(serveResource(changedModule(ruled, { schema: counted })))).toBe(0);
  });
});
