/** The versions that owners of fields count in. */
import { describe, expect, it } from 'vitest';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../runtime/resource/served-resource.js';
import { versionSource } from '../../../../runtime/resource/version-source.js';
import { moduleOf } from '../../../support/modules.js';

const served = new Map<string, ServedResource>();
const sibling = (apiVersion: string) => served.get(apiVersion);
for (const [group, version] of [
  ['', 'v1'],
  ['notes.example.com', 'v1'],
  ['notes.example.com', 'v2'],
] as const) {
  const resource = serveResource(moduleOf(group, 'notes', 'Note', { version }), { sibling });
  served.set(resource.apiVersion, resource);
}

describe('the versions of objects that are served in two groups', () => {
  it.each([
    ['notes.example.com', ['notes.example.com/v1', 'notes.example.com/v2']],
    ['', ['v1']],
  ])('are, for a write in %j, those of that group', (group, versions) => {
    const source = versionSource(group, sibling);
    expect([...served.keys()].filter((apiVersion) => source.versionOf(apiVersion)).sort()).toEqual(versions);
  });
});
