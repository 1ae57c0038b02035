import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { defineLeaseCandidates } from '../../../../strategies/coordination.platform.io/leasecandidates.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineLeaseCandidates();
const sound = { leaseName: 'l', binaryVersion: '1.2.0', strategy: 'example.com/newest' };
const oldest = 'OldestEmulationVersion';
const semantic = 'must be a valid semantic version';

it.each<[JsonObject, string[]]>([
  [{}, []],
  [{ strategy: oldest, emulationVersion: '1.2.0-rc.1' }, []],
  [{ strategy: oldest }, [`spec.emulationVersion: Required value: must be specified when \`strategy\` is '${oldest}'`]],
  [{ emulationVersion: '1.2' }, [`spec.emulationVersion: Invalid value: "1.2": ${semantic}`]],
  [{ binaryVersion: 'v1.2.0' }, [`spec.binaryVersion: Invalid value: "v1.2.0": ${semantic}`]],
  [
    { emulationVersion: '1.10.0' },
    ['spec.binaryVersion: Invalid value: "1.2.0": must be greater than or equal to `emulationVersion`'],
  ],
  [{ strategy: 'mine' }, [`spec.strategy.strategy: Unsupported value: "mine": supported values: "${oldest}"`]],
])('finds the mistakes in %j', (more, errors) =>
  expect(errorsOf(handlers, objectOf(handlers, { spec: { ...sound, ...more } }))).toEqual(errors),
);
