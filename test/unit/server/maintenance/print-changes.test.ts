/** Changes between releases as people read them. */
import { expect, it } from 'vitest';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import type { ReleaseChanges } from '../../../../server/maintenance/compare-releases.js';
import { changeLines, countLines, countsOf } from '../../../../server/maintenance/print-changes.js';

const jobs = { group: 'batch', version: 'v1', kind: 'Job', resource: 'jobs' };
const changes: ReleaseChanges = {
  kinds: [
    { change: 'comes', ...jobs, group: 'storage.platform.io', notes: ['not served by default'], gate: 'Jobs' },
    { change: 'changes', ...jobs, group: '', notes: ['deprecated for v2'] },
    { change: 'goes', ...jobs, resource: 'jobs/log', notes: [] },
  ],
  fields: [
    { change: 'comes', ...jobs, path: '.spec.a', gate: 'A' },
    { change: 'changes', ...jobs, path: '.spec.b', before: { maxLength: 5 }, after: { default: 'x' } },
  ],
  gates: [
    { gate: 'A', after: { stage: 'alpha', byDefault: false, locked: false } },
    {
      gate: 'B',
      before: { stage: 'beta', byDefault: true, locked: false },
      after: { stage: 'ga', byDefault: true, locked: true },
    },
    { gate: 'C', before: { stage: 'ga', byDefault: true, locked: true } },
  ],
  behaviours: [{ change: 'comes', name: 'later', about: 'It is later.' }],
};

it('are lists with a mark on each line', () => {
  expect(changeLines(changes, kubernetesNaming.rename)).toEqual([
    'KINDS (3)',
    '  + storage.k8s.io/v1 Job (jobs): not served by default, gate Jobs',
    '  ~ v1 Job (jobs): deprecated for v2',
    '  - batch/v1 Job (jobs/log)',
    'FIELDS (2)',
    '  + batch/v1 Job .spec.a: gate A',
    '  ~ batch/v1 Job .spec.b: maxLength 5 -> none, default none -> "x"',
    'GATES (3)',
    '  + A: alpha, off',
    '  ~ B: beta, on -> GA, on, locked',
    '  - C: GA, on, locked',
    'BEHAVIOURS (1)',
    '  + later: It is later.',
  ]);
});

it('are counted in a table', () => {
  expect(countLines([countsOf('1.28', changes)])).toEqual([
    'RELEASE  KINDS  FIELDS  GATES     BEHAVIOURS',
    '1.28     +1 -1  +1 -0   +1 ~1 -1  1',
  ]);
});
