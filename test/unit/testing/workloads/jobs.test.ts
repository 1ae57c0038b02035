import { expect, it } from 'vitest';
import { indexedTemplate, indexesOf, rangesText } from '../../../../testing/workloads/jobs.js';
import type { Job, Pod } from '../../../../testing/workloads/types.js';

const annotation = 'example.com/index';
const pod = (index: number): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { annotations: { [annotation]: String(index) } },
});
const job = (spec: Job['spec']): Job => ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec });

it('are free until a pod has one, unless that has failed', () => {
  const indexes = indexesOf(job({ completions: 6 }), [pod(4), pod(1)], [pod(2), pod(0)], annotation);
  expect(indexes).toEqual({ completed: [0, 2], free: [3, 5] });
});

it('are printed in ranges', () => {
  expect(rangesText([])).toBe('');
  expect(rangesText([0, 1, 2, 4, 6, 7])).toBe('0-2,4,6-7');
});

it('are known to each container of the pod', () => {
  const containers = [{ name: 'a', env: [{ name: 'X', value: 'x' }] }, { name: 'b' }];
  const template = { metadata: { annotations: { mine: 'yes' } }, spec: { containers } };
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${annotation}']` } },
  };
  expect(indexedTemplate(job({ template }), 3, annotation)).toEqual({
    metadata: { annotations: { mine: 'yes', [annotation]: '3' } },
    spec: {
      hostname: 'j-3',
      containers: [
        { name: 'a', env: [{ name: 'X', value: 'x' }, variable] },
        { name: 'b', env: [variable] },
      ],
    },
  });
});
