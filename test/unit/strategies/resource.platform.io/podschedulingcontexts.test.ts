import { describe, expect, it } from 'vitest';
import { resource as contexts } from '../../../../generated/resource.platform.io/v1alpha2/podschedulingcontexts/resource.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { definePodSchedulingContexts } from '../../../../strategies/resource.platform.io/podschedulingcontexts.js';
import { objectOf } from '../../../support/field-errors.js';
import { everyVersion } from '../../../support/kind-api.js';
import { suiteApi } from '../../../support/test-api.js';

const handlers = definePodSchedulingContexts();
const stored = objectOf(handlers, { spec: { selectedNode: 'n1' } });

it('shows the selected node, and an empty text if there is none', () => {
  expect(handlers.columns?.SelectedNode?.(stored, 0)).toBe('n1');
  expect(handlers.columns?.SelectedNode?.({ ...stored, spec: {} }, 0)).toBe('');
});

describe('an update', async () => {
  const api = await suiteApi([contexts], {
    handlers: [handlers],
    featureEnabled: () => true,
    runtimeConfig: everyVersion,
  });
  const place = '/apis/resource.platform.io/v1alpha2/namespaces/default/podschedulingcontexts';
  const put = (spec: object) => api.send('PUT', `${place}/pod`, { metadata: { name: 'pod' }, spec });

  it('may select any node, again and again, even if it is not a potential one', async () => {
    const created = await api.send('POST', place, { metadata: { name: 'pod' }, spec: { potentialNodes: ['n1'] } });
    expect(created.code).toBe(201);
    for (const spec of [
      { selectedNode: 'n1' },
      { selectedNode: 'n2', potentialNodes: ['n1'] },
      { selectedNode: 'Not A Name' },
      {},
    ])
      expect(await put(spec)).toMatchObject({ code: 200, body: { spec } });
  });

  it('names each claim of its status', async () => {
    for (const unnamed of [{ unsuitableNodes: ['n1'] }, { name: '', unsuitableNodes: ['n1'] }]) {
      const reply = await api.send('PUT', `${place}/pod/status`, {
        metadata: { name: 'pod' },
        status: { resourceClaims: [{ name: 'a' }, unnamed] },
      });
      expect(reply.code).toBe(422);
      expect(reply.text).toContain('status.resourceClaims[1].name: Required value');
    }
  });

  it('reports a repeated node twice, and one in the status once', async () => {
    const causes = ({ body }: { readonly body: JsonObject }) => objectAt(body, 'details')?.causes;
    const repeated = (field: string) => ({
      field,
      reason: 'FieldValueDuplicate',
      message: 'Duplicate value: "n1"',
    });
    const twice = await put({ potentialNodes: ['n1', 'n2', 'n1'] });
    expect([twice.code, causes(twice)]).toEqual([
      422,
      [repeated('spec.potentialNodes[2]'), repeated('spec.potentialNodes[2]')],
    ]);
    const once = await api.send('PUT', `${place}/pod/status`, {
      metadata: { name: 'pod' },
      status: { resourceClaims: [{ name: 'a', unsuitableNodes: ['n1', 'n1'] }] },
    });
    expect([once.code, causes(once)]).toEqual([422, [repeated('status.claims[0].unsuitableNodes[1]')]]);
  });
});
