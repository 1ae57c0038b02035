import { expect, it } from 'vitest';
import { registry } from '../../support/built-in-modules.js';

it('are these', () => {
  const kinds = registry
    .filter(({ served, subresources }) =>
      subresources.some(({ name, writesMetadata }) => served && name === 'status' && !writesMetadata),
    )
    .map(({ group, names }) => `${group}/${names.plural}`);
  expect([...new Set(kinds)].sort()).toEqual([
    'admissionregistration.platform.io/validatingadmissionpolicies',
    'apiregistration.platform.io/apiservices',
    'flowcontrol.platform.io/flowschemas',
    'flowcontrol.platform.io/prioritylevelconfigurations',
    'internal.apiserver.platform.io/storageversions',
    'storage.platform.io/volumeattachments',
  ]);
});
