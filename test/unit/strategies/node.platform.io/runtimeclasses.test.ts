import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineRuntimeClasses } from '../../../../strategies/node.platform.io/runtimeclasses.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineRuntimeClasses(servingOf(platformNaming));
const runtime = (body: JsonObject): ApiObject =>
  objectOf(handlers, { handler: 'sandbox', ...body }, { name: 'sandbox' });

it.each([
  [{ overhead: { podFixed: { cpu: '-1' } } }, ['overhead.limits[cpu]']],
  [{ overhead: { podFixed: { bogus: '1' } } }, ['overhead.limits[bogus]', 'overhead.limits[bogus]']],
  [{ overhead: { podFixed: { 'example.com/card': '1500m' } } }, ['overhead.limits[example.com/card]']],
  [{ overhead: { podFixed: { 'hugepages-2Mi': '2Mi' } } }, ['overhead']],
  [{ overhead: { podFixed: { 'hugepages-2Mi': '2Mi', cpu: '1' } } }, []],
  [{ overhead: { podFixed: { 'hugepages-2Mi': '5Mi', memory: '1Gi' } } }, ['overhead.limits[hugepages-2Mi]']],
  [{ scheduling: { nodeSelector: { 'bad key!': 'v' } } }, ['scheduling.nodeSelector']],
  [{ scheduling: { tolerations: [{ operator: 'Exists' }, { operator: 'Exists' }] } }, ['scheduling.tolerations[1]']],
  [{ scheduling: { tolerations: [{}] } }, ['scheduling.tolerations.tolerations[0].operator']],
  [
    { scheduling: { tolerations: [{ key: 'a', operator: 'Exists', value: 'v' }] } },
    ['scheduling.tolerations.tolerations[0].operator'],
  ],
  [
    { scheduling: { tolerations: [{ key: 'a', operator: 'Near' }] } },
    ['scheduling.tolerations.tolerations[0].operator'],
  ],
  [{ scheduling: { tolerations: [{ key: 'a', effect: 'Never' }] } }, ['scheduling.tolerations.tolerations[0].effect']],
  [
    { scheduling: { tolerations: [{ key: 'a', tolerationSeconds: 5 }] } },
    ['scheduling.tolerations.tolerations[0].effect'],
  ],
])('%j', (body, fields) => expect(errorFieldsOf(handlers, runtime(body))).toEqual(fields));

it('rounds amounts up to thousandths', () => {
  const object = runtime({ overhead: { podFixed: { cpu: '1n', memory: '1Gi' } } });
  handlers.canonicalize?.(object);
  expect(object.overhead).toEqual({ podFixed: { cpu: '1m', memory: '1Gi' } });
});
