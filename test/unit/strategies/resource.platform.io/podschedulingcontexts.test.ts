/** PodSchedulingContext: cells. */
import { expect, it } from 'vitest';
import type { ApiObject } from '../../../../runtime/contract/index.js';
import { definePodSchedulingContextStrategy } from '../../../../strategies/resource.platform.io/podschedulingcontexts.js';
import { testStrategy } from '../../../support/strategy-suite.js';

const strategy = definePodSchedulingContextStrategy();
const stored: ApiObject = {
  apiVersion: 'resource.platform.io/v1alpha2',
  kind: 'PodSchedulingContext',
  metadata: { name: 'pod', namespace: 'default' },
  spec: { selectedNode: 'n1' },
  status: {},
};

testStrategy({ strategy, stored, columns: ['SelectedNode'] });

it('shows the selected node, and an empty text where there is none', () => {
  expect(strategy.cell?.(stored, 'SelectedNode', 0)).toBe('n1');
  expect(strategy.cell?.({ ...stored, spec: {} }, 'SelectedNode', 0)).toBe('');
});
