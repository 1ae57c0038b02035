import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { followedVersions } from '../../../../bin/project/followed-versions.js';
import { defineController, defineResource, watch } from '../../../../client-node.js';
import { defineAdmissionPlugin, objectsOf } from '../../../../contract.js';
import { analyseFolder } from '../../../../generator/check/load-definitions.js';
import { folderOfTexts } from '../../../../generator/load/load-folder.js';
import { nativeResource, versionOf } from '../../../support/kinds.js';

const definition = nativeResource({
  kind: 'Gate',
  group: 'cases.example.com',
  versions: [versionOf('v1', true), { ...versionOf('v1beta1', false), served: false, conversion: {} }],
});
const loaded = analyseFolder(folderOfTexts([{ path: 'gates.json', text: JSON.stringify(definition) }]));

const plugin = (version: string, plural = 'gates') =>
  defineAdmissionPlugin({
    name: `In${version}`,
    handles: () => false,
    start: (host) => void objectsOf(host, `cases.example.com/${version}`, plural),
  });

const controller = (version: string) =>
  defineController({
    name: `in-${version}`,
    watches: [
      watch(
        defineResource<{ apiVersion: string; kind: string; metadata: object }>()({
          group: 'cases.example.com',
          version,
          plural: 'gates',
          kind: 'Gate',
          scope: 'Namespaced',
          subresources: [],
        } as const),
      ),
    ],
    reconcile: async () => {},
  });

it('reports plugins in versions that do not exist, and controllers in versions that are not served', () => {
  const follows = followedVersions({
    file: resolve('kindforge.config.ts'),
    admissionPlugins: [plugin('v1'), plugin('v1beta1'), plugin('v1alpha1'), plugin('v1alpha1', 'others')],
    controllers: [controller('v1'), controller('v1beta1')],
  });
  expect(follows(loaded)).toMatchObject([
    {
      file: 'kindforge.config.ts',
      code: 'KF4045',
      message:
        'the admission plugin Inv1alpha1 follows gates.cases.example.com in v1alpha1, which is not there; use v1 or v1beta1',
    },
    { message: 'the controller in-v1beta1 follows gates.cases.example.com in v1beta1, which is not served; use v1' },
  ]);
});

it('reports nothing about a plugin that needs a server to start', () => {
  const admissionPlugins = [
    defineAdmissionPlugin({
      name: 'Needing',
      handles: () => false,
      start: () => {
        throw new Error('there is no server');
      },
    }),
  ];
  expect(followedVersions({ file: 'a.ts', admissionPlugins, controllers: [] })(loaded)).toEqual([]);
});
