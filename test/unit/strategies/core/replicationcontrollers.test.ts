import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineReplicationControllers } from '../../../../strategies/core/replicationcontrollers.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorsOf } from '../../../support/field-errors.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineReplicationControllers(servingOf(platformNaming));

const controller = (spec: JsonObject = {}, labels: Record<string, string> = { app: 'a' }): ApiObject =>
  storedLike(handlers, { spec }, { labels });

it('takes labels and selector from its template if it has none', () => {
  const object = controller({ selector: {} }, {});
  handlers.canonicalize?.(object);
  expect(object.metadata.labels).toEqual({ app: 'a' });
  expect(object.spec).toHaveProperty('selector', { app: 'a' });
  const own = controller({ selector: { b: 'c' } }, { d: 'e' });
  handlers.canonicalize?.(own);
  expect([own.metadata.labels, own.spec]).toEqual([{ d: 'e' }, expect.objectContaining({ selector: { b: 'c' } })]);
});

it.each<[JsonObject, readonly string[]]>([
  [{ selector: {} }, ['spec.selector: Required value']],
  [{ template: undefined }, ['spec.template: Required value']],
  [
    { selector: { b: 'c' } },
    [
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"a"}: `selector` does not match template `labels`',
    ],
  ],
  [
    { template: podTemplate({ activeDeadlineSeconds: 5 }) },
    [
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
    ],
  ],
])('%j', (spec, expected) => expect(errorsOf(handlers, controller(spec))).toEqual(expected));

it('is selected by its replicas, and shows them', () => {
  expect(handlers.selectableFields?.['status.replicas']?.(controller())).toBe('1');
  expect(handlers.columns?.Selector?.(controller(), 0)).toBe('app=a');
  expect(handlers.columns?.Current?.(controller(), 0)).toBe(1);
});
