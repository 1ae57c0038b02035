import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { defineIngressClasses } from '../../../../strategies/networking.platform.io/ingressclasses.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineIngressClasses();
const ingressClass = (spec: JsonObject) => objectOf(handlers, { spec: { controller: 'example.com/c', ...spec } });
const parameters = (rest: JsonObject = {}) => ({ parameters: { kind: 'K', name: 'n', scope: 'Cluster', ...rest } });

describe('an ingress class', () => {
  it.each([
    [{ controller: '' }, 'spec.controller: Required value'],
    [{ controller: `example.com/${'c'.repeat(250)}` }, 'spec.controller: Too long: must have at most 250 bytes'],
    [{ controller: 'nope' }, 'spec.controller: Invalid value: "nope"'],
    [parameters({ kind: '' }), 'spec.parameters.kind: Required value: kind is required'],
    [parameters({ name: '' }), 'spec.parameters.name: Required value: name is required'],
    [parameters({ name: 'a/b' }), `spec.parameters.name: Invalid value: "a/b": may not contain '/'`],
    [parameters({ namespace: 'x' }), "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    [
      parameters({ scope: 'Namespace' }),
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
  ])('is refused with %j', (spec, start) => expect(errorsOf(handlers, ingressClass(spec))[0]).toContain(start));

  it('keeps its controller', () =>
    expect(changeErrorsOf(handlers, ingressClass({ controller: 'example.com/d' }), ingressClass({}))).toEqual([
      'spec.controller: Invalid value: "example.com/d": field is immutable',
    ]));

  it('shows its parameters', () => {
    expect(handlers.columns?.Parameters?.(ingressClass({}), 0)).toBe('<none>');
    expect(handlers.columns?.Parameters?.(ingressClass(parameters({ apiGroup: 'e.com' })), 0)).toBe('K.e.com/n');
  });
});
